/* SPDX-License-Identifier: BSD-3-Clause */
/* lines.h: one algorithm over its radix, and algorithms over the number of ranks. */
#ifndef SHUNT_PREDICT_LINES_H
#define SHUNT_PREDICT_LINES_H

#include "tools/predict/asked.h"

/* An exit code, after saying what is wrong. */
int shunt_predict_sweep(const struct shunt_predict *predict);
int shunt_predict_curves(const struct shunt_predict *predict);

#endif
