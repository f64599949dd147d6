/* SPDX-License-Identifier: BSD-3-Clause */
/* text.h: names, times, energies and sizes for people. */
#ifndef SHUNT_PREDICT_TEXT_H
#define SHUNT_PREDICT_TEXT_H

#include <stddef.h>
#include <stdint.h>

#include "model/candidates.h"

enum { SHUNT_PREDICT_ROOM = 160 };
void shunt_predict_name(const struct shunt_candidate *candidate, char *text, size_t capacity);
void shunt_seconds_print(double seconds, char *text, size_t capacity);
/* "-" where it is not known. */
void shunt_joules_print(double joules, char *text, size_t capacity);
/* Bytes; ">8 EiB" where a number cannot say. */
void shunt_volume_print(int64_t bytes, char *text, size_t capacity);

#endif
