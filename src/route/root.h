/* SPDX-License-Identifier: BSD-3-Clause */
/* root.h: the top level of a decision file. Private to the parser. */
#ifndef SHUNT_ROUTE_ROOT_H
#define SHUNT_ROUTE_ROOT_H

#include "route/walk.h"

/* Everything in the tree into `walk`. */
void shunt_root_read(struct shunt_walk *walk, const config_setting_t *root);

#endif
