/* SPDX-License-Identifier: BSD-3-Clause */
/* verdict.c: what routing was worth, in words. */
#include "log/estimate.h"

static void put_range(struct shunt_log_text *text, double low, double high)
{
    shunt_log_text_seconds(text, low);
    shunt_log_text_string(text, " to ");
    shunt_log_text_seconds(text, high);
}

static struct shunt_log_estimate mean_of(const struct shunt_log_estimate *sum)
{
    struct shunt_log_estimate mean = *sum;
    const double ranks = (double)sum->ranks;
    mean.speedup /= ranks;
    mean.low /= ranks;
    mean.high /= ranks;
    mean.saved /= ranks;
    mean.saved_low /= ranks;
    mean.saved_high /= ranks;
    mean.cost /= ranks;
    mean.spent /= ranks;
    mean.native /= sum->ranks;
    mean.routed /= sum->ranks;
    return mean;
}

/* Seconds from `least` to `most`, and the best guess. Where they go beyond what was spent, only the
 * end that is certain is told. */
static void put_change(struct shunt_log_text *text, double guess, double least, double most,
                       double spent, const char *what)
{
    const bool within = most <= spent;
    shunt_log_text_string(text, within ? "" : "at least ");
    shunt_log_text_seconds(text, within ? guess : least < spent ? least : spent);
    shunt_log_text_string(text, what);
    if (!within)
        return;
    shunt_log_text_string(text, ", ");
    put_range(text, least, most);
}

/* A gain or a loss is called that where the whole interval says so: otherwise a number in the
 * middle of it would say more than is known. False: nothing can be said. */
static bool put_saved(struct shunt_log_text *text, const struct shunt_log_estimate *mean,
                      bool several)
{
    const double low = mean->saved_low, high = mean->saved_high;
    /* Both are sums of rounded numbers. */
    const double spent = (mean->spent + mean->cost) * (1 + 1e-6);
    if (low > 0) {
        put_change(text, mean->saved, low, high, spent,
                   several ? " saved by a rank on average" : " saved");
    } else if (high < 0) {
        shunt_log_text_string(text, "none: ");
        put_change(text, -mean->saved, -high, -low, spent,
                   several ? " lost by a rank on average" : " lost");
    } else if (-low <= spent && high <= spent) {
        shunt_log_text_string(text, "not clear: between ");
        shunt_log_text_seconds(text, -low);
        shunt_log_text_string(text, " lost and ");
        shunt_log_text_seconds(text, high);
        shunt_log_text_string(text, several ? " saved by a rank on average" : " saved");
    } else {
        return false;
    }
    if (mean->cost > 0) {
        shunt_log_text_string(text, ", after ");
        shunt_log_text_seconds(text, mean->cost);
        shunt_log_text_string(text, " for set-up");
    }
    shunt_log_text_string(text, "\n");
    return true;
}

void shunt_log_times_put(struct shunt_log_text *text, double times)
{
    shunt_log_text_fixed(text, times, times < 0.1 ? 4 : times < 1 ? 2 : times < 10 ? 1 : 0);
}

/* Times as fast. */
static void put_speedup(struct shunt_log_text *text, const struct shunt_log_estimate *mean,
                        bool several)
{
    const bool clear = mean->low > 1 || mean->high < 1;
    shunt_log_text_string(text, "routed calls ");
    if (clear) {
        shunt_log_times_put(text, mean->speedup);
        shunt_log_text_string(text, " times as fast as native, ");
    }
    shunt_log_times_put(text, mean->low);
    shunt_log_text_string(text, " to ");
    shunt_log_times_put(text, mean->high);
    shunt_log_text_string(text, clear ? " (" : " times as fast as native (");
    shunt_log_text_count(text, mean->native);
    shunt_log_text_string(text, " native, ");
    shunt_log_text_count(text, mean->routed);
    shunt_log_text_string(text, several ? " routed calls each)\n" : " routed calls)\n");
}

static void put_missing(struct shunt_log_text *text, const struct shunt_log_estimate *estimate,
                        const char *next)
{
    if (estimate->verified) {
        shunt_log_text_string(text, "not measured: SHUNT_VERIFY=1 makes both exchanges in each "
                                    "call; run without it\n");
        return;
    }
    shunt_log_text_string(text, "not measured: ");
    if (estimate->too_few == 0)
        shunt_log_text_string(text, "no");
    else
        shunt_log_text_count(text, estimate->too_few);
    shunt_log_text_string(text, estimate->too_few > 1 ? " native calls were" : " native call was");
    shunt_log_text_string(text, " timed beside like routed ones");
    shunt_log_text_string(text, estimate->too_few > 0 ? ", too few or too early\n" : "\n");
    shunt_log_text_string(text, next);
    shunt_log_text_string(text, "to measure it: SHUNT_GUARD=1 SHUNT_WARMUP=64, no SHUNT_FORCE, "
                                "some hundred calls\n");
}

void shunt_log_verdict_put(struct shunt_log_text *text, const struct shunt_log_estimate *estimate,
                           const char *first, const char *next)
{
    const bool several = estimate->asked > 1;
    if (estimate->asked == 0)
        return;
    shunt_log_text_string(text, first);
    if (estimate->ranks == 0 || estimate->verified) {
        put_missing(text, estimate, next);
        return;
    }
    const struct shunt_log_estimate mean = mean_of(estimate);
    if (put_saved(text, &mean, several)) {
        shunt_log_text_string(text, next);
        put_speedup(text, &mean, several);
    } else {
        shunt_log_text_string(text, "not measured: like calls take too different times, and more "
                                    "calls are needed\n");
    }
    if (estimate->ranks < estimate->asked) {
        shunt_log_text_string(text, next);
        shunt_log_text_string(text, "measured by ");
        shunt_log_text_count(text, estimate->ranks);
        shunt_log_text_string(text, " of ");
        shunt_log_text_count(text, estimate->asked);
        shunt_log_text_string(text, " ranks\n");
    }
    if (!estimate->crowded)
        return;
    shunt_log_text_string(text, next);
    shunt_log_text_string(text, "ranks share processors: times are mostly those of waiting\n");
}
