/* SPDX-License-Identifier: BSD-3-Clause */
/* suggestion.c: see suggestion.h. */
#include "log/suggestion.h"

#include "log/json.h"
#include "log/sizes.h"

void shunt_log_suggestion_human(struct shunt_log_text *text, const struct shunt_log_gap *gap)
{
    shunt_log_text_string(text, "shunt:  hint    ");
    shunt_log_text_count(text, gap->calls);
    shunt_log_text_string(text, " calls of ");
    shunt_log_text_plain(text, gap->operation);
    shunt_log_text_string(text, " on ");
    shunt_log_text_count(text, (uint64_t)gap->ranks);
    shunt_log_text_string(text, " ranks, ");
    shunt_log_class_put(text, gap->size);
    shunt_log_text_string(text, ", had no rule of their own and took ");
    shunt_log_text_seconds(text, gap->seconds);
    shunt_log_text_string(text, ": SHUNT_LEARN=on finds out in the next run what is faster, "
                                "\"shunt tune\" measures it\n");
}

void shunt_log_suggestion_json(struct shunt_json *json, const struct shunt_log_gap *gap)
{
    shunt_json_key(json, SHUNT_KEY_SUGGESTION);
    if (!gap) {
        shunt_json_null(json);
        return;
    }
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, gap->operation);
    shunt_json_put_unsigned(json, SHUNT_KEY_RANKS, (uint64_t)gap->ranks);
    shunt_json_put_known(json, SHUNT_KEY_FROM, gap->from);
    shunt_json_put_known(json, SHUNT_KEY_TO, gap->to);
    shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, gap->calls);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, gap->seconds);
    shunt_json_close(json);
}
