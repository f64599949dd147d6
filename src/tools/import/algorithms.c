/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * algorithms.c: names of algorithms in MPICH (src/mpi/coll) and Open MPI (ompi/mca/coll/tuned), and
 * what is nearest here: the same messages in the same order. What rotates blocks in memory there
 * does not here.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/import/import.h"

enum number { NONE, RADIX, BATCH };

static const struct counterpart {
    const char *name, *ours; /* ours: NULL: native, for the reason */
    enum number number;      /* what the number of the file is, where there is one */
    int64_t usual;           /* without one */
    const char *reason;
} counterparts[] = {
    {"MPIR_Alltoall_intra_brucks", "bruck", RADIX, 2, NULL},
    {"MPIR_Alltoall_intra_k_brucks", "bruck", RADIX, 2, NULL},
    {"MPIR_Alltoall_intra_pairwise", "pairwise", NONE, 0, NULL},
    {"MPIR_Alltoall_intra_scattered", "scattered", BATCH, 32, NULL},
    {"MPIR_Alltoallv_intra_scattered", "scattered", BATCH, 32, NULL},
    {"MPIR_Alltoall_intra_pairwise_sendrecv_replace", NULL, NONE, 0, "it is for calls in place"},
    {"MPIR_Alltoallv_intra_pairwise_sendrecv_replace", NULL, NONE, 0, "it is for calls in place"},
    {"MPIR_Alltoall_allcomm_nb", NULL, NONE, 0,
     "another part of the file decides what it does: that of ialltoall"},
    {"MPIR_Alltoallv_allcomm_nb", NULL, NONE, 0,
     "another part of the file decides what it does: that of ialltoallv"},
    {"linear", "linear", NONE, 0, NULL},
    {"basic_linear", "linear", NONE, 0, NULL},
    {"pairwise", "pairwise", NONE, 0, NULL},
    {"modified_bruck", "bruck", RADIX, 2, NULL},
    {"linear_sync", "scattered", BATCH, 0, NULL},
    {"two_proc", "pairwise", NONE, 0, NULL},
};

static struct shunt_import_rule *add(struct shunt_import *import,
                                     const struct shunt_import_where *where, int line)
{
    if (import->count == import->capacity) {
        const size_t capacity = import->capacity > 0 ? 2 * import->capacity : 64;
        struct shunt_import_rule *grown = realloc(import->rule, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        import->rule = grown;
        import->capacity = capacity;
    }
    struct shunt_import_rule *rule = &import->rule[import->count++];
    *rule = (struct shunt_import_rule){
        .where = *where, .line = line, .algorithm = shunt_registry_row(0)};
    return rule;
}

bool shunt_import_add_native(struct shunt_import *import, const struct shunt_import_where *where,
                             int line, const char *note)
{
    struct shunt_import_rule *rule = add(import, where, line);
    if (!rule)
        return false;
    snprintf(rule->note, sizeof rule->note, "%s", note ? note : "");
    if (note)
        shunt_import_note(import, line, "%s", note);
    return true;
}

static const struct counterpart *find(const char *name)
{
    for (size_t i = 0; i < sizeof counterparts / sizeof counterparts[0]; i++)
        if (strcmp(counterparts[i].name, name) == 0)
            return &counterparts[i];
    return NULL;
}

static const struct shunt_algorithm *row_of(const char *name, enum shunt_op op)
{
    for (int i = 0; shunt_registry_row(i); i++)
        if (strcmp(shunt_registry_row(i)->name, name) == 0)
            return (shunt_registry_row(i)->ops & (1U << op)) != 0 ? shunt_registry_row(i) : NULL;
    return NULL;
}

static const char *reason_of(const char *name, const struct counterpart *counterpart)
{
    if (counterpart && counterpart->reason)
        return counterpart->reason;
    if (strncmp(name, "composition", strlen("composition")) == 0 || strstr(name, "_composition_"))
        return "a composition of CH4 hands the call on: what it does is in the file of "
               "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE";
    return "nothing here has its messages";
}

bool shunt_import_add(struct shunt_import *import, const struct shunt_import_where *where, int line,
                      const char *name, int64_t number)
{
    const struct counterpart *counterpart = find(name);
    const struct shunt_algorithm *row =
        counterpart && counterpart->ours ? row_of(counterpart->ours, where->op) : NULL;
    struct shunt_import_rule *rule = add(import, where, line);
    if (!rule)
        return false;
    snprintf(rule->name, sizeof rule->name, "%s", name);
    if (!row) {
        snprintf(rule->note, sizeof rule->note,
                 "%.90s has no counterpart, so these calls stay "
                 "native: %s",
                 name, reason_of(name, counterpart));
        shunt_import_note(import, line, "%s", rule->note);
        return true;
    }
    rule->algorithm = row;
    rule->value = number > 0 ? number : counterpart->usual;
    if (counterpart->number == NONE)
        rule->value = 0;
    rule->param = counterpart->number == RADIX ? SHUNT_PARAM_RADIX : SHUNT_PARAM_BATCH_SIZE;
    /* No number of requests: all of them at once. */
    if (counterpart->number == BATCH && rule->value == 0)
        rule->algorithm = row_of("spread-out", where->op);
    return true;
}
