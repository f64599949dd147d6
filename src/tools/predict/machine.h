/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.h: which machine a prediction is about. */
#ifndef SHUNT_PREDICT_MACHINE_H
#define SHUNT_PREDICT_MACHINE_H

#include "model/machine.h"

struct shunt_subcommand;

/* The description by its name or path, or else that of the table. An exit code, after saying what
 * is wrong. */
int shunt_predict_machine(struct shunt_machine *machine, const struct shunt_subcommand *asker,
                          const char *name, const char *path);

#endif
