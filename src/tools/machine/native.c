/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * native.c: MPICH's control variables, through MPI's tool interface. What a library does not tell
 * is as MPICH has it by default. How few ranks never use Bruck's algorithm is no variable of MPICH.
 */
#include "tools/machine/run.h"

/* What the library does in MPI_Alltoallv is no variable of either. */
#ifdef OPEN_MPI
#define ALLTOALLV SHUNT_NATIVE_PAIRWISE
#define ALLTOALLV_NOTE "pairwise; assumed: as Open MPI has it by default"
#else
#define ALLTOALLV SHUNT_NATIVE_SCATTERED
#define ALLTOALLV_NOTE "scattered; assumed: as in MPICH's source"
#endif

enum { SHORT, MEDIUM, THROTTLE, VARIABLES, RANKS_LEAST = 8 };

static const struct variable {
    const char *name, *key;
    int64_t usual; /* MPICH's default */
} variables[VARIABLES] = {
    {"MPIR_CVAR_ALLTOALL_SHORT_MSG_SIZE", "native.short", 256},
    {"MPIR_CVAR_ALLTOALL_MEDIUM_MSG_SIZE", "native.medium", 32768},
    {"MPIR_CVAR_ALLTOALL_THROTTLE", "native.throttle", 32},
};

/* Between PMPI_T_init_thread and PMPI_T_finalize. False: the library has no such number. */
static bool read_variable(const char *name, int64_t *value)
{
    char seen[128];
    int index = 0, length = (int)sizeof seen, verbosity, binding, scope, count = 0, number = 0;
    MPI_Datatype type;
    MPI_T_cvar_handle handle;
    if (PMPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        PMPI_T_cvar_get_info(index, seen, &length, &verbosity, &type, NULL, NULL, NULL, &binding,
                             &scope) != MPI_SUCCESS ||
        type != MPI_INT || PMPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS)
        return false;
    const bool good = count == 1 && PMPI_T_cvar_read(handle, &number) == MPI_SUCCESS && number >= 0;
    PMPI_T_cvar_handle_free(&handle);
    *value = number;
    return good;
}

void machine_native_find(struct machine_run *run)
{
    struct shunt_machine *machine = &run->results.machine;
    int64_t values[VARIABLES];
    bool told[VARIABLES] = {false};
    int level = 0;
    const bool opened = PMPI_T_init_thread(MPI_THREAD_SINGLE, &level) == MPI_SUCCESS;
    for (int i = 0; i < VARIABLES; i++) {
        told[i] = opened && read_variable(variables[i].name, &values[i]);
        values[i] = told[i] ? values[i] : variables[i].usual;
    }
    if (opened)
        PMPI_T_finalize();
    /* All at once, which the description has no word for but a great number. */
    const bool unlimited = values[THROTTLE] == 0;
    machine->native_short = values[SHORT];
    machine->native_medium = values[MEDIUM];
    machine->native_throttle = unlimited ? INT32_MAX : (int32_t)values[THROTTLE];
    machine->native_ranks = RANKS_LEAST;
    for (int i = 0; i < VARIABLES; i++)
        machine_row_add(&run->results, variables[i].key, -1, told[i],
                        i == THROTTLE && unlimited ? "MPIR_CVAR_ALLTOALL_THROTTLE is 0: no limit"
                        : told[i]                  ? variables[i].name
                                                   : "assumed: MPICH's default");
    machine_row_add(&run->results, "native.ranks", -1, 0, "assumed: as in MPICH's source");
    machine->native_alltoallv = ALLTOALLV;
    machine_row_add(&run->results, "native.alltoallv", -1, 0, ALLTOALLV_NOTE);
}
