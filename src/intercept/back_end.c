/* SPDX-License-Identifier: BSD-3-Clause */
/* back_end.c: the one symbol of a back end, by which the front reaches everything; and its end. */
#include "pmpi/back_end.h"

#include "base/environment.h"
#include "comm/lifetime.h"
#include "config.h"
#include "intercept/entry.h"
#include "log/log.h"
#include "pmpi/pmpi.h"
#include "process/identity.h"
#include "process/start.h"
#include "process/tables.h"

static bool begin(const struct shunt_library *library, char *const *environment)
{
    shunt_environment_keep_as(environment);
    if (!shunt_pmpi_use(library))
        return false;
    shunt_identity_look_ahead();
    return true;
}

/* A question to which every MPI library has the same answer, if handles are what its names say. An
 * error is no answer: it may be this rank's alone. (Not one about MPI_COMM_SELF: a first call may
 * come from its callbacks, when MPI ends.) */
static bool answers(void)
{
    int initialized = 0, finalized = 0;
    MPI_Count bytes = sizeof(int64_t);
    (void)shunt_pmpi.Initialized(&initialized);
    (void)shunt_pmpi.Finalized(&finalized);
    if (!initialized || finalized)
        return true; /* Sessions */
    if (shunt_pmpi.Type_size_x(MPI_INT64_T, &bytes) != MPI_SUCCESS)
        bytes = sizeof(int64_t);
    return bytes == sizeof(int64_t);
}

static bool first_call(void)
{
    if (!answers())
        return false;
    shunt_start_say();
    return true;
}

static void duplicates(word comm)
{
    if (shunt_pmpi_is_open_mpi() && shunt_pmpi_can_be_comm((MPI_Comm)comm))
        shunt_comm_duplicates((MPI_Comm)comm);
}

extern const struct shunt_back_end shunt_back_end;

#define ENTRY(name, n) [SHUNT_ENTRY_##name] = (shunt_function)shunt_entry_##name,

__attribute__((visibility("default"))) const struct shunt_back_end shunt_back_end = {
    .version = PACKAGE_VERSION,
    .abi = SHUNT_PMPI_ABI,
    .begin = begin,
    .first_call = first_call,
    .duplicates = duplicates,
    .entries = {SHUNT_ROUTED(ENTRY) SHUNT_PASSED(ENTRY)},
};

/* If no callback of MPI told us about the end (Sessions, or no communicator seen), the summary is
 * written here. */
__attribute__((destructor)) static void at_exit(void)
{
    shunt_tables_tell_own();
    shunt_log_close();
}
