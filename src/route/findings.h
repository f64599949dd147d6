/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * findings.h: what is valid in a table but cannot be meant: rules that no call can reach. For
 * `shunt check`; the library does not look.
 */
#ifndef SHUNT_ROUTE_FINDINGS_H
#define SHUNT_ROUTE_FINDINGS_H

#include "route/table.h"

/*
 * Adds one problem per finding. Every rule named can be reached by no call; of rules that overlap
 * in very many ways (a second's work) some may go unnoticed.
 */
void shunt_table_findings(const struct shunt_table *table, struct shunt_diagnostics *findings);

#endif
