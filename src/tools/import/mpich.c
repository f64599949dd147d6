/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpich.c: MPICH's files of selections (MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE, and that of
 * CH4): objects whose keys are conditions, with objects of further conditions, down to an
 * algorithm.
 *
 * Of the members of an object the first whose condition holds counts, and there is no way back: if
 * nothing within it holds, there is no selection. So a branch that may select nothing ends with a
 * native rule. Where a condition says what Shunt cannot tell, the calls of this member cannot be
 * told from those of the later ones, and all of them stay native.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/common/shape.h"
#include "tools/import/import.h"

enum verdict {
    NARROWED, /* the condition is part of `where` now */
    ALL,      /* it holds always */
    NEVER,    /* no call that Shunt routes, or none that is left */
    UNKNOWN,  /* Shunt cannot tell */
    WRONG     /* MPICH does not know it */
};

/* Words that are conditions as a whole. */
static const struct {
    const char *key;
    enum verdict verdict;
} words[] = {
    {"comm_type=intra", ALL},
    {"comm_type=inter", NEVER},
    {"is_sendbuf_inplace=no", ALL},
    {"comm_hierarchy=node", NEVER},
    {"comm_hierarchy=node_roots", NEVER},
    {"is_multi_threaded=yes", UNKNOWN},
    {"is_multi_threaded=no", UNKNOWN},
    {"is_node_consecutive=yes", UNKNOWN},
    {"is_node_consecutive=no", UNKNOWN},
    {"is_commutative=yes", UNKNOWN},
    {"is_commutative=no", UNKNOWN},
    {"is_op_built_in=yes", UNKNOWN},
    {"is_op_built_in=no", UNKNOWN},
    {"is_block_regular=yes", UNKNOWN},
    {"is_block_regular=no", UNKNOWN},
    {"count<pow2", UNKNOWN},
};

/* Names before "<=" or "<" and a number. */
static const char *const names[] = {"comm_size",         "comm_avg_ppn",   "avg_msg_size",
                                    "per_proc_msg_size", "total_msg_size", "count",
                                    "comm_type",         "comm_hierarchy", "is_sendbuf_inplace",
                                    "is_multi_threaded", "collective",     "is_node_consecutive",
                                    "is_block_regular",  "is_commutative", "is_op_built_in"};
enum { NAMES = sizeof names / sizeof names[0] };

struct walk {
    struct shunt_import *import;
    bool broken; /* memory is short */
};

static bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), other = strlen(end);
    return length >= other && strcmp(text + length - other, end) == 0;
}

/* "comm_size<=8": the most that the condition allows. */
static bool read_bound(const char *key, const char *name, int64_t *most)
{
    const size_t length = strlen(name);
    if (strncmp(key, name, length) != 0 || key[length] != '<')
        return false;
    const bool equal = key[length + 1] == '=';
    char *end;
    const char *digits = key + length + 1 + equal;
    if (*digits < '0' || *digits > '9' || strlen(digits) > 18)
        return false;
    *most = strtoll(digits, &end, 10) - !equal;
    return *end == '\0';
}

static enum verdict narrowed(struct shunt_range *range, int64_t low, int64_t high)
{
    return shunt_import_narrow(range, low, high) ? NARROWED : NEVER;
}

static enum verdict judge_size(const struct walk *walk, const char *key, int line,
                               struct shunt_import_where *where)
{
    int64_t most;
    if (read_bound(key, "comm_size", &most))
        return narrowed(&where->ranks, 0, most);
    if (read_bound(key, "comm_avg_ppn", &most)) {
        shunt_import_note(walk->import, line,
                          "\"%s\" is about the average of the nodes: here about each of them", key);
        return narrowed(&where->ppn, 0, most);
    }
    if (read_bound(key, "avg_msg_size", &most))
        return where->op == SHUNT_OP_ALLTOALL ? narrowed(&where->block, 0, most) : UNKNOWN;
    if (read_bound(key, "total_msg_size", &most))
        return where->op == SHUNT_OP_ALLTOALL ? narrowed(&where->total, 0, most) : UNKNOWN;
    if (read_bound(key, "per_proc_msg_size", &most) || read_bound(key, "count", &most))
        return UNKNOWN;
    return WRONG;
}

static enum verdict judge_ranks(const struct walk *walk, const char *key, int line,
                                struct shunt_import_where *where)
{
    if (strcmp(key, "comm_size=pow2") == 0) {
        where->powers = true;
        return NARROWED;
    }
    if (strcmp(key, "comm_size=node_comm_size") == 0)
        return narrowed(&where->nodes, 1, 1);
    if (strcmp(key, "comm_hierarchy=flat") == 0)
        return narrowed(&where->ppn, 1, 1);
    if (strcmp(key, "comm_hierarchy=parent") == 0) {
        shunt_import_note(walk->import, line,
                          "\"%s\" is about communicators with a node of several ranks: here about "
                          "those whose nodes all have several",
                          key);
        return narrowed(&where->ppn, 2, INT64_MAX);
    }
    return judge_size(walk, key, line, where);
}

static enum verdict judge_collective(const char *name, struct shunt_import_where *where)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        if (strcmp(name, shunt_op_name((enum shunt_op)op)) != 0)
            continue;
        if (where->known && where->op != (enum shunt_op)op)
            return NEVER;
        where->known = true;
        where->op = (enum shunt_op)op;
        return NARROWED;
    }
    return NEVER;
}

static enum verdict judge(const struct walk *walk, const char *key, int line,
                          struct shunt_import_where *where)
{
    if (strncmp(key, "collective=", strlen("collective=")) == 0)
        return judge_collective(key + strlen("collective="), where);
    if (strcmp(key, "any") == 0 || ends_with(key, "=any"))
        return ALL;
    if (strcmp(key, "is_sendbuf_inplace=yes") == 0) {
        shunt_import_note(walk->import, line,
                          "\"%s\": no rule is about calls in place alone: they follow those of "
                          "\"is_sendbuf_inplace=no\"",
                          key);
        return NEVER;
    }
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(key, words[i].key) == 0)
            return words[i].verdict;
    return judge_ranks(walk, key, line, where);
}

static void report_wrong(const struct walk *walk, const struct shunt_import_value *member)
{
    char name[64];
    const size_t length = strcspn(member->key, "<=");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1),
             member->key);
    const char *near = shunt_nearest(name, names, NAMES);
    shunt_import_problem(walk->import, member->line,
                         "\"%.100s\" is no condition that MPICH knows%s%s%s: conditions are such "
                         "as \"comm_size<=8\", \"avg_msg_size<=256\" and \"comm_size=any\"",
                         member->key, near ? " (did you mean \"" : "", near ? near : "",
                         near ? "\"?)" : "");
}

static void no_memory(struct walk *walk, bool enough)
{
    walk->broken |= !enough;
}

/* "algorithm=MPIR_Alltoall_intra_k_brucks": {"k=4": {}}. */
static void add_leaf(struct walk *walk, const struct shunt_import_value *member,
                     const struct shunt_import_where *where)
{
    const char *name = strchr(member->key, '=') + 1;
    int64_t number = 0;
    if (!where->known) {
        shunt_import_problem(walk->import, member->line,
                             "\"%.100s\" is for no collective: it has to be within a key such as "
                             "\"collective=alltoall\"",
                             member->key);
        return;
    }
    for (size_t i = 0; i < member->count; i++) {
        const char *key = member->child[i].key;
        if (key && strncmp(key, "k=", 2) == 0) {
            number = strtoll(key + 2, NULL, 10);
            if (number < 2 || number > SHUNT_RANKS_MAX)
                shunt_import_problem(walk->import, member->child[i].line,
                                     "\"%.100s\": k is a radix, from 2 to %d", key,
                                     SHUNT_RANKS_MAX);
        } else
            shunt_import_note(walk->import, member->child[i].line,
                              "\"%.100s\" has no counterpart and is left out", key ? key : "");
    }
    no_memory(walk, shunt_import_add(walk->import, where, member->line, name, number));
}

static void add_unknown(struct walk *walk, const struct shunt_import_value *member,
                        const struct shunt_import_where *where)
{
    char note[SHUNT_IMPORT_NOTE];
    snprintf(note, sizeof note,
             "no rule can tell \"%.80s\": these calls, and those of what follows it there, stay "
             "native",
             member->key);
    no_memory(walk, shunt_import_add_native(walk->import, where, member->line, note));
}

static void take_object(struct walk *walk, const struct shunt_import_value *object,
                        const struct shunt_import_where *where);

/* Whether later members can still count. */
static bool take_member(struct walk *walk, const struct shunt_import_value *member,
                        const struct shunt_import_where *where)
{
    struct shunt_import_where own = *where;
    if (member->kind != SHUNT_IMPORT_OBJECT) {
        shunt_import_problem(walk->import, member->line,
                             "the value of \"%.100s\" is no object: write {...}", member->key);
        return false;
    }
    if (strncmp(member->key, "algorithm=", strlen("algorithm=")) == 0 ||
        strncmp(member->key, "composition=", strlen("composition=")) == 0) {
        add_leaf(walk, member, where);
        return false;
    }
    switch (judge(walk, member->key, member->line, &own)) {
    case NARROWED:
        take_object(walk, member, &own);
        return true;
    case ALL:
        take_object(walk, member, &own);
        return false;
    case NEVER:
        return true;
    case UNKNOWN:
        if (where->known)
            add_unknown(walk, member, where);
        else
            shunt_import_problem(walk->import, member->line,
                                 "\"%.100s\" is asked before the collective, and no rule can "
                                 "tell: put it within \"collective=alltoall\"",
                                 member->key);
        return false;
    default:
        report_wrong(walk, member);
        return true;
    }
}

static void take_object(struct walk *walk, const struct shunt_import_value *object,
                        const struct shunt_import_where *where)
{
    bool open = true;
    for (size_t i = 0; i < object->count && open && !walk->broken; i++)
        open = take_member(walk, &object->child[i], where);
    if (open && where->known && !walk->broken)
        no_memory(walk, shunt_import_add_native(walk->import, where, object->line, NULL));
}

bool shunt_import_mpich(struct shunt_import *import, const struct shunt_import_value *root)
{
    struct walk walk = {.import = import};
    const struct shunt_import_where all = shunt_import_all();
    if (root->kind != SHUNT_IMPORT_OBJECT)
        shunt_import_problem(import, 1, "this is no object: a selection of MPICH begins with {");
    else
        take_object(&walk, root, &all);
    return !walk.broken;
}
