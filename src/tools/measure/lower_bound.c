/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lower_bound.c: the least an exchange through shared memory has to do: every rank copies what it
 * sends into a shared segment, all ranks meet once, and every rank copies what it receives out of
 * it. Sizes are known to all beforehand. The segment has two halves that are used in turn, so that
 * nobody overwrites what a slower rank still reads: who is two exchanges ahead of it has met it in
 * between.
 */
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shm/barrier.h"
#include "tools/measure/exchange.h"
#include "tools/measure/program.h"

enum { LINE = 64 };

/* At the beginning of the segment. */
struct barrier {
    _Alignas(LINE) atomic_int arrived;
    _Alignas(
        LINE) struct shunt_signal opened; /* to the number of the last barrier, counted from 1 */
    struct shunt_flat_place places[SHUNT_FLAT_MOST];
};

static struct lower_bound_segment {
    struct barrier *barrier; /* the segment, or NULL */
    size_t bytes, half;      /* of the whole, of one half */
    char *halves;
    size_t *starts;    /* array of P: where each rank's bytes begin in a half */
    int *their_displs; /* array of P: where each rank's block for this one begins among them */
    int rank, size;
    uint32_t uses;
    struct shunt_waiter waiter;
} segment;

/* The name is known to rank 0 alone until all have opened it. */
static void segment_name(char *name, size_t capacity)
{
    int process = (int)getpid();
    measure_must(PMPI_Bcast(&process, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
    snprintf(name, capacity, "/shunt-bench-%d", process);
}

static bool all(bool here)
{
    int good = here;
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD),
                 "MPI_Allreduce");
    return good != 0;
}

/* Without posix_fallocate a full /dev/shm would end the job with SIGBUS later. */
static bool map_segment(void)
{
    char name[64];
    segment_name(name, sizeof name);
    int file = -1;
    if (segment.rank == 0) {
        file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (file >= 0 && posix_fallocate(file, 0, (off_t)segment.bytes) != 0) {
            close(file);
            shm_unlink(name);
            file = -1;
        }
    }
    bool made = all(segment.rank != 0 || file >= 0);
    if (made && segment.rank != 0)
        file = shm_open(name, O_RDWR, 0);
    void *memory = file >= 0
                       ? mmap(NULL, segment.bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                       : MAP_FAILED;
    if (file >= 0)
        close(file);
    made = all(memory != MAP_FAILED);
    if (segment.rank == 0)
        shm_unlink(name); /* twice does no harm */
    if (memory != MAP_FAILED)
        segment.barrier = memory;
    if (!made)
        measure_lower_bound_close();
    return made;
}

static size_t whole_lines(size_t bytes)
{
    return (bytes + LINE - 1) / LINE * LINE;
}

bool measure_lower_bound_open(const struct measure_case *c)
{
    const size_t P = (size_t)c->world->size, mine = whole_lines(c->send_bytes);
    measure_lower_bound_close();
    segment = (struct lower_bound_segment){.rank = c->world->rank, .size = c->world->size};
    segment.waiter.oversubscribed = c->world->facts->oversubscribed;
    segment.starts = measure_need(calloc(P, sizeof *segment.starts));
    segment.their_displs = measure_need(calloc(P, sizeof *segment.their_displs));
    measure_must(PMPI_Allgather(&mine, sizeof mine, MPI_BYTE, segment.starts, sizeof mine, MPI_BYTE,
                                MPI_COMM_WORLD),
                 "MPI_Allgather");
    measure_must(
        PMPI_Alltoall(c->send_displs, 1, MPI_INT, segment.their_displs, 1, MPI_INT, MPI_COMM_WORLD),
        "MPI_Alltoall");
    for (size_t p = 0; p < P; p++) {
        const size_t bytes = segment.starts[p];
        segment.starts[p] = segment.half;
        segment.half += bytes;
    }
    segment.bytes = sizeof(struct barrier) + 2 * segment.half;
    if (!map_segment())
        return false;
    segment.halves = (char *)(segment.barrier + 1);
    return true;
}

void measure_lower_bound_close(void)
{
    if (segment.barrier)
        munmap(segment.barrier, segment.bytes);
    free(segment.starts);
    free(segment.their_displs);
    memset(&segment, 0, sizeof segment);
}

/* Waits as algorithms in shared memory do, by the same code. */
static void meet(void)
{
    const struct shunt_agreement nothing = {0};
    struct barrier *barrier = segment.barrier;
    const uint32_t number = ++segment.uses;
    if (!segment.waiter.oversubscribed && segment.size <= SHUNT_FLAT_MOST) {
        shunt_flat_arrive(&barrier->places[segment.rank], number, &nothing);
        for (int i = 1; i < segment.size; i++)
            shunt_flat_wait(&barrier->places[(segment.rank + i) % segment.size], number,
                            &segment.waiter, NULL);
        return;
    }
    if (atomic_fetch_add(&barrier->arrived, 1) + 1 < segment.size) {
        shunt_signal_wait(&segment.waiter, &barrier->opened, number);
        return;
    }
    atomic_store(&barrier->arrived, 0);
    shunt_signal_raise(&barrier->opened, number);
}

void measure_lower_bound_call(const struct measure_case *c)
{
    char *half = segment.halves + (segment.uses % 2) * segment.half,
         *mine = half + segment.starts[segment.rank];
    memcpy(mine, c->send, c->send_bytes);
    meet();
    for (int i = 0; i < segment.size; i++) {
        const int p = (segment.rank + i) % segment.size; /* not all ranks from the same one */
        memcpy(c->recv + c->recv_displs[p], half + segment.starts[p] + segment.their_displs[p],
               (size_t)c->recv_counts[p]);
    }
}
