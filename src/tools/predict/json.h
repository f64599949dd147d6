/* SPDX-License-Identifier: BSD-3-Clause */
/* json.h: members of the objects in predict.schema.json. */
#ifndef SHUNT_PREDICT_JSON_H
#define SHUNT_PREDICT_JSON_H

#include "log/json.h"
#include "tools/predict/cost.h"

void shunt_predict_json_begin(struct shunt_json *json, const struct shunt_predict *predict);
void shunt_predict_json_case(struct shunt_json *json, const struct shunt_case *c);
void shunt_predict_json_candidate(struct shunt_json *json, const struct shunt_candidate *c);
void shunt_predict_json_cost(struct shunt_json *json, const struct shunt_cost *cost);
/* null where it takes no time. */
void shunt_predict_json_gain(struct shunt_json *json, const struct shunt_cost *cost,
                             const struct shunt_cost *native);

#endif
