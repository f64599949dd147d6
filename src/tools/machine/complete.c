/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.c: see complete.h. */
#include "tools/machine/complete.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Digits of a number that was measured. */
enum { DIGITS = 4, DESCRIPTOR = 32 };

void machine_results_begin(struct machine_results *results, const char *name, const char *library)
{
    struct shunt_machine *machine = &results->machine;
    memset(results, 0, sizeof *results);
    snprintf(machine->name, sizeof machine->name, "%s", name);
    snprintf(machine->library, sizeof machine->library, "%s", library);
    machine->type_long = INT64_MAX;
    machine->cards = 1;
    machine->power = SHUNT_POWER_JOB;
    machine->descriptor = DESCRIPTOR;
}

static void add(struct machine_results *results, const char *group, const char *name,
                const char *unit, double value, const char *note)
{
    char key[MACHINE_KEY_ROOM];
    snprintf(key, sizeof key, "%s.%s", group, name);
    machine_row_add(results, key, unit, value, -1, 0, note);
}

static void copy_link(struct machine_results *results, enum shunt_level from, enum shunt_level to)
{
    struct shunt_machine *machine = &results->machine;
    const char *group = to == SHUNT_LEVEL_INSIDE ? "inside" : "between",
               *note = to == SHUNT_LEVEL_INSIDE ? "not measured: one rank per node; as between"
                                                : "not measured: one node; as inside";
    struct shunt_link *link = &machine->link[to];
    *link = machine->link[from];
    add(results, group, "latency_us", "us", 1e6 * link->latency, note);
    add(results, group, "overhead_us", "us", 1e6 * link->overhead, note);
    add(results, group, "gap_us", "us", 1e6 * link->gap, note);
    add(results, group, "byte_ns", "ns", 1e9 * link->byte, note);
    add(results, group, "eager", "B", link->eager == INT64_MAX ? NAN : (double)link->eager, note);
}

/* In decimal digits: files are decimal. */
static void round_off(double *value)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", DIGITS - 1, *value);
    *value = strtod(text, NULL);
}

static void round_all(struct shunt_machine *machine)
{
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++) {
        struct shunt_link *link = &machine->link[level];
        round_off(&link->latency);
        round_off(&link->overhead);
        round_off(&link->gap);
        round_off(&link->byte);
        round_off(&link->overhead_byte);
    }
    round_off(&machine->copy_block);
    round_off(&machine->copy_byte);
    round_off(&machine->read_block);
    round_off(&machine->read_byte);
    round_off(&machine->type_message);
    round_off(&machine->type_block);
    round_off(&machine->type_byte);
    round_off(&machine->barrier_start);
    round_off(&machine->barrier_rank);
    round_off(&machine->turn);
    round_off(&machine->card_message);
    round_off(&machine->card_byte);
}

void machine_results_complete(struct machine_results *results, int ppn, int nodes)
{
    struct shunt_machine *machine = &results->machine;
    static const char unlimited[] = "not measured: one node; no limit";
    if (ppn < 2) {
        static const char note[] = "not measured: one rank per node; as a message";
        copy_link(results, SHUNT_LEVEL_BETWEEN, SHUNT_LEVEL_INSIDE);
        machine->barrier_start = machine->link[SHUNT_LEVEL_INSIDE].latency;
        machine->barrier_rank = machine->link[SHUNT_LEVEL_INSIDE].overhead;
        add(results, "barrier", "start_us", "us", 1e6 * machine->barrier_start, note);
        add(results, "barrier", "rank_us", "us", 1e6 * machine->barrier_rank, note);
    }
    if (nodes < 2) {
        copy_link(results, SHUNT_LEVEL_INSIDE, SHUNT_LEVEL_BETWEEN);
        add(results, "card", "message_ns", "ns", 0, unlimited);
        add(results, "card", "byte_ns", "ns", 0, unlimited);
    }
    round_all(machine);
}

void machine_results_energy(struct machine_results *results, const struct shunt_machine *from,
                            const char *name)
{
    static const char *const groups[SHUNT_LEVEL_COUNT] = {"inside", "between"};
    struct shunt_machine *machine = &results->machine;
    char note[MACHINE_NOTE_ROOM], of[MACHINE_NOTE_ROOM + 8];
    snprintf(note, sizeof note, "not measured: from %s", name);
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++) {
        struct shunt_link *link = &machine->link[level];
        link->message_energy = from->link[level].message_energy;
        link->byte_energy = from->link[level].byte_energy;
        add(results, groups[level], "message_pj", "pJ", 1e12 * link->message_energy, note);
        add(results, groups[level], "byte_nj", "nJ", 1e9 * link->byte_energy, note);
    }
    machine->power = from->power;
    machine->static_power = from->static_power;
    machine->descriptor = from->descriptor;
    /* What was measured is of one card, which draws what all of the source's draw. */
    if (from->power == SHUNT_POWER_CARD)
        machine->static_power *= from->cards;
    add(results, "energy", "static_w", "W", machine->static_power, note);
    snprintf(of, sizeof of, "%s; %s", from->power == SHUNT_POWER_CARD ? "card" : "job", note);
    add(results, "energy", "per", "", NAN, of);
    machine_row_add(results, "descriptor", "B", (double)machine->descriptor, -1, 0, note);
}
