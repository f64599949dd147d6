/* SPDX-License-Identifier: BSD-3-Clause */
/* plausible.c: see plausible.h. */
#include "model/plausible.h"

#include <stdio.h>

/* Seconds; per byte where the name says so. */
struct kind {
    const char *name;
    struct {
        double latency, overhead, overhead_byte, byte;
    } inside, between;
    double copy_block, copy_byte, read_block;
    double barrier_start, barrier_rank, turn;
};

/* Copies are of blocks that caches hold, as those of calls that repeat mostly are; messages inside
 * a node are copied by both ends. */
static const struct kind kinds[SHUNT_PLAUSIBLE_COUNT] = {
    /* Messages as in conf/machines/polaris-like.cfg, which has its sources. */
    {.name = "fast",
     .inside = {2e-7, 1.5e-7, 5e-11, 5e-11},
     .between = {1.2e-6, 4e-7, 0, 4e-11},
     .copy_block = 1e-8,
     .copy_byte = 3e-11,
     .read_block = 5e-7,
     .barrier_start = 4e-7,
     .barrier_rank = 3e-8,
     .turn = 2e-6},
    /* Cores half as fast, a network of 100 Gbit/s: assumed. */
    {.name = "common",
     .inside = {4e-7, 5e-7, 1e-10, 1e-10},
     .between = {2e-6, 8e-7, 5e-11, 8e-11},
     .copy_block = 4e-8,
     .copy_byte = 6e-11,
     .read_block = 1.2e-6,
     .barrier_start = 8e-7,
     .barrier_rank = 6e-8,
     .turn = 3e-6},
    /* Virtual machines and TCP, of the size of what "shunt machine" has found on one: 1.3 us and
     * 0.2 ns of a processor for a message inside a node, 9 us for one over TCP. */
    {.name = "slow",
     .inside = {6e-7, 1.3e-6, 2e-10, 2e-10},
     .between = {2.5e-5, 9e-6, 6e-10, 1e-9},
     .copy_block = 1e-7,
     .copy_byte = 1.1e-10,
     .read_block = 3e-6,
     .barrier_start = 1.5e-6,
     .barrier_rank = 1e-7,
     .turn = 4e-6},
};

void shunt_plausible(struct shunt_machine *machine, int which, int processors)
{
    const struct kind *kind = &kinds[which];
    struct shunt_link *inside = &machine->link[SHUNT_LEVEL_INSIDE],
                      *between = &machine->link[SHUNT_LEVEL_BETWEEN];
    shunt_machine_paper(machine);
    snprintf(machine->name, sizeof machine->name, "%s", kind->name);
    *inside = (struct shunt_link){.latency = kind->inside.latency,
                                  .overhead = kind->inside.overhead,
                                  .overhead_byte = kind->inside.overhead_byte,
                                  .byte = kind->inside.byte,
                                  .eager = 8192};
    *between = (struct shunt_link){.latency = kind->between.latency,
                                   .overhead = kind->between.overhead,
                                   .overhead_byte = kind->between.overhead_byte,
                                   .gap = kind->between.overhead,
                                   .byte = kind->between.byte,
                                   .eager = 16384};
    machine->copy_block = kind->copy_block;
    machine->copy_byte = kind->copy_byte;
    machine->read_block = kind->read_block;
    machine->read_byte = kind->copy_byte;
    machine->barrier_start = kind->barrier_start;
    machine->barrier_rank = kind->barrier_rank;
    machine->turn = kind->turn;
    machine->processors = processors;
    machine->offload = false;
    machine->static_power = 0;
}
