/* SPDX-License-Identifier: BSD-3-Clause */
/* csv.h: what the CSV of all forms begins with: which call a line is about. */
#ifndef SHUNT_PREDICT_CSV_H
#define SHUNT_PREDICT_CSV_H

#include "tools/predict/case.h"

/* The first line, with the names of the columns that follow in `rest`. */
void shunt_predict_csv_head(const char *rest);
/* A number and a comma; nothing but the comma where it is not known. */
void shunt_predict_csv_real(double value);
void shunt_predict_csv_place(const struct shunt_predict *predict, const struct shunt_place *place);
/* The last column, the machine, and the end of the line. */
void shunt_predict_csv_end(const struct shunt_predict *predict);

#endif
