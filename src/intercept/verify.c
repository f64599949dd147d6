/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * verify.c: SHUNT_VERIFY, every routed call against the library's own result.
 *
 * The library makes the same exchange first, from the user's send side into plain bytes of ours;
 * then the routed call runs, and each block that the user received is packed by the library and
 * compared. Memory between the blocks is not touched: it may not even exist. On a difference the
 * library's result is kept: the application goes on with right data, and the user knows.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "comm/agree.h"
#include "comm/wait.h"
#include "execute/blocks.h"
#include "execute/executor.h"
#include "intercept/intercept.h"
#include "log/log.h"
#include "process/errors.h"

struct expected {
    char *bytes;       /* the library's result, block after block */
    char *before;      /* in place: what the receive blocks held */
    char *block;       /* room for the largest block */
    int64_t *at;       /* array of P: where each block begins in `bytes` */
    MPI_Count *counts; /* arrays of P: send counts, then receive counts */
    MPI_Aint *displs;  /* the same of displacements */
    int *narrow;       /* both, for a library without large counts: counts, then displacements */
    int64_t total, largest;
};

static void expected_clear(struct expected *e)
{
    free(e->bytes);
    free(e->before);
    free(e->block);
    free(e->at);
    free(e->counts);
    free(e->displs);
    free(e->narrow);
}

static char *allocate(int64_t bytes)
{
    return malloc((size_t)bytes + 1);
}

/* Local: sizes, memory, and what the receive blocks hold now (a short message leaves the rest of
 * its block alone). */
static bool expected_prepare(const struct shunt_exchange *x, struct expected *e)
{
    const int P = x->comm->size;
    e->at = calloc((size_t)P, sizeof *e->at);
    e->counts = calloc(2 * (size_t)P, sizeof *e->counts);
    e->displs = calloc(2 * (size_t)P, sizeof *e->displs);
    e->narrow = calloc(4 * (size_t)P, sizeof *e->narrow);
    for (int p = 0; e->at && p < P; p++) {
        const int64_t bytes = shunt_recv_bytes(x, p);
        e->at[p] = e->total;
        e->total += bytes;
        e->largest = bytes > e->largest ? bytes : e->largest;
    }
    if (!e->at || !e->counts || !e->displs || !e->narrow ||
        (!x->comm->agreed.large_counts && e->total > INT_MAX))
        return false;
    e->bytes = allocate(e->total);
    e->before = x->in_place ? allocate(e->total) : NULL;
    e->block = allocate(e->largest);
    if (!e->bytes || !e->block || (x->in_place && !e->before))
        return false;
    for (int p = 0; p < P; p++)
        if (shunt_recv_pack(x, p, e->bytes + e->at[p]) != MPI_SUCCESS)
            return false;
    if (x->in_place)
        memcpy(e->before, e->bytes, (size_t)e->total);
    return true;
}

static int library_alltoall(const struct shunt_exchange *x, const struct expected *e)
{
    const struct shunt_side *s = &x->send;
    const void *from = x->in_place ? e->before : s->buffer;
    const MPI_Datatype type = x->in_place ? MPI_BYTE : s->type;
    const int64_t out = x->in_place ? shunt_recv_bytes(x, 0) : s->count,
                  in = shunt_recv_bytes(x, 0);
    if (x->comm->agreed.large_counts)
        return shunt_pmpi.Alltoall_c(from, (MPI_Count)out, type, e->bytes, (MPI_Count)in, MPI_BYTE,
                                     x->comm->user);
    return shunt_pmpi.Alltoall(from, (int)out, type, e->bytes, (int)in, MPI_BYTE, x->comm->user);
}

static int64_t displacement(const struct shunt_side *side, int peer)
{
    return side->wide ? (int64_t)((const MPI_Aint *)side->displs)[peer]
                      : ((const int *)side->displs)[peer];
}

static int library_alltoallv(const struct shunt_exchange *x, const struct expected *e)
{
    const int P = x->comm->size;
    MPI_Count *out = e->counts, *in = out + P;
    MPI_Aint *from = e->displs, *to = from + P;
    for (int p = 0; p < P; p++) {
        in[p] = shunt_recv_bytes(x, p);
        to[p] = e->at[p];
        out[p] = x->in_place ? in[p] : shunt_side_count(x, &x->send, p);
        from[p] = x->in_place ? to[p] : displacement(&x->send, p);
    }
    const void *buffer = x->in_place ? e->before : x->send.buffer;
    const MPI_Datatype type = x->in_place ? MPI_BYTE : x->send.type;
    if (x->comm->agreed.large_counts)
        return shunt_pmpi.Alltoallv_c(buffer, out, from, type, e->bytes, in, to, MPI_BYTE,
                                      x->comm->user);
    int *counts = e->narrow, *displs = counts + P + P;
    for (int i = 0; i < P + P; i++) {
        counts[i] = (int)out[i];
        displs[i] = (int)from[i];
    }
    return shunt_pmpi.Alltoallv(buffer, counts, displs, type, e->bytes, counts + P, displs + P,
                                MPI_BYTE, x->comm->user);
}

/* Collective. The library's errors are not the application's here: the routed call has its own. */
static int library_exchange(const struct shunt_exchange *x, const struct expected *e)
{
    struct shunt_hush hush;
    shunt_hush_begin_alone(&hush, x->comm->user);
    const int status =
        x->op == SHUNT_OP_ALLTOALL ? library_alltoall(x, e) : library_alltoallv(x, e);
    shunt_hush_end(&hush);
    return status;
}

static void report(const struct shunt_exchange *x, const char *algorithm, int peer,
                   const char *mine, const char *library)
{
    size_t at = 0;
    while (mine[at] == library[at])
        at++;
    fprintf(stderr,
            "shunt: SHUNT_VERIFY: rank %d, call %llu, %s by %s: byte %zu of the block from rank %d "
            "differs from the library's result, which "
            "is kept. Please report this with the routing log.\n",
            x->comm->rank, (unsigned long long)x->comm->calls, shunt_op_name(x->op), algorithm, at,
            peer);
}

/* Says the first difference, mends all. */
static void compare(const struct shunt_exchange *x, const struct expected *e, const char *algorithm)
{
    bool said = false;
    if (!e->block || !e->at)
        return;
    for (int p = 0; p < x->comm->size; p++) {
        const int64_t bytes = shunt_recv_bytes(x, p);
        const char *library = e->bytes + e->at[p];
        if (bytes == 0 || shunt_recv_pack(x, p, e->block) != MPI_SUCCESS ||
            memcmp(e->block, library, (size_t)bytes) == 0)
            continue;
        if (!said)
            report(x, algorithm, p, e->block, library);
        said = true;
        shunt_recv_unpack(x, p, library);
    }
}

/* What the routed call alone took is the time of the call without what is set aside. */
int shunt_verify_run(struct shunt_exchange *x, struct shunt_plan *plan,
                     struct shunt_outcome *outcome)
{
    const int64_t begin = shunt_now();
    struct expected e = {0};
    /* The second exchange is collective, so all ranks take it or none does. */
    if (!shunt_agree_all(x->comm, expected_prepare(x, &e))) {
        x->declined = x->comm->state == SHUNT_STATE_NATIVE; /* a rank has left */
        if (!x->declined)
            shunt_log_say(
                "SHUNT_VERIFY: no memory for a second result on some rank: a call went unverified");
        expected_clear(&e);
        return x->declined ? MPI_SUCCESS : plan->executor->run(x, plan);
    }
    const int64_t before = shunt_now();
    const int library = library_exchange(x, &e);
    const int64_t between = shunt_now();
    const int status = plan->executor->run(x, plan);
    const int64_t after = shunt_now();
    outcome->native = library == MPI_SUCCESS ? between - before : 0;
    if (library == MPI_SUCCESS && status == MPI_SUCCESS && !x->declined)
        compare(x, &e, plan->entry.key.algorithm->name);
    expected_clear(&e);
    outcome->aside = between - begin + shunt_now() - after;
    return status;
}
