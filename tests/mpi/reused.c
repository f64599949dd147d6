/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * reused: many communicators of changing members that see few calls each, are freed in the way
 * that is asked for, and whose handles come back as others', on each rank as others'.
 * usage: reused WAY ROUNDS [SEED]
 *   free, pfree, disconnect, pdisconnect   by that function
 *   any          by one of the four, which every round draws
 *   handler      a call that the library rejects on one rank lets its error handler free it there;
 *                the others free it afterwards
 *   again        by MPI_Comm_free, which stubborn.so lets fail at first: then they are used on
 *   callback     by MPI_Comm_free, whose delete callbacks use some of them once more
 *   rejected     another program: one rank's first call is rejected, before anything is set up
 *   tired        another: a delete callback uses communicators that have seen 40 to 220 calls
 *   partly       another: some ranks have a team when those of all begin, the others have none
 *   threads      free, while another thread of each rank does the same with its own communicators
 */
#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS = 64, KEPT = 40, SELVES = 5, LARGE = 40000, MANY = 60, SHORT = 14 };

static int world_rank, world_size;
static _Thread_local uint64_t state;
static const char *way;
static bool any_way;
static _Atomic int wrong, returned;

/* The same on all ranks of a seed. */
static unsigned draw(unsigned below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(state >> 33) % below;
}

static int give_back(MPI_Comm *comm)
{
    if (strcmp(way, "pfree") == 0)
        return PMPI_Comm_free(comm);
    if (strcmp(way, "disconnect") == 0)
        return MPI_Comm_disconnect(comm);
    if (strcmp(way, "pdisconnect") == 0)
        return PMPI_Comm_disconnect(comm);
    return MPI_Comm_free(comm);
}

static bool all_are(const unsigned char *bytes, int value, int count)
{
    return bytes[0] == value && memcmp(bytes, bytes + 1, (size_t)count - 1) == 0;
}

static void uniform(MPI_Comm comm, int call, int block)
{
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    unsigned char *send = malloc((size_t)size * (size_t)block),
                  *recv = malloc((size_t)size * (size_t)block);
    for (int p = 0; p < size; p++)
        memset(send + (size_t)p * (size_t)block, (call + 7 * rank + 31 * p) & 0xff, (size_t)block);
    memset(recv, 0x5a, (size_t)size * (size_t)block);
    int bad = MPI_Alltoall(send, block, MPI_BYTE, recv, block, MPI_BYTE, comm) != MPI_SUCCESS;
    for (int p = 0; p < size; p++)
        bad += !all_are(recv + (size_t)p * (size_t)block, (call + 7 * p + 31 * rank) & 0xff, block);
    if (bad > 0) /* an atomic variable, so not for each block */
        wrong += bad;
    free(send);
    free(recv);
}

static void listed(MPI_Comm comm, int call)
{
    int rank, size, counts[RANKS], places[RANKS], send[RANKS], recv[RANKS];
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    for (int p = 0; p < size; p++) {
        counts[p] = 1;
        places[p] = p;
        send[p] = call + 1000 * rank + 100000 * p;
        recv[p] = -1;
    }
    wrong += MPI_Alltoallv(send, counts, places, MPI_INT, recv, counts, places, MPI_INT, comm) !=
             MPI_SUCCESS;
    for (int p = 0; p < size; p++)
        wrong += recv[p] != call + 1000 * p + 100000 * rank;
}

static void use(MPI_Comm comm, int calls, int kind)
{
    for (int call = 0; call < calls; call++) {
        if (kind == 0 || (kind == 2 && call % 3 == 0))
            listed(comm, call);
        else
            uniform(comm, call, kind == 3 && call % 4 == 1 ? LARGE : 1 + call % 9);
    }
}

/* On this rank alone, so that handles differ. */
static void use_selves(int round)
{
    MPI_Comm self[SELVES];
    const int count = (world_rank * 7 + round) % SELVES;
    for (int i = 0; i < count; i++) {
        MPI_Comm_dup(MPI_COMM_SELF, &self[i]);
        use(self[i], 1 + (world_rank + i) % 4, 0);
    }
    for (int i = 0; i < count; i++)
        while (give_back(&self[i]) != MPI_SUCCESS) {
        }
}

static void free_within(MPI_Comm *comm, int *code, ...)
{
    MPI_Comm freed = *comm;
    (void)code;
    returned += MPI_Comm_free(&freed) == MPI_SUCCESS;
}

/* The first rank's call is rejected, and that ends the communicator there. */
static void free_by_handler(MPI_Comm *comm)
{
    int rank;
    const int before = returned;
    MPI_Comm_rank(*comm, &rank);
    if (rank != 0) {
        MPI_Comm_free(comm);
        return;
    }
    MPI_Errhandler handler;
    char byte[2] = {0};
    MPI_Comm_create_errhandler(free_within, &handler);
    MPI_Comm_set_errhandler(*comm, handler);
    MPI_Errhandler_free(&handler);
    wrong += MPI_Alltoall(byte, -1, MPI_BYTE, byte + 1, 1, MPI_BYTE, *comm) == MPI_SUCCESS;
    wrong += returned != before + 1;
    *comm = MPI_COMM_NULL;
}

static void end(MPI_Comm *comm)
{
    if (*comm == MPI_COMM_NULL)
        return;
    if (strcmp(way, "handler") == 0) {
        free_by_handler(comm);
        return;
    }
    while (give_back(comm) != MPI_SUCCESS) { /* on all ranks alike, by stubborn.c */
        use(*comm, 3, 0);
        MPI_Comm_set_name(*comm, "again");
    }
}

/* Some communicators are used by a callback while they are freed. */
static int last_use(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)key;
    (void)value;
    (void)extra;
    use(comm, SHORT, 0);
    return MPI_SUCCESS;
}

static void use_at_end(MPI_Comm comm)
{
    static int key = MPI_KEYVAL_INVALID;
    if (strcmp(way, "callback") != 0 && strcmp(way, "tired") != 0)
        return;
    if (key == MPI_KEYVAL_INVALID)
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, last_use, &key, NULL);
    MPI_Comm_set_attr(comm, key, NULL);
}

static void go(MPI_Comm within, int rounds, bool alone)
{
    static const char *const ways[] = {"free", "pfree", "disconnect", "pdisconnect"};
    MPI_Comm kept[KEPT];
    for (int i = 0; i < KEPT; i++)
        kept[i] = MPI_COMM_NULL;
    for (int round = 0; round < rounds; round++) {
        const int place = (int)draw(KEPT), kind = (int)draw(4), colours = 1 + (int)draw(3),
                  calls = (int)draw(SHORT), more = draw(20) == 0 ? MANY * 5 : (int)draw(SHORT);
        if (any_way)
            way = ways[draw(4)];
        end(&kept[place]);
        if (alone)
            use_selves(round);
        MPI_Comm_split(within, (int)((unsigned)world_rank * (draw(3) + 1)) % colours,
                       draw(2) ? world_rank : -world_rank, &kept[place]);
        use(kept[place], 1 + calls, kind);
        if (draw(2)) /* attributes end in turn, the last one first */
            use_at_end(kept[place]);
        const int other = (int)draw(KEPT);
        if (kept[other] != MPI_COMM_NULL)
            use(kept[other], more, kind);
    }
    for (int i = 0; i < KEPT; i++)
        end(&kept[i]);
}

static void rejected(MPI_Comm comm)
{
    enum { WORLD = 600, CALLS = 200 };
    const int none[RANKS] = {0}, bad[RANKS] = {-1, -1};
    char byte[2] = {0};
    if (world_rank == 1)
        wrong += MPI_Alltoallv(byte, bad, none, MPI_BYTE, byte + 1, bad, none, MPI_BYTE, comm) ==
                 MPI_SUCCESS;
    use(comm, 1, 0);
    use(MPI_COMM_WORLD, WORLD, 0);
    use(comm, CALLS, 0);
}

/*
 * Blocks of many sizes, and at some call, before anything is set up, one that this rank alone makes
 * wrongly. There all may know each other from then on, after which set-up comes earlier.
 */
static void weighed(MPI_Comm comm)
{
    enum { COMMS = 50, CALLS = 150, WORLD = 600, SIZES = 6, BEFORE = 110, AFTER = 45 };
    static const int sizes[SIZES] = {3, 20000, 9000, 70000, 1, 33000};
    const int none[RANKS] = {0}, bad[RANKS] = {-1, -1};
    char byte[2] = {0};
    const int met = (int)draw(COMMS);
    for (int which = 0; which < COMMS; which++) {
        const int at = (int)draw((unsigned)((which <= met ? BEFORE : AFTER) / world_size));
        MPI_Comm copy;
        MPI_Comm_dup(comm, &copy);
        for (int call = 0; call < CALLS; call++) {
            if (call == at && world_rank == 1)
                wrong += which % 2 ? MPI_Alltoall(byte, -1, MPI_BYTE, byte + 1, 1, MPI_BYTE,
                                                  copy) == MPI_SUCCESS
                                   : MPI_Alltoallv(byte, bad, none, MPI_BYTE, byte + 1, bad, none,
                                                   MPI_BYTE, copy) == MPI_SUCCESS;
            if (call == at && which == met)
                use(MPI_COMM_WORLD, WORLD, 0);
            if (which % 4 == 0 || call % 4 == 0)
                listed(copy, call);
            else
                uniform(copy, call, which % 4 == 1 ? 33000 : sizes[(which * 5 + call * 7) % SIZES]);
        }
        while (give_back(&copy) != MPI_SUCCESS) {
        }
    }
}

static void tired(MPI_Comm comm)
{
    enum { LEAST = 40, MOST = 220, STEP = 3 };
    for (int calls = LEAST; calls < MOST; calls += STEP) {
        MPI_Comm copy;
        MPI_Comm_dup(comm, &copy);
        use(copy, 1, 0);
        use_at_end(copy);
        use(copy, calls, 0);
        MPI_Comm_free(&copy);
    }
}

/* In turn: few calls before those of the others, and enough for what comes after them. */
static void partly(MPI_Comm comm)
{
    enum { COMMS = 12, LONG = 2500, STEPS = 3 };
    static const int calls[STEPS] = {9, 30, 400};
    MPI_Comm part, all[COMMS];
    MPI_Comm_split(comm, world_rank < world_size / 2, world_rank, &part);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_dup(comm, &all[i]);
    for (int step = 0; step < STEPS; step++) {
        if (step == 1 && world_rank < world_size / 2)
            use(part, LONG, 0);
        for (int i = 0; i < COMMS; i++)
            use(all[i], calls[step], i % 4);
    }
    MPI_Comm_free(&part);
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_free(&all[i]);
}

struct job {
    MPI_Comm within;
    int rounds;
    uint64_t seed;
};

static void *beside(void *what)
{
    const struct job *job = what;
    state = job->seed;
    go(job->within, job->rounds, false);
    return NULL;
}

int main(int argc, char **argv)
{
    if (argc < 3)
        return 2;
    way = argv[1];
    any_way = strcmp(way, "any") == 0;
    const bool threads = strcmp(way, "threads") == 0;
    const int rounds = (int)strtol(argv[2], NULL, 10);
    const uint64_t seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    int level, all = 0, mine;
    MPI_Init_thread(&argc, &argv, threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &world_size);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    MPI_Comm first, second;
    MPI_Comm_dup(MPI_COMM_WORLD, &first);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    MPI_Comm_set_errhandler(first, MPI_ERRORS_RETURN);
    struct job job = {second, rounds, seed + 99};
    pthread_t thread;
    if (threads)
        pthread_create(&thread, NULL, beside, &job);
    state = seed;
    if (strcmp(way, "rejected") == 0)
        rejected(first);
    else if (strcmp(way, "partly") == 0)
        partly(first);
    else if (strcmp(way, "tired") == 0)
        tired(first);
    else if (strcmp(way, "weighed") == 0)
        weighed(first);
    else
        go(first, rounds, true);
    if (threads)
        pthread_join(thread, NULL);
    MPI_Comm_set_name(first, "again");
    MPI_Comm_free(&first);
    MPI_Comm_set_name(second, "again");
    MPI_Comm_free(&second);
    mine = wrong;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (world_rank == 0)
        printf("%s: %d wrong\n", all ? "FAIL" : "PASS", all);
    MPI_Finalize();
    return all != 0;
}
