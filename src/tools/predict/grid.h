/* SPDX-License-Identifier: BSD-3-Clause */
/* grid.h: which algorithm wins where. */
#ifndef SHUNT_PREDICT_GRID_H
#define SHUNT_PREDICT_GRID_H

#include "tools/predict/asked.h"

/* An exit code, after saying what is wrong. */
int shunt_predict_grid(const struct shunt_predict *predict);

#endif
