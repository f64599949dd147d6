/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.c: SHUNT_VERIFY, every routed call against the library's own result.
 *
 * The library works on a copy of the receive buffer, gaps included, so that every byte can be compared. On a difference the library's
 * result is kept: the application goes on with right data, and the user knows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intercept/intercept.h"
#include "log/log.h"

/* Memory that the receive side covers, gaps between blocks included: [low, high). Returns an error of the library. */
static int receive_span(const struct shunt_exchange *x, char **low, size_t *bytes)
{
    MPI_Aint lower = 0, extent = 0;
    uintptr_t first = UINTPTR_MAX, last = 0;
    const int status = shunt_pmpi.Type_get_true_extent(x->recv.type, &lower, &extent);
    for (int p = 0; status == MPI_SUCCESS && p < x->comm->size; p++) {
        const int64_t count = shunt_side_count(x, &x->recv, p);
        if (count == 0 || extent == 0)
            continue;
        const uintptr_t one = (uintptr_t)shunt_side_address(x, &x->recv, p) + (uintptr_t)lower;
        const uintptr_t other = one + (uintptr_t)((count - 1) * x->recv.extent); /* a negative extent walks down */
        const uintptr_t from = x->recv.extent < 0 ? other : one, to = (x->recv.extent < 0 ? one : other) + (uintptr_t)extent;
        first = from < first ? from : first;
        last = to > last ? to : last;
    }
    *low = (char *)(first < last ? first : 0);
    *bytes = first < last ? last - first : 0;
    return status;
}

static void report(const struct shunt_exchange *x, const char *mine, const char *library, size_t bytes)
{
    size_t at = 0;
    while (at < bytes && mine[at] == library[at])
        at++;
    fprintf(stderr,
            "shunt: SHUNT_VERIFY: rank %d, call %llu, %s by %s: byte %zu of the receive buffer differs from the library's result, which is "
            "kept. Please report this with the routing log.\n",
            x->comm->rank, (unsigned long long)x->comm->calls, shunt_op_name(x->op), x->comm->doing, at);
}

int shunt_verify_run(struct shunt_exchange *x, int (*run)(struct shunt_exchange *, struct shunt_plan *), struct shunt_plan *plan)
{
    char *low = NULL, *copy = NULL;
    size_t bytes = 0;
    int status = receive_span(x, &low, &bytes);
    if (bytes > 0)
        copy = malloc(bytes);
    /* The second exchange is collective, so all ranks take it or none does. */
    if (!shunt_agree_all(x->comm, status == MPI_SUCCESS && (bytes == 0 || copy))) {
        shunt_log_say("SHUNT_VERIFY: no memory for a second receive buffer on some rank: a call went unverified");
        free(copy);
        return run(x, plan);
    }
    if (bytes > 0)
        memcpy(copy, low, bytes);
    struct shunt_exchange library = *x;
    library.recv.buffer = (void *)((uintptr_t)x->recv.buffer + ((uintptr_t)copy - (uintptr_t)low));
    status = run(x, plan);
    struct shunt_hush hush;
    shunt_hush_begin(&hush, x->comm->user);
    const int library_status = shunt_exchange_native(&library);
    shunt_hush_end(&hush);
    if (library_status == MPI_SUCCESS && bytes > 0 && memcmp(low, copy, bytes) != 0) {
        report(x, low, copy, bytes);
        memcpy(low, copy, bytes);
    }
    free(copy);
    return status;
}
