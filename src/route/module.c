/* SPDX-License-Identifier: BSD-3-Clause */
/* module.c: the one symbol of shunt-table.so. libshunt.so opens it where a table is really read, so that it does not need libconfig itself.
 */
#include "route/parse.h"

extern const shunt_parse_search_fn shunt_table_module_1;

__attribute__((visibility("default"))) const shunt_parse_search_fn shunt_table_module_1 = shunt_parse_search;
