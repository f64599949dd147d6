/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * open_mpi_json.c: Open MPI's files of dynamic rules as JSON (version 3, Open MPI 6): for each
 * collective a list of communicator sizes, each with a list of rules. Of both lists the first that
 * matches counts; where a communicator matches and no rule does, the library decides.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/common/shape.h"
#include "tools/import/import.h"
#include "tools/import/open_mpi.h"

struct walk {
    struct shunt_import *import;
    bool broken; /* memory is short */
};

/* A number that may be left out, or "inf". */
static int64_t number_of(const struct walk *walk, const struct shunt_import_value *object,
                         const char *key, int64_t otherwise)
{
    const struct shunt_import_value *value = shunt_import_member(object, key);
    if (!value)
        return otherwise;
    if (value->kind == SHUNT_IMPORT_NUMBER && value->number >= 0)
        return value->number;
    if (value->kind == SHUNT_IMPORT_STRING && strcasecmp(value->text, "inf") == 0)
        return INT64_MAX;
    shunt_import_problem(walk->import, value->line,
                         "\"%s\" is neither a whole number from 0 on nor \"inf\"", key);
    return otherwise;
}

/* single-node, one-per-node, any. False: nothing is left. */
static bool take_distribution(const struct walk *walk, const struct shunt_import_value *object,
                              struct shunt_import_where *where)
{
    const struct shunt_import_value *value = shunt_import_member(object, "comm_rank_distribution");
    const char *text = value && value->kind == SHUNT_IMPORT_STRING ? value->text : NULL;
    if (value && !text)
        shunt_import_problem(walk->import, value->line, "\"comm_rank_distribution\" is no text");
    if (!text)
        return true;
    where->nodes = where->ppn = (struct shunt_range){0, INT64_MAX}; /* instead of that above */
    if (strcmp(text, "single-node") == 0)
        return shunt_import_narrow(&where->nodes, 1, 1);
    if (strcmp(text, "one-per-node") == 0)
        return shunt_import_narrow(&where->ppn, 1, 1);
    if (strcmp(text, "any") != 0)
        shunt_import_problem(walk->import, value->line,
                             "\"comm_rank_distribution\": \"%.60s\" is none of \"single-node\", "
                             "\"one-per-node\" and \"any\"",
                             text);
    return true;
}

/* The name of the algorithm; NULL with a problem, or with a note where Open MPI passes over it. */
static const char *algorithm_of(const struct walk *walk, const struct shunt_import_value *rule,
                                enum shunt_op op)
{
    const struct shunt_import_value *value = shunt_import_member(rule, "alg");
    const char *const *names = shunt_open_mpi_names(op);
    if (!value) {
        shunt_import_problem(walk->import, rule->line, "the rule has no \"alg\"");
        return NULL;
    }
    if (value->kind == SHUNT_IMPORT_NUMBER && shunt_open_mpi_name(op, value->number))
        return shunt_open_mpi_name(op, value->number);
    for (int i = 0; value->kind == SHUNT_IMPORT_STRING && names[i]; i++)
        if (strcmp(names[i], value->text) == 0)
            return names[i];
    if (value->kind == SHUNT_IMPORT_NUMBER)
        shunt_import_note(walk->import, value->line,
                          "%s has no algorithm %" PRId64 ": the rule is left out, as Open MPI does",
                          shunt_op_name(op), value->number);
    else if (value->kind == SHUNT_IMPORT_STRING)
        shunt_import_note(walk->import, value->line,
                          "%s has no algorithm \"%.60s\": the rule is left out, as Open MPI does",
                          shunt_op_name(op), value->text);
    else
        shunt_import_problem(walk->import, value->line, "\"alg\" is neither a name nor a number");
    return NULL;
}

static void take_rule(struct walk *walk, const struct shunt_import_value *rule,
                      const struct shunt_import_where *communicator)
{
    struct shunt_import_where where = *communicator;
    if (rule->kind != SHUNT_IMPORT_OBJECT) {
        shunt_import_problem(walk->import, rule->line, "a rule is no object: write {...}");
        return;
    }
    const char *name = algorithm_of(walk, rule, where.op);
    const int64_t low = number_of(walk, rule, "msg_size_min", 0),
                  high = number_of(walk, rule, "msg_size_max", INT64_MAX),
                  requests = number_of(walk, rule, "reqs", 0);
    if (!name)
        return;
    if (where.op == SHUNT_OP_ALLTOALLV && low > 0) {
        shunt_import_note(walk->import, rule->line,
                          "sizes of an alltoallv are not known to Open MPI, so this is never used, "
                          "and left out");
        return;
    }
    if (where.op == SHUNT_OP_ALLTOALL && !shunt_import_narrow(&where.total, low, high)) {
        shunt_import_note(walk->import, rule->line, "the sizes end before they begin: left out");
        return;
    }
    if (strcmp(name, "ignore") == 0)
        walk->broken |= !shunt_import_add_native(walk->import, &where, rule->line, NULL);
    else
        walk->broken |= !shunt_import_add(walk->import, &where, rule->line, name, requests);
}

static void take_communicator(struct walk *walk, const struct shunt_import_value *object,
                              const struct shunt_import_where *outer)
{
    struct shunt_import_where where = *outer;
    const struct shunt_import_value *rules = shunt_import_member(object, "rules");
    if (object->kind != SHUNT_IMPORT_OBJECT || !rules || rules->kind != SHUNT_IMPORT_ARRAY) {
        shunt_import_problem(walk->import, object->line,
                             "this is no object with a list \"rules\": write {\"rules\": [...]}");
        return;
    }
    const int64_t low = number_of(walk, object, "comm_size_min", 0),
                  high = number_of(walk, object, "comm_size_max", INT64_MAX);
    if (!take_distribution(walk, object, &where) || !shunt_import_narrow(&where.ranks, low, high)) {
        shunt_import_note(walk->import, object->line, "no communicator has these sizes: left out");
        return;
    }
    for (size_t i = 0; i < rules->count && !walk->broken; i++)
        take_rule(walk, &rules->child[i], &where);
    if (!walk->broken)
        walk->broken |= !shunt_import_add_native(walk->import, &where, object->line, NULL);
}

bool shunt_import_open_mpi_json(struct shunt_import *import, const struct shunt_import_value *root)
{
    struct walk walk = {.import = import};
    const struct shunt_import_value *collectives = shunt_import_member(root, "collectives");
    struct shunt_import_where where = shunt_import_all();
    if (!collectives || collectives->kind != SHUNT_IMPORT_OBJECT) {
        shunt_import_problem(import, root->line,
                             "there is no object \"collectives\", which has the rules");
        return true;
    }
    where.known = true;
    take_distribution(&walk, root, &where);
    for (int op = 0; op < SHUNT_OP_COUNT && !walk.broken; op++) {
        const struct shunt_import_value *list =
            shunt_import_member(collectives, shunt_op_name((enum shunt_op)op));
        where.op = (enum shunt_op)op;
        if (list && list->kind != SHUNT_IMPORT_ARRAY)
            shunt_import_problem(import, list->line, "\"%s\" is no list: write [...]", list->key);
        for (size_t i = 0; list && list->kind == SHUNT_IMPORT_ARRAY && i < list->count; i++)
            take_communicator(&walk, &list->child[i], &where);
    }
    return !walk.broken;
}
