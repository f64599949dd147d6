/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h: reads the options of `shunt predict`. */
#ifndef SHUNT_PREDICT_OPTIONS_H
#define SHUNT_PREDICT_OPTIONS_H

#include "tools/predict/asked.h"

/* An exit code, after saying what is wrong. Release in any case. */
int shunt_predict_read(struct shunt_predict *predict, const struct shunt_subcommand *asker,
                       int argc, char **argv);
void shunt_predict_clear(struct shunt_predict *predict);

#endif
