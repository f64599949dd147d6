/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * traced FILE LIST: for each line of LIST (SHUNT_TEST_COMMUNICATORS), which has besides settings
 *
 *     NAME OPERATIONS=OPERATION[,OPERATION] RANKS=RANKS[,RANKS]... BYTES=BYTES[,BYTES]...
 *
 * what every rank does in calls of these operations by the first RANKS ranks, with blocks of BYTES
 * bytes, each after some like it, goes to FILE.NAME.rank, by the library that keeps a trace
 * (trace.c). Every byte is checked. Blocks of MPI_Alltoallv do not lie side by side. A line that
 * takes two minutes ends the program.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exchange.h"
#include "trace.h"

enum { CALLS_BEFORE = 3, GAP = 5, LINE_SECONDS = 120 };

static __typeof__(&shunt_trace_begin) begin;
static __typeof__(&shunt_trace_print) print;
static FILE *file;

struct setting {
    MPI_Comm comm;
    int me, ranks, block, call;
    int equal; /* MPI_Alltoall */
    char *from, *to;
    int *counts, *places;
};

/* The bytes that `from` has for `to`. */
static char byte_of(const struct setting *s, int from, int to, int i)
{
    return (char)(from * 31 + to * 17 + s->call * 7 + i);
}

static size_t step_of(const struct setting *s)
{
    return (size_t)s->block + (s->equal ? 0 : GAP);
}

static void fill(const struct setting *s)
{
    for (int p = 0; p < s->ranks; p++) {
        const size_t place = (size_t)p * step_of(s);
        s->counts[p] = s->block;
        s->places[p] = (int)place;
        memset(s->to + place, 'x', step_of(s));
        for (int i = 0; i < s->block; i++)
            s->from[place + (size_t)i] = byte_of(s, s->me, p, i);
    }
}

static void check(const struct setting *s)
{
    for (int p = 0; p < s->ranks; p++)
        for (int i = 0; i < (int)step_of(s); i++)
            EXCHANGE_REQUIRE(s->to[(size_t)p * step_of(s) + (size_t)i] ==
                                 (i < s->block ? byte_of(s, p, s->me, i) : 'x'),
                             "block %d, call %d: byte %d from rank %d is wrong", s->block, s->call,
                             i, p);
}

static void exchange(const struct setting *s)
{
    if (s->equal)
        MPI_Alltoall(s->from, s->block, MPI_BYTE, s->to, s->block, MPI_BYTE, s->comm);
    else
        MPI_Alltoallv(s->from, s->counts, s->places, MPI_BYTE, s->to, s->counts, s->places,
                      MPI_BYTE, s->comm);
}

static void run(struct setting *s)
{
    char call[96];

    snprintf(call, sizeof call,
             "%s of %d ranks, %d bytes, rank %d: ", s->equal ? "alltoall" : "alltoallv", s->ranks,
             s->block, s->me);
    for (s->call = 0; s->call <= CALLS_BEFORE; s->call++) {
        fill(s);
        if (s->call == CALLS_BEFORE)
            begin();
        exchange(s);
        if (s->call == CALLS_BEFORE)
            print(file, call);
        check(s);
    }
}

/* Behind the comma of a list that ends with its word; NULL: there is none. */
static const char *next(const char *at)
{
    at += strcspn(at, ", \n");
    return *at == ',' ? at + 1 : NULL;
}

/* All sizes, ascending, each with all operations: what one call makes, no later one makes anew. */
static void run_all(struct setting *s, const char *operations, const char *sizes)
{
    for (; sizes; sizes = next(sizes)) {
        s->block = atoi(sizes);
        const size_t bytes = (size_t)s->ranks * ((size_t)s->block + GAP);
        s->from = calloc(bytes, 1);
        s->to = calloc(bytes, 1);
        s->counts = calloc((size_t)s->ranks, sizeof *s->counts);
        s->places = calloc((size_t)s->ranks, sizeof *s->places);
        EXCHANGE_REQUIRE(s->from && s->to && s->counts && s->places, "no memory");
        for (s->equal = 1; s->equal >= 0; s->equal--)
            if (s->equal == (strncmp(operations, "alltoallv", 9) != 0) ||
                strncmp(operations, "alltoall,", 9) == 0)
                run(s);
        free(s->from);
        free(s->to);
        free(s->counts);
        free(s->places);
    }
}

/* The back end, which libshunt.so has opened for itself. */
static int visit(struct dl_phdr_info *info, size_t size, void *back_end)
{
    (void)size;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "/traced-library/shunt-"))
        return 0;
    *(void **)back_end = dlopen(info->dlpi_name, RTLD_NOLOAD | RTLD_LAZY);
    return 1;
}

static const char *value(const char *line, const char *name)
{
    const char *at = strstr(line, name);

    EXCHANGE_REQUIRE(at, "%s is not in %s", name, line);
    return at + strlen(name);
}

static void run_line(const char *path, char *line, int me)
{
    char name[512];
    const int length = (int)strcspn(line, " ");

    snprintf(name, sizeof name, "%s.%.*s.%d", path, length, line, me);
    file = fopen(name, "w");
    EXCHANGE_REQUIRE(file, "cannot write %s", name);
    snprintf(name, sizeof name, "%.*s", length, line);
    for (const char *at = value(line, " RANKS="); at; at = next(at)) {
        struct setting setting = {.me = me, .ranks = atoi(at)};

        MPI_Comm_split(MPI_COMM_WORLD, me < setting.ranks ? 0 : MPI_UNDEFINED, me, &setting.comm);
        if (setting.comm == MPI_COMM_NULL)
            continue;
        MPI_Comm_set_name(setting.comm, name);
        run_all(&setting, value(line, " OPERATIONS="), value(line, " BYTES="));
        MPI_Comm_free(&setting.comm);
    }
    EXCHANGE_REQUIRE(fclose(file) == 0, "the trace of %s cannot be written", name);
}

int main(int argc, char **argv)
{
    char line[512];
    void *back_end = NULL;
    FILE *list;
    int me;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    EXCHANGE_REQUIRE(argc == 3, "usage: traced FILE LIST");
    dl_iterate_phdr(visit, &back_end);
    if (back_end) {
        *(void **)&begin = dlsym(back_end, "shunt_trace_begin");
        *(void **)&print = dlsym(back_end, "shunt_trace_print");
    }
    EXCHANGE_REQUIRE(begin && print, "not under the library that keeps a trace");
    list = fopen(argv[2], "r");
    EXCHANGE_REQUIRE(list, "cannot read %s", argv[2]);
    while (fgets(line, sizeof line, list)) {
        alarm(LINE_SECONDS);
        run_line(argv[1], line, me);
    }
    fclose(list);
    MPI_Finalize();
    return 0;
}
