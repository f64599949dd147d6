/* SPDX-License-Identifier: BSD-3-Clause */
/* suggestion.c: see suggestion.h. */
#include "log/suggestion.h"

#include "log/json.h"
#include "log/sizes.h"

/* "32 x 64 ranks", or how many there are where nobody knows on which nodes. */
static void put_place(struct shunt_log_text *text, const struct shunt_log_gap *gap,
                      const struct shunt_log_expectation *expected)
{
    const bool even = expected->nodes > 1 && expected->ppn_min == expected->ppn_max;
    shunt_log_text_count(text, (uint64_t)(even ? expected->nodes : gap->ranks));
    if (even) {
        shunt_log_text_string(text, " x ");
        shunt_log_text_count(text, (uint64_t)expected->ppn_min);
    }
    shunt_log_text_string(text, " ranks, ");
}

static void put_times(struct shunt_log_text *text, double times)
{
    shunt_log_text_fixed(text, times, times < 10 ? 1 : 0);
}

/* Below a twentieth nobody would see it. */
static void put_expected(struct shunt_log_text *text, const struct shunt_log_expectation *expected)
{
    if (!(expected->high > 0))
        return;
    shunt_log_text_string(text, "; expected ");
    if (expected->high < 1.05) {
        shunt_log_text_string(text, "no gain");
    } else {
        put_times(text, expected->low);
        shunt_log_text_string(text, " to ");
        put_times(text, expected->high);
        shunt_log_text_string(text, " times as fast by ");
        shunt_log_text_plain(text, expected->algorithm ? expected->algorithm : "another algorithm");
    }
    shunt_log_text_string(text, " (the model, for ");
    if (expected->machine) {
        shunt_log_text_plain(text, expected->machine);
    } else {
        shunt_log_text_count(text, (uint64_t)expected->machines);
        shunt_log_text_string(text, " kinds of machines");
    }
    shunt_log_text_string(text, ")");
}

void shunt_log_suggestion_human(struct shunt_log_text *text, const struct shunt_log_gap *gap,
                                const struct shunt_log_expectation *expected)
{
    shunt_log_text_string(text, "shunt:  hint    ");
    shunt_log_text_count(text, gap->calls);
    shunt_log_text_string(text, " calls of ");
    shunt_log_text_plain(text, gap->operation);
    shunt_log_text_string(text, " on ");
    put_place(text, gap, expected);
    shunt_log_class_put(text, gap->size);
    shunt_log_text_string(text, ", had no rule of their own and took ");
    shunt_log_text_seconds(text, gap->seconds);
    put_expected(text, expected);
    shunt_log_text_string(text, ": SHUNT_LEARN=on finds out in the next run what is faster, "
                                "\"shunt tune\" measures it\n");
}

static void put_range(struct shunt_json *json, const struct shunt_log_expectation *expected)
{
    shunt_json_key(json, SHUNT_KEY_EXPECTED);
    if (!(expected->high > 0)) {
        shunt_json_null(json);
        return;
    }
    shunt_json_object(json);
    shunt_json_key(json, SHUNT_KEY_LOW);
    shunt_json_digits(json, expected->low, 4);
    shunt_json_key(json, SHUNT_KEY_HIGH);
    shunt_json_digits(json, expected->high, 4);
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, expected->algorithm);
    shunt_json_put_string(json, SHUNT_KEY_BASIS, "model");
    shunt_json_put_string(json, SHUNT_KEY_MACHINE, expected->machine);
    shunt_json_close(json);
}

void shunt_log_suggestion_json(struct shunt_json *json, const struct shunt_log_gap *gap,
                               const struct shunt_log_expectation *expected)
{
    shunt_json_key(json, SHUNT_KEY_SUGGESTION);
    if (!gap) {
        shunt_json_null(json);
        return;
    }
    const bool placed = expected->nodes > 0;
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, gap->operation);
    shunt_json_put_unsigned(json, SHUNT_KEY_RANKS, (uint64_t)gap->ranks);
    shunt_json_put_known(json, SHUNT_KEY_NODES, placed ? expected->nodes : -1);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MIN, placed ? expected->ppn_min : -1);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MAX, placed ? expected->ppn_max : -1);
    shunt_json_put_known(json, SHUNT_KEY_FROM, gap->from);
    shunt_json_put_known(json, SHUNT_KEY_TO, gap->to);
    shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, gap->calls);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, gap->seconds);
    put_range(json, expected);
    shunt_json_close(json);
}
