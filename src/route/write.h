/* SPDX-License-Identifier: BSD-3-Clause */
/* write.h: from a table back to a decision file, for `shunt show`. */
#ifndef SHUNT_ROUTE_WRITE_H
#define SHUNT_ROUTE_WRITE_H

#include <stdio.h>

#include "route/table.h"

/* The values that a rule gives for a parameter, as SHUNT_FORCE and decision files spell them:
 * "4x2", "sqrt(P)", "15K", "fused"; "" where it gives none. */
void shunt_rule_value_print(const struct shunt_rule *rule, enum shunt_param param, char *text,
                            size_t capacity);

/*
 * A decision file that reads as this table, but for the places of its rules. hosts: an array of
 * host_count patterns for machine.hosts, which a table does not have. Errors stay in the stream.
 */
void shunt_table_write(const struct shunt_table *table, const char *const *hosts, size_t host_count,
                       FILE *stream);

#endif
