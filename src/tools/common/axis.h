/* SPDX-License-Identifier: BSD-3-Clause */
/* axis.h: several values of an option: "16,64,256", or "8-64K", which doubles from one end to the
 * other. */
#ifndef SHUNT_PREDICT_AXIS_H
#define SHUNT_PREDICT_AXIS_H

#include "tools/common/options.h"

enum { SHUNT_AXIS_MOST = 64 };

struct shunt_axis {
    int count; /* 0: not given */
    int64_t value[SHUNT_AXIS_MOST];
};

/* Into a struct shunt_axis, in ascending order, each once: numbers from 1 to SHUNT_RANKS_MAX, or
 * sizes in bytes. */
bool shunt_read_counts(struct shunt_option_value *value);
bool shunt_read_sizes(struct shunt_option_value *value);

#endif
