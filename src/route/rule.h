/* SPDX-License-Identifier: BSD-3-Clause */
/* rule.h: one rule of a decision file. Private to the parser. */
#ifndef SHUNT_ROUTE_RULE_H
#define SHUNT_ROUTE_RULE_H

#include "route/walk.h"

/* One rule of `op`, number `number` (from 1) in its list. */
void shunt_walk_rule(struct shunt_walk *walk, enum shunt_op op, uint32_t number,
                     const config_setting_t *setting);

#endif
