/* SPDX-License-Identifier: BSD-3-Clause */
/* policy.h: the group `policy` of a decision file. Private to the parser. */
#ifndef SHUNT_ROUTE_POLICY_H
#define SHUNT_ROUTE_POLICY_H

#include "route/walk.h"

/* Everything in the group into walk->policy. */
void shunt_policy_read(struct shunt_walk *walk, const config_setting_t *policy);

#endif
