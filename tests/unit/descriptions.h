/* SPDX-License-Identifier: BSD-3-Clause */
/* descriptions.h: what the tests of machine descriptions share. */
#ifndef SHUNT_TESTS_DESCRIPTIONS_H
#define SHUNT_TESTS_DESCRIPTIONS_H

#include "route/machine.h"

#define LINK "{ latency_us = 1; overhead_us = 0.5; byte_ns = 0.1; };"
#define COPY "copy = { block_ns = 20; byte_ns = 0.1; };"
#define LEAST "inside = " LINK " between = " LINK " " COPY
/* One key per line, in a group of the second line. */
#define MODEL(keys) HEAD "model = {\n" LEAST "\n" keys "\n};"
#define IN_MODEL "t.cfg:4: model: "
#define BAD_MAX 4

/* The machine of a text without mistakes. */
struct shunt_machine read_good(const char *text);

/* Bits, not values: numbers between ranks have to be the same. */
void assert_same(const struct shunt_machine *a, const struct shunt_machine *b);

/* As a file has it; to be freed. */
char *written(const struct shunt_machine *machine);
void goes_round(const struct shunt_machine *machine);

#endif
