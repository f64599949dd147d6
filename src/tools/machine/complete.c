/* SPDX-License-Identifier: BSD-3-Clause */
/* complete.c: from what was measured to a whole description. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/machine/results.h"

/* Digits of a number that was measured. */
enum { DIGITS = 4 };

/* Rows of keys that were not measured. */
static void add(struct machine_results *results, const char *group, const char *const *names,
                const char *note)
{
    char key[MACHINE_KEY_ROOM];
    for (; *names; names++) {
        snprintf(key, sizeof key, "%s.%s", group, *names);
        machine_row_add(results, key, -1, 0, note);
    }
}

static void copy_link(struct machine_results *results, enum shunt_level from, enum shunt_level to)
{
    static const char *const names[] = {"latency_us", "overhead_us", "gap_us",
                                        "byte_ns",    "eager",       NULL};
    const bool inside = to == SHUNT_LEVEL_INSIDE;
    results->machine.link[to] = results->machine.link[from];
    add(results, inside ? "inside" : "between", names,
        inside ? "not measured: one rank per node; as between"
               : "not measured: one node; as inside");
}

/* In decimal digits: files are decimal. */
static void round_off(double *value)
{
    char text[64];
    snprintf(text, sizeof text, "%.*e", DIGITS - 1, *value);
    *value = strtod(text, NULL);
}

void machine_results_complete(struct machine_results *results, int ppn, int nodes)
{
    static const char *const barrier[] = {"start_us", "rank_us", NULL}, *const card[] = {
                                                                            "message_ns", "byte_ns",
                                                                            NULL};
    static const char *const network[] = {"latency_us", "byte_ns", NULL};
    struct shunt_machine *machine = &results->machine;
    const struct shunt_machine_key *key;
    if (ppn < 2) {
        copy_link(results, SHUNT_LEVEL_BETWEEN, SHUNT_LEVEL_INSIDE);
        machine->barrier_start = machine->link[SHUNT_LEVEL_INSIDE].latency;
        machine->barrier_rank = machine->link[SHUNT_LEVEL_INSIDE].overhead;
        add(results, "barrier", barrier, "not measured: one rank per node; as a message");
    }
    if (nodes < 2) {
        copy_link(results, SHUNT_LEVEL_INSIDE, SHUNT_LEVEL_BETWEEN);
        add(results, "card", card, "not measured: one node; no limit");
    }
    add(results, "network", network, "not measured: it takes many nodes, all of them sending");
    for (size_t i = 0; (key = shunt_machine_key(i)); i++)
        if (key->kind == SHUNT_MACHINE_REAL)
            round_off(shunt_machine_value(machine, key));
}

void machine_results_energy(struct machine_results *results, const struct shunt_machine *from,
                            const char *name)
{
    static const char *const energies[] = {"message_pj", "byte_nj", NULL};
    struct shunt_machine *machine = &results->machine;
    char note[MACHINE_NOTE_ROOM], of[MACHINE_NOTE_ROOM + 8];
    snprintf(note, sizeof note, "not measured: from %s", name);
    for (int level = 0; level < SHUNT_LEVEL_COUNT; level++) {
        machine->link[level].message_energy = from->link[level].message_energy;
        machine->link[level].byte_energy = from->link[level].byte_energy;
        add(results, level == SHUNT_LEVEL_INSIDE ? "inside" : "between", energies, note);
    }
    machine->power = from->power;
    machine->static_power = from->static_power;
    machine->descriptor = from->descriptor;
    /* What was measured is of one card, which draws what all of the source's draw. */
    if (from->power == SHUNT_POWER_CARD)
        machine->static_power *= from->cards;
    snprintf(of, sizeof of, "%s; %s", shunt_machine_word_of(from, machine_key_find("energy.per")),
             note);
    machine_row_add(results, "energy.static_w", -1, 0, note);
    machine_row_add(results, "energy.per", -1, 0, of);
    machine_row_add(results, "descriptor", -1, 0, note);
}
