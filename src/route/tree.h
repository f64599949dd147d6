/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.h: from a scanned text to libconfig's tree. Private to the parser. */
#ifndef SHUNT_ROUTE_TREE_H
#define SHUNT_ROUTE_TREE_H

#include <libconfig.h>

#include "route/source.h"
#include "route/table.h"

/*
 * libconfig's tree, or false with a problem added. before: how many there were before the text was
 * scanned. The tree is to be destroyed in any case.
 */
bool shunt_tree_read(config_t *config, const struct shunt_source *source, const char *name,
                     size_t before, struct shunt_diagnostics *diagnostics);

/* libconfig 1.5 takes no const for these and changes nothing. NULL where there is none. */
static inline const config_setting_t *shunt_tree_member(const config_setting_t *group,
                                                        const char *name)
{
    return config_setting_get_member((config_setting_t *)(uintptr_t)group, name);
}

static inline const config_setting_t *shunt_tree_element(const config_setting_t *group, int index)
{
    return config_setting_get_elem((config_setting_t *)(uintptr_t)group, (unsigned)index);
}

#endif
