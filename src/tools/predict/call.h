/* SPDX-License-Identifier: BSD-3-Clause */
/* call.h: one call: its candidates in their order, and the choice. */
#ifndef SHUNT_PREDICT_CALL_H
#define SHUNT_PREDICT_CALL_H

#include "tools/predict/asked.h"

/* An exit code, after saying what is wrong. */
int shunt_predict_call(const struct shunt_predict *predict);

#endif
