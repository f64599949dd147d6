/* SPDX-License-Identifier: BSD-3-Clause */
/* axis.h: several values of an option: "16,64,256", or "8-64K", which doubles from one end to the
 * other. */
#ifndef SHUNT_PREDICT_AXIS_H
#define SHUNT_PREDICT_AXIS_H

#include <stdbool.h>
#include <stdint.h>

struct shunt_subcommand;

enum { SHUNT_AXIS_MOST = 64 };

struct shunt_axis {
    int count; /* 0: not given */
    int64_t value[SHUNT_AXIS_MOST];
};

/* The value of --`option`: sizes, or numbers from 1 to SHUNT_RANKS_MAX. In ascending order, each
 * once. Returns an exit code, after saying what is wrong. */
int shunt_axis_read(const struct shunt_subcommand *asker, const char *option, const char *text,
                    bool sizes, struct shunt_axis *axis);

#endif
