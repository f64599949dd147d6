/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * selections.c: from "scattered,parlogna:radix=2,4,sqrt(P)" to the four algorithms it stands for.
 *
 * A comma separates algorithms, and values of the last parameter: what follows it is an algorithm
 * if it looks like a name and is no formula.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/bench/options.h"

/* One word between commas and colons, and which of the two stands before it. */
struct word {
    const char *text;
    int length;
    char before; /* ',' ':' or '\0' at the beginning */
};
enum { WORDS_MOST = 256 };

/* Whether a word is spelt like a name, and not like a number or a formula. */
static bool is_name(const char *text)
{
    return islower((unsigned char)text[0]) && strncmp(text, "sqrt(", 5) != 0;
}

static bool known(const struct word *word)
{
    char name[BENCH_SELECTION_ROOM];
    snprintf(name, sizeof name, "%.*s", word->length, word->text);
    return strcmp(name, "all") == 0 || shunt_registry_find(name);
}

/* Values may be words too: a word after such a value is one more, unless it is an algorithm. */
static bool begins_selection(const struct word *word)
{
    const struct word *last = word - 1;
    const char *equals = last->before == ':' ? memchr(last->text, '=', (size_t)last->length) : NULL;
    const bool value = equals || last->before == ',';
    if (word->before == ':' || !is_name(word->text))
        return false;
    return known(word) || !value || known(last) || !is_name(equals ? equals + 1 : last->text);
}

static int split(const char *list, struct word *words)
{
    int count = 0;
    char before = '\0';
    for (const char *at = list; count < WORDS_MOST; at++) {
        const int length = (int)strcspn(at, ",:");
        words[count++] = (struct word){at, length, before};
        at += length;
        before = *at;
        if (before == '\0')
            break;
    }
    return count;
}

static bool add_text(struct bench_options *options, const char *text, char *diagnostic,
                     size_t capacity)
{
    for (int i = 0; i < options->selection_count; i++)
        if (strcmp(options->selections[i].text, text) == 0)
            return true;
    if (options->selection_count == BENCH_SELECTIONS_MOST) {
        snprintf(diagnostic, capacity, "--algorithm: more than %d algorithms",
                 BENCH_SELECTIONS_MOST);
        return false;
    }
    snprintf(options->selections[options->selection_count++].text, BENCH_SELECTION_ROOM, "%s",
             text);
    return true;
}

/* Adds one candidate per combination: words[0] is the name, then each parameter with its further
 * values. `text` holds what is fixed. */
static bool combine(struct bench_options *options, const struct word *words, int count,
                    const char *text, char *diagnostic, size_t capacity)
{
    char next[BENCH_SELECTION_ROOM];
    if (count == 0)
        return add_text(options, text, diagnostic, capacity);
    int values = 1; /* of this parameter */
    while (values < count && words[values].before == ',')
        values++;
    const char *equals = memchr(words[0].text, '=', (size_t)words[0].length);
    const int name = equals ? (int)(equals - words[0].text) + 1 : words[0].length;
    for (int i = 0; i < values; i++) {
        const int skip = i == 0 ? name : 0, length = words[i].length - skip;
        if (snprintf(next, sizeof next, "%s:%.*s%.*s", text, name, words[0].text, length,
                     words[i].text + skip) >= (int)sizeof next) {
            snprintf(diagnostic, capacity, "--algorithm: \"%.40s...\" is too long", next);
            return false;
        }
        if (!combine(options, words + values, count - values, next, diagnostic, capacity))
            return false;
    }
    return true;
}

bool bench_selections_add(struct bench_options *options, const char *list, char *diagnostic,
                          size_t capacity)
{
    struct word words[WORDS_MOST];
    char name[BENCH_SELECTION_ROOM];
    const int count = split(list, words);
    for (int i = 0; i < count; i++) {
        if (words[i].length == 0 || words[i].length >= (int)sizeof name) {
            snprintf(diagnostic, capacity, "--algorithm: \"%s\" has an empty name or value", list);
            return false;
        }
    }
    for (int i = 0, next; i < count; i = next) {
        for (next = i + 1; next < count && !begins_selection(&words[next]);)
            next++;
        snprintf(name, sizeof name, "%.*s", words[i].length, words[i].text);
        const bool all = strcmp(name, "all") == 0 && next == i + 1;
        options->all |= all;
        if (!all && !combine(options, words + i + 1, next - i - 1, name, diagnostic, capacity))
            return false;
    }
    return true;
}

/* The table that forces the candidate for the operations in `ops`. The parser speaks of
 * SHUNT_FORCE. */
static struct shunt_table *forced(const struct bench_selection *selection, unsigned ops,
                                  char *diagnostic, size_t capacity)
{
    struct shunt_diagnostics diagnostics = {0};
    char text[SHUNT_OP_COUNT * (BENCH_SELECTION_ROOM + 16)] = "";
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        const size_t used = strlen(text);
        if (ops & 1u << op)
            snprintf(text + used, sizeof text - used, "%s%s=%s", used ? "," : "",
                     shunt_op_name((enum shunt_op)op), selection->text);
    }
    struct shunt_table *table = shunt_table_from_force(text, &diagnostics);
    if (!table && diagnostics.count > 0) {
        const char *said = diagnostics.text[0], *prefix = "SHUNT_FORCE: ";
        snprintf(diagnostic, capacity, "--algorithm: %s",
                 strncmp(said, prefix, strlen(prefix)) == 0 ? said + strlen(prefix) : said);
    }
    shunt_diagnostics_clear(&diagnostics);
    return table;
}

static bool add_all(struct bench_options *options, unsigned ops, char *diagnostic, size_t capacity)
{
    size_t count;
    const struct shunt_algorithm *const *rows = shunt_registry_rows(&count);
    for (size_t i = 0; i < count; i++)
        if (rows[i]->kind != SHUNT_KIND_NATIVE && (rows[i]->ops & ops) &&
            !add_text(options, rows[i]->name, diagnostic, capacity))
            return false;
    return true;
}

bool bench_selections_prepare(struct bench_options *options, char *diagnostic, size_t capacity)
{
    unsigned wanted = 0;
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        wanted |= options->op[op] ? 1u << op : 0;
    if (options->all && !add_all(options, wanted, diagnostic, capacity))
        return false;
    for (int i = 0; i < options->selection_count; i++) {
        struct bench_selection *selection = &options->selections[i];
        char name[BENCH_SELECTION_ROOM];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(selection->text, ":"), selection->text);
        selection->algorithm = shunt_registry_find(name);
        const unsigned served = selection->algorithm ? selection->algorithm->ops & wanted : 0;
        selection->force = forced(selection, served ? served : wanted, diagnostic, capacity);
        if (!selection->force)
            return false;
    }
    return true;
}
