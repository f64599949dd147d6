/* SPDX-License-Identifier: BSD-3-Clause */
/* predicted.c: see explain_predict.h. */
#include "tools/explain/predicted.h"

#include <stdio.h>

#include "tools/common/tool.h"
#include "tools/predict/predict.h"
#include "tools/predict/progress.h"

int shunt_explained_make(struct shunt_explained *explained, const struct shunt_question *question,
                         const struct shunt_decision *decision)
{
    struct shunt_predict predict = {.asker = question->asker,
                                    .op = question->op,
                                    .best_only = true,
                                    .energy_most = -1,
                                    .memory_most = question->memory};
    const struct shunt_case c = {.layout = question->layout, .block = question->block};
    const struct shunt_candidate candidate = {.algorithm = decision->algorithm,
                                              .params = decision->params};
    struct shunt_predictions predictions = {0};
    enum shunt_cost_result result;
    int code =
        shunt_predict_machine(&predict.machine, question->asker, question->machine, question->file);
    if (code == SHUNT_EXIT_OK)
        code = shunt_predictions_make(&predictions, &predict, &c);
    shunt_progress_clear();
    if (code == SHUNT_EXIT_OK) {
        explained->machine = predict.machine;
        explained->algorithm = decision->algorithm;
        /* native needs no memory of ours, so there is a choice */
        explained->best = predictions.prediction[predictions.choice];
        explained->native = predictions.prediction[predictions.native].cost;
        explained->known = shunt_predict_can(decision->algorithm) &&
                           shunt_predict_cost(&explained->cost, &predict.machine, predict.op, &c,
                                              &candidate, 0, &result);
    }
    shunt_predictions_clear(&predictions);
    return code;
}

/* "12.3 us, 45 mJ, 2.10 times as fast as native"; of native itself no more than its cost. */
static void print_cost(const struct shunt_explained *explained, const struct shunt_cost *cost,
                       const struct shunt_algorithm *algorithm)
{
    const double gain = shunt_predict_gain(cost, &explained->native);
    char time[32], energy[32];
    shunt_seconds_print(cost->time, time, sizeof time);
    shunt_joules_print(cost->energy, energy, sizeof energy);
    printf("%s", time);
    if (shunt_predict_knows_energy(&explained->machine))
        printf(", %s", energy);
    if (gain >= 0 && algorithm->kind != SHUNT_KIND_NATIVE)
        printf(", %.2f times as fast as native", gain);
    puts("");
}

void shunt_explained_print(const struct shunt_explained *explained)
{
    char name[SHUNT_PREDICT_ROOM];
    printf("%-10s ", "predicted");
    if (explained->known)
        print_cost(explained, &explained->cost, explained->algorithm);
    else
        puts("nothing is known of its messages");
    shunt_predict_name(&explained->best.candidate, name, sizeof name);
    printf("%-10s best on ", "");
    shunt_tool_put(stdout, explained->machine.name);
    printf(": %s, ", name);
    print_cost(explained, &explained->best.cost, explained->best.candidate.algorithm);
}

void shunt_explained_json(const struct shunt_explained *explained, struct shunt_json *json)
{
    shunt_json_put_object(json, SHUNT_KEY_PREDICTED);
    shunt_json_put_string(json, SHUNT_KEY_MACHINE, explained->machine.name);
    if (explained->known)
        shunt_predict_json_cost(json, &explained->cost, &explained->native);
    shunt_json_put_object(json, SHUNT_KEY_BEST);
    shunt_predict_json_candidate(json, &explained->best.candidate);
    shunt_predict_json_cost(json, &explained->best.cost, &explained->native);
    shunt_json_close(json);
    shunt_json_close(json);
}
