/* SPDX-License-Identifier: BSD-3-Clause */
/* errors.c: errors are returned while we call the library; the user's error handler is put back
 * after. */
#include "process/errors.h"

#include <stdatomic.h>

static bool predefined(MPI_Errhandler handler)
{
#ifdef MPI_ERRORS_ABORT
    if (handler == MPI_ERRORS_ABORT)
        return true;
#endif
    return handler == MPI_ERRORS_ARE_FATAL || handler == MPI_ERRORS_RETURN;
}

static void give_back(MPI_Errhandler *handler)
{
    if (!predefined(*handler))
        shunt_pmpi.Errhandler_free(handler);
}

bool shunt_errors_are_fatal(MPI_Comm on)
{
    MPI_Errhandler handler;
    if (shunt_pmpi.Comm_get_errhandler(on, &handler) != MPI_SUCCESS)
        return false;
    const bool fatal = predefined(handler) && handler != MPI_ERRORS_RETURN;
    give_back(&handler);
    return fatal;
}

/* One that does nothing and belongs to nobody else, so that it is seen whether the application has
 * set another one meanwhile. */
static void ignore(MPI_Comm *on, int *code, ...)
{
    (void)on;
    (void)code;
}

static _Atomic MPI_Errhandler quiet; /* 0, which is no handle in any ABI: not made yet */

static bool ensure_quiet(void)
{
    MPI_Errhandler fresh = MPI_ERRHANDLER_NULL, expected = 0;
    if (atomic_load(&quiet) != 0)
        return true;
    if (shunt_pmpi.Comm_create_errhandler(ignore, &fresh) != MPI_SUCCESS)
        return false;
    if (!atomic_compare_exchange_strong(&quiet, &expected, fresh))
        shunt_pmpi.Errhandler_free(&fresh);
    return true;
}

static void begin(struct shunt_hush *hush, MPI_Comm on, MPI_Errhandler ours)
{
    hush->on = on;
    hush->ours = ours;
    hush->active = shunt_pmpi.Comm_get_errhandler(on, &hush->saved) == MPI_SUCCESS;
    if (hush->active && shunt_pmpi.Comm_set_errhandler(on, ours) != MPI_SUCCESS) {
        give_back(&hush->saved);
        hush->active = false;
    }
}

void shunt_hush_begin(struct shunt_hush *hush, MPI_Comm on)
{
    hush->active = false;
    if (ensure_quiet())
        begin(hush, on, atomic_load(&quiet));
}

void shunt_hush_begin_alone(struct shunt_hush *hush, MPI_Comm on)
{
    int thread_level = MPI_THREAD_MULTIPLE;
    hush->active = false;
    if (shunt_pmpi.Query_thread(&thread_level) == MPI_SUCCESS && thread_level < MPI_THREAD_MULTIPLE)
        begin(hush, on, MPI_ERRORS_RETURN);
}

/* Whether it is still the one that begin has set. */
static bool is_ours(const struct shunt_hush *hush)
{
    MPI_Errhandler now = MPI_ERRHANDLER_NULL;
    if (hush->ours == MPI_ERRORS_RETURN)
        return true; /* no other thread could set one */
    if (shunt_pmpi.Comm_get_errhandler(hush->on, &now) != MPI_SUCCESS)
        return false;
    const bool ours = now == hush->ours;
    give_back(&now);
    return ours;
}

void shunt_hush_end(struct shunt_hush *hush)
{
    if (!hush->active)
        return;
    if (is_ours(hush))
        shunt_pmpi.Comm_set_errhandler(hush->on, hush->saved);
    give_back(&hush->saved);
}
