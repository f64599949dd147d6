/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * passthrough.c: relatives of the routed operations. They are counted for the summary, so that a
 * user sees what is not routed, and passed on.
 */
#include <pthread.h>

#include "intercept/entry.h"

#include "base/environment.h"
#include "comm/comm.h"
#include "intercept/witness.h"
#include "log/log.h"
#include "process/process.h"
#include "process/start.h"
#include "process/tables.h"

atomic_bool shunt_entry_known;

bool shunt_entry_find(void *caller)
{
    static pthread_once_t said = PTHREAD_ONCE_INIT, witnessed = PTHREAD_ONCE_INIT;
    pthread_once(&witnessed, shunt_witness_call);
    if (shunt_pmpi_resolve(caller, shunt_environment_first_of_job) != SHUNT_PMPI_READY)
        return false;
    atomic_store_explicit(&shunt_entry_known, true, memory_order_release);
    pthread_once(&said, shunt_start_say);
    return true;
}

/* The library's function `name` (with its P); counts the call when a log is kept. Each caller
 * remembers the result. */
static void *passed(const char *name, void *caller, _Atomic(void *) *function)
{
    void *found = atomic_load_explicit(function, memory_order_acquire);
    if (!found) {
        shunt_entry_ready(caller);
        found = shunt_pmpi_symbol(name);
        atomic_store_explicit(function, found, memory_order_release);
    }
    if (atomic_load_explicit(&shunt_entry_known, memory_order_relaxed) &&
        shunt_process_settings()->log != SHUNT_LOG_OFF)
        shunt_log_passed(name + 1);
    return found;
}

/* An entry point whose arguments `list` (declarations) are passed on as `values`. */
#define PASS(name, list, types, values)                                                            \
    SHUNT_EXPORT int shunt_##name list SHUNT_NAMED(#name);                                         \
    SHUNT_EXPORT int shunt_##name list                                                             \
    {                                                                                              \
        static _Atomic(void *) remembered;                                                         \
        int(*function) types = NULL; /* a list of types: NOLINT(bugprone-macro-parentheses) */     \
        *(void **)&function = passed("P" #name, __builtin_return_address(0), &remembered);         \
        return function ? function values : SHUNT_NO_FUNCTION;                                     \
    }

#define LIST8 (word a, word b, word c, word d, word e, word f, word g, word h)
#define TYPES8 (word, word, word, word, word, word, word, word)
#define VALUES8 (a, b, c, d, e, f, g, h)
#define LIST9 (word a, word b, word c, word d, word e, word f, word g, word h, word i)
#define TYPES9 (word, word, word, word, word, word, word, word, word)
#define VALUES9 (a, b, c, d, e, f, g, h, i)
#define LIST7 (word a, word b, word c, word d, word e, word f, word g)
#define TYPES7 (word, word, word, word, word, word, word)
#define VALUES7 (a, b, c, d, e, f, g)
#define LIST10 (word a, word b, word c, word d, word e, word f, word g, word h, word i, word j)
#define TYPES10 (word, word, word, word, word, word, word, word, word, word)
#define VALUES10 (a, b, c, d, e, f, g, h, i, j)
#define LIST11                                                                                     \
    (word a, word b, word c, word d, word e, word f, word g, word h, word i, word j, word k)
#define TYPES11 (word, word, word, word, word, word, word, word, word, word, word)
#define VALUES11 (a, b, c, d, e, f, g, h, i, j, k)

#define PASS_WITH_LARGE(name, list, types, values)                                                 \
    PASS(name, list, types, values)                                                                \
    PASS(name##_c, list, types, values)

PASS_WITH_LARGE(MPI_Alltoallw, LIST9, TYPES9, VALUES9)
PASS_WITH_LARGE(MPI_Ialltoall, LIST8, TYPES8, VALUES8)
PASS_WITH_LARGE(MPI_Ialltoallv, LIST10, TYPES10, VALUES10)
PASS_WITH_LARGE(MPI_Ialltoallw, LIST10, TYPES10, VALUES10)
PASS_WITH_LARGE(MPI_Alltoall_init, LIST9, TYPES9, VALUES9)
PASS_WITH_LARGE(MPI_Alltoallv_init, LIST11, TYPES11, VALUES11)
PASS_WITH_LARGE(MPI_Alltoallw_init, LIST11, TYPES11, VALUES11)
PASS_WITH_LARGE(MPI_Neighbor_alltoall, LIST7, TYPES7, VALUES7)
PASS_WITH_LARGE(MPI_Neighbor_alltoallv, LIST9, TYPES9, VALUES9)
PASS_WITH_LARGE(MPI_Neighbor_alltoallw, LIST9, TYPES9, VALUES9)
PASS_WITH_LARGE(MPI_Ineighbor_alltoall, LIST8, TYPES8, VALUES8)
PASS_WITH_LARGE(MPI_Ineighbor_alltoallv, LIST10, TYPES10, VALUES10)
PASS_WITH_LARGE(MPI_Ineighbor_alltoallw, LIST10, TYPES10, VALUES10)

/* If no callback of MPI told us about the end (Sessions, or no communicator seen), the summary is
 * written here. */
__attribute__((destructor)) static void at_exit(void)
{
    shunt_tables_tell_own();
    shunt_log_close();
}
