/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c: descriptions that come from no file. */
#include "model/machine.h"

#include <float.h>
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
                                      .type_long = INT64_MAX,
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

static bool is_loaded(const struct shunt_machine *machine, int nodes)
{
    return nodes > machine->network_nodes;
}

double shunt_machine_latency(const struct shunt_machine *machine, enum shunt_level level, int nodes)
{
    const bool loaded = level == SHUNT_LEVEL_BETWEEN && is_loaded(machine, nodes);
    return machine->link[level].latency + (loaded ? machine->network_latency : 0);
}

double shunt_machine_card_byte(const struct shunt_machine *machine, int nodes)
{
    const double share = is_loaded(machine, nodes) ? machine->network_byte * machine->cards : 0;
    return machine->card_byte > share ? machine->card_byte : share;
}

#define NOT_A_NUMBER "must be a number that is not negative, and finite"

/* A number of the description, with its key in files. */
struct number {
    const char *key;
    double value;
};

/* NULL: all may be meant. Comparisons with what is no number are false. */
static const char *wrong_among(const struct number *number, size_t count, const char **key)
{
    for (size_t i = 0; i < count; i++)
        if (!(number[i].value >= 0 && number[i].value <= DBL_MAX)) {
            *key = number[i].key;
            return NOT_A_NUMBER;
        }
    return NULL;
}

static const char *wrong_links(const struct shunt_machine *machine, const char **key)
{
    const struct shunt_link *in = &machine->link[SHUNT_LEVEL_INSIDE],
                            *out = &machine->link[SHUNT_LEVEL_BETWEEN];
    const struct number numbers[] = {
        {"inside.latency_us", in->latency},
        {"inside.overhead_us", in->overhead},
        {"inside.overhead_byte_ns", in->overhead_byte},
        {"inside.gap_us", in->gap},
        {"inside.byte_ns", in->byte},
        {"inside.message_pj", in->message_energy},
        {"inside.byte_nj", in->byte_energy},
        {"between.latency_us", out->latency},
        {"between.overhead_us", out->overhead},
        {"between.overhead_byte_ns", out->overhead_byte},
        {"between.gap_us", out->gap},
        {"between.byte_ns", out->byte},
        {"between.message_pj", out->message_energy},
        {"between.byte_nj", out->byte_energy},
        {"inside.rendezvous_us", in->rendezvous},
        {"between.rendezvous_us", out->rendezvous},
    };
    const char *wrong = wrong_among(numbers, sizeof numbers / sizeof numbers[0], key);
    if (wrong)
        return wrong;
    if (out->latency > 0 && out->overhead > 0)
        return NULL;
    *key = out->latency > 0 ? "between.overhead_us" : "between.latency_us";
    return "must be greater than 0";
}

static const char *wrong_times(const struct shunt_machine *machine, const char **key)
{
    const struct number numbers[] = {
        {"copy.block_ns", machine->copy_block},
        {"copy.byte_ns", machine->copy_byte},
        {"read.block_ns", machine->read_block},
        {"read.byte_ns", machine->read_byte},
        {"type.message_ns", machine->type_message},
        {"type.block_ns", machine->type_block},
        {"type.byte_ns", machine->type_byte},
        {"barrier.start_us", machine->barrier_start},
        {"barrier.rank_us", machine->barrier_rank},
        {"turn_us", machine->turn},
        {"card.message_ns", machine->card_message},
        {"card.byte_ns", machine->card_byte},
        {"match_ns", machine->match},
        {"network.byte_ns", machine->network_byte},
        {"network.latency_us", machine->network_latency},
        {"energy.static_w", machine->static_power},
    };
    return wrong_among(numbers, sizeof numbers / sizeof numbers[0], key);
}

static const char *wrong_counts(const struct shunt_machine *machine, const char **key)
{
    const struct {
        const char *key;
        int64_t value, least;
    } counts[] = {
        {"inside.eager", machine->link[SHUNT_LEVEL_INSIDE].eager, 0},
        {"between.eager", machine->link[SHUNT_LEVEL_BETWEEN].eager, 0},
        {"type.long", machine->type_long, 0},
        {"processors", machine->processors, 0},
        {"sharing", machine->sharing, 0},
        {"card.count", machine->cards, 1},
        {"network.nodes", machine->network_nodes, 0},
        {"native.short", machine->native_short, 0},
        {"native.medium", machine->native_medium, 0},
        {"native.ranks", machine->native_ranks, 0},
        {"native.throttle", machine->native_throttle, 1},
        {"descriptor", machine->descriptor, 0},
    };
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i].value < counts[i].least) {
            *key = counts[i].key;
            return counts[i].least > 0 ? "must be at least 1" : "must not be negative";
        }
    return NULL;
}

const char *shunt_machine_wrong(const struct shunt_machine *machine, const char **key)
{
    const char *wrong = wrong_links(machine, key);
    wrong = wrong ? wrong : wrong_times(machine, key);
    wrong = wrong ? wrong : wrong_counts(machine, key);
    if (wrong)
        return wrong;
    if (machine->native_medium < machine->native_short) {
        *key = "native.medium";
        return "must not be less than native.short";
    }
    if (machine->power != SHUNT_POWER_JOB && machine->power != SHUNT_POWER_CARD) {
        *key = "energy.per";
        return "must be \"job\" or \"card\"";
    }
    if ((unsigned)machine->native_alltoallv > SHUNT_NATIVE_LINEAR) {
        *key = "native.alltoallv";
        return "must be \"scattered\", \"pairwise\" or \"linear\"";
    }
    return NULL;
}
