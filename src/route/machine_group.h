/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_group.h: a group `model = { ... }`, in a file of its own or in a decision file. Private
 * to the parser. */
#ifndef SHUNT_ROUTE_MACHINE_GROUP_H
#define SHUNT_ROUTE_MACHINE_GROUP_H

#include "model/machine.h"
#include "route/walk.h"

/*
 * Reads the group into `machine`, of which every byte is set. what: its place for messages,
 * "model"; name: of the description, where the group does not tell. Every problem is added to those
 * of `walk`; false: there was one.
 */
bool shunt_machine_group_read(struct shunt_walk *walk, const config_setting_t *group,
                              const char *what, const char *name, struct shunt_machine *machine);

#endif
