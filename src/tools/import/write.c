/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * write.c: imported rules as a decision file.
 *
 * What a rank sends to all together is a size of blocks only for a number of ranks: such rules are
 * told for pieces of the ranks that double, each with the block size of its fewest ranks. Powers of
 * two are told one by one. Rules that no call reaches are left out.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "config.h"
#include "route/words.h"
#include "route/write.h"
#include "tools/import/import.h"

/* Boxes looked at for one rule: about a hundredth of a second. */
#define LOOKS ((int64_t)1 << 22)

struct writing {
    struct shunt_import *import;
    FILE *stream;
    enum shunt_op op;
    struct shunt_boxes boxes; /* of rules so far that no call passes over */
    bool *used;               /* room for as many */
    size_t written;
    int *of_line; /* by line: rules that were written about it, whose names differ */
};

/* More pieces than a rule can have: ranks double. */
enum { PIECES = 64 };

/* The pieces of a rule; how many there are. */
static int pieces_of(const struct shunt_import *import, const struct shunt_import_rule *from,
                     struct shunt_rule *pieces)
{
    const struct shunt_import_where *where = &from->where;
    const bool sized = where->total.low > 0 || where->total.high < INT64_MAX;
    const struct shunt_range ranks = where->ranks;
    struct shunt_rule rule = {.ranks = ranks,
                              .nodes = where->nodes,
                              .ppn = where->ppn,
                              .block = where->block,
                              .density = {0, INT64_MAX},
                              .memory = INT64_MAX,
                              .line = from->line,
                              .algorithm = shunt_registry_index(from->algorithm)};
    int count = 0;
    if (!sized && !where->powers) {
        pieces[count++] = rule;
        return count;
    }
    for (int64_t p = where->powers || ranks.low < 2 ? 2 : ranks.low; count < PIECES;) {
        const bool last = !where->powers && 2 * p > import->ranks.high;
        const int64_t end = where->powers ? p : last ? INT64_MAX : 2 * p - 1;
        rule.ranks = (struct shunt_range){p, end < ranks.high ? end : ranks.high};
        rule.block = where->block;
        if (p > ranks.high || (where->powers && p > import->ranks.high))
            break;
        const int64_t high = where->total.high;
        if (p >= ranks.low &&
            (!sized || shunt_import_narrow(&rule.block, (where->total.low + p - 1) / p,
                                           high < INT64_MAX ? high / p : high)))
            pieces[count++] = rule;
        if (last)
            break;
        p *= 2;
    }
    return count;
}

/* Whether some call can come to the rule. Those of ours that may be passed over hide nothing. */
static bool reached(struct writing *writing, const struct shunt_rule *rule)
{
    const struct shunt_box box = shunt_box_of(rule);
    int64_t looks = LOOKS;
    if (!shunt_box_possible(&box) ||
        shunt_boxes_cover(&writing->boxes, &box, writing->used, &looks) == SHUNT_COVER_ALL)
        return false;
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    if (!algorithm->infeasible && !algorithm->memory)
        shunt_boxes_add(&writing->boxes, &box);
    return true;
}

/* Nothing where it begins at `least` or below and has no end. */
static void put_range(FILE *stream, const char *key, struct shunt_range range, int64_t least)
{
    char text[64];
    if (range.low <= least && range.high == INT64_MAX)
        return;
    if (least == 0)
        shunt_range_spell(range, text, sizeof text);
    else
        shunt_range_print(range, text, sizeof text);
    fprintf(stream, "%s = \"%s\"; ", key, text);
}

/* On one line, whatever the file has in its names. */
static void put_comment(FILE *stream, const char *text)
{
    if (text[0] == '\0')
        return;
    fputs("  # ", stream);
    shunt_tool_put(stream, text);
    putc('\n', stream);
}

static void put_rule(struct writing *writing, const struct shunt_import_rule *from,
                     const struct shunt_rule *rule)
{
    FILE *stream = writing->stream;
    if (writing->written++ > 0)
        fputs(",\n", stream);
    const int before = writing->of_line[from->line]++;
    if (before == 0) {
        put_comment(stream, from->name);
        put_comment(stream, from->note);
    }
    fprintf(stream, "  { id = \"line %d", from->line);
    if (before > 0)
        fprintf(stream, ".%d", before + 1);
    fputs("\"; ", stream);
    put_range(stream, "ranks", rule->ranks, 2);
    put_range(stream, "nodes", rule->nodes, 1);
    put_range(stream, "ppn", rule->ppn, 1);
    put_range(stream, "block", rule->block, 0);
    fprintf(stream, "algorithm = \"%s\"; ", from->algorithm->name);
    /* Beyond 32 bits numbers are read in quotes only. */
    const char *quote = from->value > INT32_MAX ? "\"" : "";
    if (from->value > 0)
        fprintf(stream, "%s = %s%" PRId64 "%s; ", shunt_param_name(from->param), quote, from->value,
                quote);
    putc('}', stream);
}

static int last_line(const struct shunt_import *import)
{
    int last = 0;
    for (size_t i = 0; i < import->count; i++)
        last = import->rule[i].line > last ? import->rule[i].line : last;
    return last;
}

static int write_op(struct writing *writing, size_t most)
{
    struct shunt_import *import = writing->import;
    struct shunt_rule *pieces = malloc(PIECES * sizeof *pieces);
    writing->used = malloc((most + 1) * sizeof *writing->used);
    writing->of_line = calloc((size_t)last_line(import) + 1, sizeof *writing->of_line);
    const bool enough =
        shunt_boxes_init(&writing->boxes, most) && pieces && writing->used && writing->of_line;
    fprintf(writing->stream, "\n%s = (\n", shunt_op_name(writing->op));
    for (size_t i = 0; enough && i < import->count; i++) {
        struct shunt_import_rule *from = &import->rule[i];
        if (from->where.op != writing->op)
            continue;
        if (!shunt_import_narrow(&from->where.ranks, import->ranks.low, INT64_MAX))
            continue;
        const int count = pieces_of(import, from, pieces);
        for (int j = 0; j < count; j++)
            if (reached(writing, &pieces[j]))
                put_rule(writing, from, &pieces[j]);
    }
    fputs(writing->written > 0 ? "\n);\n" : ");\n", writing->stream);
    shunt_boxes_clear(&writing->boxes);
    free(writing->of_line);
    free(writing->used);
    free(pieces);
    if (enough)
        return SHUNT_EXIT_OK;
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

static bool has_totals(const struct shunt_import *import)
{
    for (size_t i = 0; i < import->count; i++)
        if (import->rule[i].where.total.low > 0 || import->rule[i].where.total.high < INT64_MAX)
            return true;
    return false;
}

static bool has_powers(const struct shunt_import *import)
{
    for (size_t i = 0; i < import->count; i++)
        if (import->rule[i].where.powers)
            return true;
    return false;
}

static void write_head(const struct shunt_import *import, FILE *stream)
{
    static const char *const forms[] = {"MPICH", "Open MPI", "Open MPI"};
    char name[512];
    shunt_tool_fit(import->path, name, sizeof name);
    fprintf(stream,
            "# Made by \"shunt import\" of " PACKAGE_STRING " from %s,\n"
            "# a selection of algorithms for %s. Names of rules are lines of that file.\n"
            "# What no rule takes is native. shunt.cfg(5) explains every key.\n",
            name, forms[import->form]);
    if (has_totals(import))
        fputs("# Sizes there are what a rank sends to all: here those of a block, for the fewest "
              "of the ranks of each rule.\n",
              stream);
    if (has_powers(import))
        fprintf(stream, "# Powers of two are told up to %" PRId64 " ranks.\n", import->ranks.high);
    fputs("schema = 1;\n", stream);
}

int shunt_import_write(struct shunt_import *import, FILE *stream)
{
    int code = SHUNT_EXIT_OK;
    write_head(import, stream);
    for (int op = 0; op < SHUNT_OP_COUNT && code == SHUNT_EXIT_OK; op++) {
        struct writing writing = {.import = import, .stream = stream, .op = (enum shunt_op)op};
        code = write_op(&writing, import->count * PIECES);
    }
    return code;
}
