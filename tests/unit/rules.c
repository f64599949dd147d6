/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c: tables made of rules that a test writes, and numbers for rules by chance. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "route/parse.h"
#include "rules.h"

struct shunt_table *table_of(const char *rules)
{
    char *text = malloc(strlen(rules) + 64);
    struct shunt_diagnostics diagnostics = {0};
    assert_non_null(text);
    sprintf(text, "schema = 1; alltoallv = (%s);", rules);
    struct shunt_table *table = shunt_parse_text(text, "t.cfg", &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        print_message("%s\n", diagnostics.text[i]);
    assert_non_null(table);
    free(text);
    return table;
}

uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525U + 1013904223U;
    return *seed >> 8;
}
