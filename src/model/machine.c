/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c: descriptions that come from no file. */
#include "model/machine.h"

#include <stddef.h>

void shunt_machine_paper(struct shunt_machine *machine)
{
    const struct shunt_link link = {.latency = 6e-6,
                                    .overhead = 4.7e-6,
                                    .byte = 0.73e-9,
                                    .eager = INT64_MAX,
                                    .message_energy = 16.5e-12,
                                    .byte_energy = 8.1e-9};
    *machine = (struct shunt_machine){.name = "hoefler-moor-2014",
                                      .library = "MPICH",
                                      .link = {link, link},
                                      .cards = 1,
                                      .offload = true,
                                      .native_short = 256,
                                      .native_medium = 32768,
                                      .native_ranks = 8,
                                      .native_throttle = 32,
                                      .power = SHUNT_POWER_JOB,
                                      .static_power = 0.5,
                                      .descriptor = 32};
}

const char *shunt_machine_wrong(const struct shunt_machine *machine, const char **key)
{
    const struct shunt_link *link = &machine->link[SHUNT_LEVEL_BETWEEN];
    if (!(link->overhead > 0)) {
        *key = "between.overhead_us";
        return "must be greater than 0";
    }
    return NULL;
}
