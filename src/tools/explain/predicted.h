/* SPDX-License-Identifier: BSD-3-Clause */
/* predicted.h: what the model says of a decision: for `shunt explain --predict`. */
#ifndef SHUNT_TOOLS_EXPLAIN_PREDICT_H
#define SHUNT_TOOLS_EXPLAIN_PREDICT_H

#include "log/json.h"
#include "route/route.h"
#include "tools/common/question.h"
#include "tools/predict/predict.h"

struct shunt_explained {
    struct shunt_machine machine;
    const struct shunt_algorithm *algorithm; /* decided */
    bool known;             /* the decision has a schedule, or is native, and is not too large */
    struct shunt_cost cost; /* of the decision */
    struct shunt_cost native;
    struct shunt_prediction best; /* the least time within --memory */
};

/* Returns an exit code, after saying what is wrong. */
int shunt_explained_make(struct shunt_explained *explained, const struct shunt_question *question,
                         const struct shunt_decision *decision);
/* Lines for people, and the member of a JSON object. */
void shunt_explained_print(const struct shunt_explained *explained);
void shunt_explained_json(const struct shunt_explained *explained, struct shunt_json *json);

#endif
