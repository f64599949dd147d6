/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.c: whether an event is among what is asked for. */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/log/options.h"

/* Fewer digits could be a name by chance. */
enum { ID_LEAST = 4 };

static bool matches_rank(const struct shunt_logs_filter *filter, int rank)
{
    for (size_t i = 0; i < filter->rank_count; i++)
        if (rank >= 0 && rank >= filter->ranks[i].low && rank <= filter->ranks[i].high)
            return true;
    return !filter->ranks;
}

static bool matches_communicator(const char *wanted, const struct shunt_logs_event *event)
{
    const char *name = event->record.communicator;
    const size_t length = strlen(wanted);
    if (name && fnmatch(wanted, name, 0) == 0)
        return true;
    return length >= ID_LEAST && event->id[0] != '\0' &&
           strncasecmp(wanted, event->id, length) == 0;
}

static bool matches_algorithm(const struct shunt_logs_filter *filter, const char *name)
{
    const struct shunt_algorithm *algorithm = name ? shunt_registry_find(name) : NULL;
    for (size_t i = 0; i < filter->algorithm_count; i++)
        if (algorithm == filter->algorithms[i])
            return true;
    return !filter->algorithms;
}

/* The id, or the line in a file that may be named without its folders. */
static bool matches_rule(const char *wanted, const struct shunt_record *record)
{
    if (!record->rule_file)
        return false;
    if (record->rule_id && strcmp(wanted, record->rule_id) == 0)
        return true;
    const char *colon = strrchr(wanted, ':'), *file = record->rule_file;
    if (!colon || colon == wanted || record->rule_line <= 0 ||
        strtol(colon + 1, NULL, 10) != record->rule_line)
        return false;
    const size_t wanted_length = (size_t)(colon - wanted), length = strlen(file);
    if (wanted_length > length)
        return false;
    file += length - wanted_length;
    return strncmp(wanted, file, wanted_length) == 0 &&
           (file == record->rule_file || file[-1] == '/' || wanted[0] == '/');
}

static bool is_native(const struct shunt_record *record)
{
    return record->algorithm && strcmp(record->algorithm, "native") == 0;
}

/* Filters that look at calls alone. */
static bool asks_calls(const struct shunt_logs_filter *filter)
{
    return filter->operation || filter->algorithms || filter->rule || filter->sized ||
           filter->slower >= 0 || filter->native || filter->routed || filter->reason;
}

static bool matches_call(const struct shunt_logs_filter *filter, const struct shunt_record *r)
{
    if (filter->operation && (!r->operation || strcmp(filter->operation, r->operation) != 0))
        return false;
    if (filter->rule && !matches_rule(filter->rule, r))
        return false;
    if (filter->sized && (r->max < 0 || r->max < filter->size.low || r->max > filter->size.high))
        return false;
    if (filter->slower >= 0 && !(r->seconds > filter->slower))
        return false;
    if ((filter->native && !is_native(r)) || (filter->routed && is_native(r)))
        return false;
    if (filter->reason && (!r->reason || !strcasestr(r->reason, filter->reason)))
        return false;
    return matches_algorithm(filter, r->algorithm);
}

bool shunt_logs_matches(const struct shunt_logs_filter *filter,
                        const struct shunt_logs_event *event)
{
    if (!matches_rank(filter, event->rank))
        return false;
    if (filter->communicator && !matches_communicator(filter->communicator, event))
        return false;
    if (!asks_calls(filter))
        return true;
    return event->kind == SHUNT_LOGS_CALL && matches_call(filter, &event->record);
}

bool shunt_logs_matches_time(const struct shunt_logs_filter *filter, double since_start)
{
    /* As it is printed; what a number keeps of seconds since 1970 ends at about there. */
    const double rounded = floor(since_start * 1e6 + 0.5) / 1e6;
    return rounded >= filter->from && rounded <= filter->to;
}

bool shunt_logs_narrows(const struct shunt_logs_filter *filter)
{
    return asks_calls(filter) || filter->communicator || filter->from > 0 || isfinite(filter->to);
}
