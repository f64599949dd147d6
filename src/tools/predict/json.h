/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h: members of the objects in predict.schema.json. */
#ifndef SHUNT_PREDICT_JSON_H
#define SHUNT_PREDICT_JSON_H

#include "log/json.h"
#include "tools/predict/cost.h"

/* Members behind those that tell what was asked. */
typedef void (*shunt_predict_answer)(struct shunt_json *json, const void *context);
/* The whole object to standard output. An exit code. */
int shunt_predict_json(const struct shunt_predict *predict, shunt_predict_answer put,
                       const void *context);
/* A page with it, to the file of --html. An exit code, after saying what is wrong. */
int shunt_predict_html(const struct shunt_predict *predict, shunt_predict_answer put,
                       const void *context);

void shunt_predict_json_case(struct shunt_json *json, const struct shunt_case *c);
void shunt_predict_json_candidate(struct shunt_json *json, const struct shunt_candidate *c);
void shunt_predict_json_cost(struct shunt_json *json, const struct shunt_cost *cost);
/* null where it takes no time. */
void shunt_predict_json_gain(struct shunt_json *json, const struct shunt_cost *cost,
                             const struct shunt_cost *native);

#endif
