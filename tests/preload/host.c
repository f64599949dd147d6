/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * host.c: a program without MPI that opens a plugin with MPI, as interpreters do.
 *
 * "host PLUGIN inside" lets the plugin exchange; "host PLUGIN jump" exchanges through the plugin's
 * function that jumps to MPI_Alltoallv, so that this program, from which MPI cannot be found, seems
 * to be the caller.
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

enum { ROUNDS = 6, COUNT = 3 };

static void *plugin;

static void find(const char *name, void *function)
{
    void *symbol = dlsym(plugin, name);
    if (!symbol) {
        fprintf(stderr, "host: %s\n", dlerror());
        exit(2);
    }
    memcpy(function, &symbol, sizeof(symbol));
}

static int inside(void)
{
    plugin_run_function *run;
    int ranks = 0;
    long wrong = 0;
    find("plugin_run", &run);
    if (run(&ranks, &wrong) != 0)
        return 2;
    printf("host: wrong %ld\n", wrong);
    return wrong != 0;
}

static int value_of(int from, int to, int round)
{
    return from * 10007 + to * 101 + round;
}

static long one_round(const struct plugin_world *world, plugin_exchange_function *exchange,
                      int round, int *memory)
{
    const int ranks = world->ranks;
    int *counts = memory, *at = counts + ranks, *out = at + ranks,
        *in = out + (ptrdiff_t)COUNT * ranks;
    long wrong = 0;
    for (int i = 0; i < COUNT * ranks; i++) {
        counts[i / COUNT] = COUNT;
        at[i / COUNT] = i / COUNT * COUNT;
        out[i] = value_of(world->rank, i / COUNT, round);
        in[i] = -1;
    }
    if (exchange(out, counts, at, world->int_type, in, counts, at, world->int_type,
                 world->communicator) != 0)
        return 1;
    for (int i = 0; i < COUNT * ranks; i++)
        wrong += in[i] != value_of(i / COUNT, world->rank, round);
    return wrong;
}

static int jump(void)
{
    plugin_start_function *start;
    plugin_stop_function *stop;
    plugin_exchange_function *exchange;
    struct plugin_world world;
    long wrong = 0;
    find("plugin_start", &start);
    find("plugin_stop", &stop);
    find("plugin_exchange", &exchange);
    if (start(&world) != 0)
        return 2;
    int *memory = calloc((size_t)world.ranks * (2 + 2 * COUNT), sizeof(int));
    for (int round = 0; memory && round < ROUNDS; round++)
        wrong += one_round(&world, exchange, round, memory);
    printf("host: wrong %ld\n", memory ? wrong : 1);
    free(memory);
    return stop() != 0 ? 2 : wrong != 0;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
        fprintf(stderr, "host: %s\n", dlerror());
        return 2;
    }
    return strcmp(argv[2], "jump") == 0 ? jump() : inside();
}
