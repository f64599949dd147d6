/* SPDX-License-Identifier: BSD-3-Clause */
/* module.c: the one symbol of shunt-table.so. libshunt.so opens it where there may be a file to
 * read, so that it does not need libconfig itself.
 */
#include "route/parse.h"

extern const shunt_parse_search_fn shunt_table_module_4;

__attribute__((visibility("default"))) const shunt_parse_search_fn shunt_table_module_4 =
    shunt_parse_search;
