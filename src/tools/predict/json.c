/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c: questions, settings and costs in the JSON of predict.schema.json, printed or on a page.
 */
#include "tools/predict/json.h"

#include "config.h"
#include "route/words.h"
#include "tools/tool.h"
#include "tools/view/view.h"

static const char *form_name(enum shunt_form form)
{
    static const char *const names[] = {[SHUNT_FORM_CALL] = "call",
                                        [SHUNT_FORM_GRID] = "grid",
                                        [SHUNT_FORM_SWEEP] = "sweep",
                                        [SHUNT_FORM_CURVES] = "curves"};
    return names[form];
}

static void put_caps(struct shunt_json *json, const struct shunt_predict *predict)
{
    if (predict->energy_most >= 0)
        shunt_json_put_real(json, SHUNT_KEY_ENERGY_AT_MOST_J, predict->energy_most);
    shunt_json_put_known(json, SHUNT_KEY_MEMORY_AT_MOST, predict->memory_most);
}

/* One number or several: always a list. */
static void put_axis(struct shunt_json *json, enum shunt_key key, const struct shunt_axis *axis)
{
    if (axis->count == 0)
        return;
    shunt_json_put_array(json, key);
    for (int i = 0; i < axis->count; i++)
        shunt_json_integer(json, axis->value[i]);
    shunt_json_close(json);
}

/* As it was given: the calls follow from it. */
static void put_asked(struct shunt_json *json, const struct shunt_predict *predict)
{
    shunt_json_put_object(json, SHUNT_KEY_ASKED);
    put_axis(json, SHUNT_KEY_RANKS, &predict->ranks);
    put_axis(json, SHUNT_KEY_NODES, &predict->nodes);
    if (predict->ppn > 0)
        shunt_json_put_known(json, SHUNT_KEY_PPN, predict->ppn);
    if (predict->layout)
        shunt_json_put_string(json, SHUNT_KEY_LAYOUT, predict->layout);
    put_axis(json, SHUNT_KEY_BLOCK, &predict->block);
    shunt_json_close(json);
}

static void put_object(struct shunt_json *json, const struct shunt_predict *predict,
                       shunt_predict_answer put, const void *context)
{
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    shunt_json_put_string(json, SHUNT_KEY_FORM, form_name(predict->form));
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(predict->op));
    shunt_json_put_string(json, SHUNT_KEY_MACHINE, predict->machine.name);
    shunt_json_put_string(json, SHUNT_KEY_COUNTS, predict->counts);
    shunt_json_put_string(json, SHUNT_KEY_DISTRIBUTION, shunt_predict_distribution(predict));
    if (predict->distribution)
        shunt_json_put_unsigned(json, SHUNT_KEY_SEED, predict->seed);
    shunt_json_put_string(json, SHUNT_KEY_OBJECTIVE, shunt_objective_name(predict->objective));
    put_caps(json, predict);
    put_asked(json, predict);
    put(json, context);
    shunt_json_close(json);
}

int shunt_predict_json(const struct shunt_predict *predict, shunt_predict_answer put,
                       const void *context)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    put_object(&json, predict, put, context);
    return shunt_tool_write(&text, stdout);
}

struct embedded {
    const struct shunt_predict *predict;
    shunt_predict_answer put;
    const void *context;
};

static int put_embedded(struct shunt_json *json, void *context)
{
    const struct embedded *embedded = context;
    shunt_json_key(json, SHUNT_KEY_PREDICT);
    put_object(json, embedded->predict, embedded->put, embedded->context);
    return SHUNT_EXIT_OK;
}

/* The machine may come from a file that is not found by its name. */
int shunt_predict_html(const struct shunt_predict *predict, shunt_predict_answer put,
                       const void *context)
{
    struct embedded embedded = {predict, put, context};
    const struct shunt_view_machine machine = {
        .name = predict->machine.name, .path = predict->machine.name, .machine = predict->machine};
    const struct shunt_view_content content = {
        .machines = &machine, .machine_count = 1, .put = put_embedded, .context = &embedded};
    return shunt_view_write(&content, predict->html);
}

void shunt_predict_json_case(struct shunt_json *json, const struct shunt_case *c)
{
    shunt_json_put_known(json, SHUNT_KEY_RANKS, c->layout.ranks);
    shunt_json_put_known(json, SHUNT_KEY_NODES, c->layout.nodes);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MIN, c->layout.ppn_min);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MAX, c->layout.ppn_max);
    shunt_json_put_known(json, SHUNT_KEY_BLOCK, c->block);
}

void shunt_predict_json_candidate(struct shunt_json *json, const struct shunt_candidate *c)
{
    char parameters[512];
    shunt_params_print(c->algorithm, &c->params, parameters, sizeof parameters);
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, c->algorithm->name);
    shunt_json_put_string(json, SHUNT_KEY_PARAMETERS, parameters);
}

void shunt_predict_json_cost(struct shunt_json *json, const struct shunt_cost *cost)
{
    shunt_json_put_real(json, SHUNT_KEY_TIME_S, cost->time);
    shunt_json_put_real(json, SHUNT_KEY_ENERGY_J, cost->energy);
    shunt_json_put_real(json, SHUNT_KEY_DYNAMIC_ENERGY_J, cost->dynamic_energy);
    shunt_json_put_known(json, SHUNT_KEY_MEMORY, cost->memory);
    shunt_json_put_known(json, SHUNT_KEY_DESCRIPTORS, cost->descriptors);
    shunt_json_put_unsigned(json, SHUNT_KEY_MESSAGES, cost->messages);
    shunt_json_put_unsigned(json, SHUNT_KEY_REMOTE_MESSAGES, cost->remote_messages);
    shunt_json_put_known(json, SHUNT_KEY_BYTES, cost->bytes);
    shunt_json_put_known(json, SHUNT_KEY_REMOTE_BYTES, cost->remote_bytes);
    shunt_json_put_unsigned(json, SHUNT_KEY_ROUNDS, cost->rounds);
    shunt_json_put_string(json, SHUNT_KEY_METHOD, shunt_cost_method_name(cost->method));
}

void shunt_predict_json_gain(struct shunt_json *json, const struct shunt_cost *cost,
                             const struct shunt_cost *native)
{
    const double gain = shunt_predict_gain(cost, native);
    shunt_json_key(json, SHUNT_KEY_SPEEDUP);
    if (gain < 0)
        shunt_json_null(json);
    else
        shunt_json_fixed(json, gain, 6);
}
