/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_parse.c: any bytes as a decision file. A table that comes out must be valid, building its
 * decisions must not fail, and written as a file it must read as the same; otherwise at least one
 * problem must have been reported. The name has no folder, so nothing can be included. Likewise as
 * a machine description.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/coverage.h"
#include "route/findings.h"
#include "route/hostlist.h"
#include "route/hosts.h"
#include "route/machine.h"
#include "route/parse.h"
#include "route/route.h"
#include "route/write.h"
#include "same_table.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is found is within the space, and some call lies in it. */
static void cover(const struct shunt_table *table)
{
    struct shunt_rule any = {.ranks = {2, INT64_MAX},
                             .nodes = {0, INT64_MAX},
                             .ppn = {0, INT64_MAX},
                             .block = {0, INT64_MAX},
                             .density = {0, INT64_MAX}};
    const struct shunt_box space = shunt_box_of(&any);
    struct shunt_coverage coverage;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        if (!shunt_coverage_find(&coverage, table, (enum shunt_op)op, &space, 100, true))
            abort();
        for (size_t i = 0; i < coverage.gap_count; i++)
            if (!shunt_box_possible(&coverage.gaps[i]) ||
                !shunt_box_holds(&space, &coverage.gaps[i]))
                abort();
        shunt_coverage_clear(&coverage);
    }
}

static void use(const struct shunt_table *table, struct shunt_diagnostics *diagnostics)
{
    static struct shunt_layout layout;
    struct shunt_map map;
    if (!shunt_table_valid(table, table->bytes))
        abort();
    if (layout.ranks == 0 && shunt_layout_blocks(&layout, 12, 3) != 0)
        abort();
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        if (shunt_map_build(&map, table, (enum shunt_op)op, &layout, -1) != 0)
            abort();
        shunt_map_clear(&map);
    }
    shunt_table_findings(table, diagnostics);
    cover(table);
}

/* Written as a decision file it is the same table. */
static void write_and_read(const struct shunt_table *table)
{
    struct shunt_diagnostics diagnostics = {0};
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return;
    shunt_table_write(table, NULL, 0, stream);
    if (fclose(stream) != 0)
        abort();
    struct shunt_table *again = shunt_parse_text(text, "again", &diagnostics);
    if (!again || !same_table(table, again))
        abort();
    free(again);
    free(text);
}

static void describe(const char *text)
{
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_machine machine, again;
    const char *key;
    char *copy = NULL;
    size_t length;
    if (shunt_machine_read_text(&machine, text, "fuzz", &diagnostics) != (diagnostics.count == 0))
        abort();
    FILE *stream = diagnostics.count == 0 ? open_memstream(&copy, &length) : NULL;
    shunt_diagnostics_clear(&diagnostics);
    if (!stream)
        return;
    if (shunt_machine_wrong(&machine, &key))
        abort();
    shunt_machine_write(stream, &machine);
    if (fclose(stream) != 0 || !shunt_machine_read_text(&again, copy, "again", &diagnostics) ||
        !same_model(&again, &machine))
        abort();
    free(copy);
}

static void match(const char *text)
{
    static const char *const hosts[] = {"node012", "login1.example.org", "a"};
    char reason[160] = "";
    if (!shunt_hostlist_possible(text, reason, sizeof reason) && reason[0] == '\0')
        abort();
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        shunt_hostlist_names(text, hosts[i]);
        shunt_hosts_named(text, hosts[i]);
    }
}

static void parse(const char *text)
{
    struct shunt_diagnostics diagnostics = {0};
    match(text);
    describe(text);
    struct shunt_table *table = shunt_parse_text(text, "fuzz", &diagnostics);
    if ((!table) == (diagnostics.count == 0))
        abort();
    if (table) {
        use(table, &diagnostics);
        write_and_read(table);
    }
    free(table);
    shunt_diagnostics_clear(&diagnostics);
    free(shunt_table_from_force(text, &diagnostics));
    shunt_diagnostics_clear(&diagnostics);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text)
        return 0;
    if (size > 0)
        memcpy(text, data, size);
    text[size] = '\0';
    parse(text);
    free(text);
    return 0;
}
