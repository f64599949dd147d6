/* SPDX-License-Identifier: BSD-3-Clause */
/* left.c: see left.h. */
#include "log/left.h"

#include <string.h>

#include "log/json.h"
#include "log/line.h"

/* Communicators alike have one line. */
static bool same(const struct shunt_log_left *a, const struct shunt_log_left *b)
{
    return strcmp(a->operation, b->operation) == 0 && a->algorithm == b->algorithm &&
           a->rule_file == b->rule_file && a->rule_line == b->rule_line && a->from == b->from &&
           a->to == b->to && a->ranks == b->ranks && a->nodes == b->nodes &&
           a->ppn_min == b->ppn_min && a->ppn_max == b->ppn_max;
}

void shunt_log_lefts_set(struct shunt_log_lefts *lefts, const struct shunt_log_left *one, bool left)
{
    int at = 0;
    while (at < lefts->count && !same(&lefts->list[at], one))
        at++;
    if (left && at == SHUNT_LOG_LEFT_MOST) {
        lefts->more++;
    } else if (left) {
        lefts->list[at] = *one;
        lefts->count += at == lefts->count;
    } else if (at < lefts->count) {
        lefts->count--;
        memmove(&lefts->list[at], &lefts->list[at + 1],
                (size_t)(lefts->count - at) * sizeof lefts->list[0]);
    }
}

static void put_sizes(struct shunt_log_text *text, const struct shunt_log_left *left)
{
    if (left->to == INT64_MAX) {
        shunt_log_text_string(text, "blocks of any size");
        return;
    }
    if (left->from < left->to) {
        shunt_log_text_bytes(text, (uint64_t)left->from);
        shunt_log_text_string(text, " - ");
    }
    shunt_log_text_bytes(text, (uint64_t)left->to);
}

/* "2 x 8 ranks"; "13 ranks on 2 nodes". */
static void put_place(struct shunt_log_text *text, const struct shunt_log_left *left)
{
    const bool even = left->ppn_min == left->ppn_max;
    shunt_log_text_count(text, (uint64_t)(even ? left->nodes : left->ranks));
    shunt_log_text_string(text, even ? " x " : " ranks on ");
    shunt_log_text_count(text, (uint64_t)(even ? left->ppn_min : left->nodes));
    shunt_log_text_string(text, even ? " ranks" : " nodes");
}

static void put_times(struct shunt_log_text *text, const struct shunt_log_left *left)
{
    if (left->rule <= 0 || left->native <= 0) {
        shunt_log_text_string(text, "could not be carried out");
        return;
    }
    shunt_log_text_string(text, "took ");
    shunt_log_text_seconds(text, 1e-9 * (double)left->rule);
    shunt_log_text_string(text, ", native ");
    shunt_log_text_seconds(text, 1e-9 * (double)left->native);
    shunt_log_text_string(text, " (");
    shunt_log_text_fixed(text, (double)left->native / (double)left->rule, 2);
    shunt_log_text_string(text, ")");
}

static void put_one(struct shunt_log_text *text, const struct shunt_log_left *left)
{
    shunt_log_text_string(text, "shunt:  guard   ");
    shunt_log_text_plain(text, left->operation);
    shunt_log_text_string(text, ", ");
    put_sizes(text, left);
    shunt_log_text_string(text, ", on ");
    put_place(text, left);
    shunt_log_text_string(text, ": native since call ");
    shunt_log_text_count(text, left->call + 1);
    shunt_log_text_string(text, ",\nshunt:          for ");
    shunt_log_text_plain(text, left->algorithm);
    shunt_log_text_string(text, " ");
    put_times(text, left);
    if (left->rule_file) {
        shunt_log_text_string(text, "; ");
        shunt_log_rule_human(text, left->rule_file, left->rule_line, left->rule_id);
    }
    shunt_log_text_string(text, "\n");
}

void shunt_log_lefts_human(struct shunt_log_text *text, const struct shunt_log_lefts *lefts)
{
    for (int i = 0; i < lefts->count; i++)
        put_one(text, &lefts->list[i]);
    if (lefts->more == 0)
        return;
    shunt_log_text_string(text, "shunt:  guard   and ");
    shunt_log_text_count(text, (uint64_t)lefts->more);
    shunt_log_text_string(text, " times more\n");
}

static void json_one(struct shunt_json *json, const struct shunt_log_left *left)
{
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, left->operation);
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, left->algorithm);
    shunt_json_put_rule(json, SHUNT_KEY_RULE, left->rule_file, left->rule_line, left->rule_id);
    shunt_json_put_unsigned(json, SHUNT_KEY_RANKS, (uint64_t)left->ranks);
    shunt_json_put_unsigned(json, SHUNT_KEY_NODES, (uint64_t)left->nodes);
    shunt_json_put_unsigned(json, SHUNT_KEY_PPN_MIN, (uint64_t)left->ppn_min);
    shunt_json_put_unsigned(json, SHUNT_KEY_PPN_MAX, (uint64_t)left->ppn_max);
    shunt_json_put_known(json, SHUNT_KEY_FROM, left->from);
    shunt_json_put_known(json, SHUNT_KEY_TO, left->to == INT64_MAX ? -1 : left->to);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, 1e-9 * (double)left->rule);
    shunt_json_put_number(json, SHUNT_KEY_NATIVE, 1e-9 * (double)left->native);
    shunt_json_put_unsigned(json, SHUNT_KEY_SINCE, left->call + 1);
    shunt_json_close(json);
}

void shunt_log_lefts_json(struct shunt_json *json, const struct shunt_log_lefts *lefts)
{
    shunt_json_put_array(json, SHUNT_KEY_RULES_LEFT);
    for (int i = 0; i < lefts->count; i++)
        json_one(json, &lefts->list[i]);
    shunt_json_close(json);
}
