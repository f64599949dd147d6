/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.c: what routing was worth, in words. */
#include "log/estimate.h"

static void put_count(struct shunt_log_text *text, uint64_t count, const char *one,
                      const char *more)
{
    shunt_log_text_count(text, count);
    shunt_log_text_string(text, count == 1 ? one : more);
}

static void put_range(struct shunt_log_text *text, double low, double high)
{
    shunt_log_text_seconds(text, low);
    shunt_log_text_string(text, " to ");
    shunt_log_text_seconds(text, high);
}

/* A gain or a loss is called that where the whole interval says so: otherwise a number in the
 * middle of it would say more than is known. */
void shunt_log_saved_put(struct shunt_log_text *text, const struct shunt_log_estimate *estimate)
{
    const double saved = estimate->saved, low = estimate->saved_low, high = estimate->saved_high;
    if (low > 0) {
        shunt_log_text_seconds(text, saved);
        shunt_log_text_string(text, " saved, ");
        put_range(text, low, high);
    } else if (high < 0) {
        shunt_log_text_string(text, "none: ");
        shunt_log_text_seconds(text, -saved);
        shunt_log_text_string(text, " lost, ");
        put_range(text, -high, -low);
    } else {
        shunt_log_text_string(text, "not known: between ");
        shunt_log_text_seconds(text, -low);
        shunt_log_text_string(text, " lost and ");
        shunt_log_text_seconds(text, high);
        shunt_log_text_string(text, " saved");
    }
    if (estimate->cost > 0) {
        shunt_log_text_string(text, ", after ");
        shunt_log_text_seconds(text, estimate->cost);
        shunt_log_text_string(text, " for set-up");
    }
}

void shunt_log_times_put(struct shunt_log_text *text, double times)
{
    shunt_log_text_fixed(text, times, times < 0.1 ? 4 : times < 1 ? 2 : times < 10 ? 1 : 0);
}

/* Times as fast. */
static void put_speedup(struct shunt_log_text *text, const struct shunt_log_estimate *estimate)
{
    shunt_log_text_string(text, "routed calls ");
    if (estimate->low > 1 || estimate->high < 1) {
        shunt_log_times_put(text, estimate->speedup);
        shunt_log_text_string(text, " times as fast as native, ");
        shunt_log_times_put(text, estimate->low);
        shunt_log_text_string(text, " to ");
        shunt_log_times_put(text, estimate->high);
    } else {
        shunt_log_times_put(text, estimate->low);
        shunt_log_text_string(text, " to ");
        shunt_log_times_put(text, estimate->high);
        shunt_log_text_string(text, " times as fast as native");
    }
    shunt_log_text_string(text, " (");
    shunt_log_text_count(text, estimate->native);
    shunt_log_text_string(text, " native, ");
    shunt_log_text_count(text, estimate->routed);
    shunt_log_text_string(text, " routed calls)");
}

void shunt_log_verdict_put(struct shunt_log_text *text, const struct shunt_log_estimate *estimate,
                           bool oversubscribed, const char *first, const char *next)
{
    if (!(estimate->speedup > 0)) {
        if (estimate->too_few == 0)
            return;
        shunt_log_text_string(text, first);
        shunt_log_text_string(text, "not known");
        if (estimate->at_most > 0) {
            shunt_log_text_string(text, ", at most ");
            shunt_log_text_seconds(text, estimate->at_most);
        }
        shunt_log_text_string(text, ": only ");
        put_count(text, estimate->too_few, " early native call was", " early native calls were");
        shunt_log_text_string(text, " timed (SHUNT_VERIFY=1 times all)\n");
        return;
    }
    shunt_log_text_string(text, first);
    shunt_log_saved_put(text, estimate);
    shunt_log_text_string(text, "\n");
    shunt_log_text_string(text, next);
    put_speedup(text, estimate);
    shunt_log_text_string(text, "\n");
    if (!oversubscribed)
        return;
    shunt_log_text_string(text, next);
    shunt_log_text_string(text, "ranks share processors: times are mostly those of waiting\n");
}
