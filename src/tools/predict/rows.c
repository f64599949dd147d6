/* SPDX-License-Identifier: BSD-3-Clause */
/* rows.c: parts of rows, and of the JSON of predict.schema.json. */
#include "config.h"
#include "route/words.h"
#include "tools/common/tool.h"
#include "tools/predict/predict.h"
#include "tools/view/view.h"

enum shunt_sheet_form shunt_predict_sheet_form(const struct shunt_predict *predict,
                                               const struct shunt_json *json)
{
    return json ? SHUNT_SHEET_JSON : predict->csv ? SHUNT_SHEET_CSV : SHUNT_SHEET_TEXT;
}

void shunt_predict_name(const struct shunt_candidate *candidate, char *text, size_t capacity)
{
    const size_t used = (size_t)snprintf(text, capacity, "%s ", candidate->algorithm->name);
    if (used >= capacity)
        return;
    shunt_params_print(candidate->algorithm, &candidate->params, text + used, capacity - used);
    if (text[used] == '\0')
        text[used - 1] = '\0';
}

struct shunt_field *shunt_predict_place_put(struct shunt_field *row,
                                            const struct shunt_predict *predict,
                                            const struct shunt_place *place)
{
    *row++ = shunt_field_text(shunt_op_name(predict->op));
    *row++ = shunt_field_count(place->ranks);
    *row++ = shunt_field_count(place->nodes);
    *row++ = shunt_field_count(place->ppn_min);
    *row++ = shunt_field_count(place->ppn_max);
    *row++ = shunt_field_count(place->block);
    *row++ = shunt_field_text(shunt_predict_distribution(predict));
    return row;
}

struct shunt_field *shunt_predict_cost_put(struct shunt_field *row, const struct shunt_cost *cost,
                                           const struct shunt_cost *native)
{
    const struct shunt_field gain =
        shunt_field_real(native ? shunt_predict_gain(cost, native) : -1);
    *row++ = shunt_field_real(cost->time);
    *row++ = gain;
    *row++ = shunt_field_real(cost->energy);
    *row++ = shunt_field_real(cost->dynamic_energy);
    *row++ = shunt_field_count(cost->memory);
    *row++ = shunt_field_count(cost->descriptors);
    *row++ = shunt_field_unsigned(cost->messages);
    *row++ = shunt_field_unsigned(cost->remote_messages);
    *row++ = shunt_field_count(cost->bytes);
    *row++ = shunt_field_count(cost->remote_bytes);
    *row++ = shunt_field_count(cost->rounds);
    *row++ = shunt_field_text(shunt_cost_method_name(cost->method));
    *row++ = gain;
    return row;
}

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

void shunt_predict_json_candidate(struct shunt_json *json, const struct shunt_candidate *c)
{
    char parameters[512];
    shunt_params_print(c->algorithm, &c->params, parameters, sizeof parameters);
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, c->algorithm->name);
    shunt_json_put_string(json, SHUNT_KEY_PARAMETERS, parameters);
}
