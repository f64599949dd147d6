/* SPDX-License-Identifier: BSD-3-Clause */
/* embed.c: calls of logs in the data of a page of the viewer, by kind. */
#include "log/json.h"
#include "route/words.h"
#include "tools/report/report.h"

/* Kinds of calls that have a place of their own in a page: a megabyte. */
enum { ROWS_MOST = 4000 };

static void put_part(struct shunt_json *json, uint64_t calls, uint64_t bytes, double seconds)
{
    shunt_json_put_unsigned(json, SHUNT_KEY_CALLS, calls);
    shunt_json_put_unsigned(json, SHUNT_KEY_BYTES, bytes);
    shunt_json_put_number(json, SHUNT_KEY_SECONDS, seconds);
}

/* Where nodes are unequal, the log tells how, and the page can follow so many ranks: the list of a
 * hundred thousand nodes, in every row, is more than a browser shows in a minute. */
static void put_layout(struct shunt_json *json, const struct shunt_report_shape *shape)
{
    if (!shape->sizes || !shape->placed || shape->ranks > SHUNT_WHOLE_RANKS ||
        shape->layout.ppn_min == shape->layout.ppn_max)
        return;
    shunt_json_put_array(json, SHUNT_KEY_LAYOUT);
    for (int node = 0; node < shape->nodes; node++)
        shunt_json_integer(json, shape->sizes[node]);
    shunt_json_close(json);
}

static void put_row(struct shunt_json *json, const struct shunt_report_calls *calls,
                    const struct shunt_report_row *row)
{
    const struct shunt_log_key *key = &row->cell.key.entry->key;
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(row->op));
    shunt_json_put_known(json, SHUNT_KEY_RANKS, row->ranks > 0 ? row->ranks : -1);
    shunt_json_put_known(json, SHUNT_KEY_NODES, row->nodes > 0 ? row->nodes : -1);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MAX, row->ppn > 0 ? row->ppn : -1);
    put_layout(json, &calls->shapes[row->shape]);
    shunt_json_put_known(json, SHUNT_KEY_LARGEST, row->block_high);
    if (row->ranks > 0)
        shunt_json_put_number(json, SHUNT_KEY_MEAN, shunt_report_mean(row));
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM,
                          shunt_report_row_text(row, SHUNT_LOG_ALGORITHM));
    shunt_json_put_string(json, SHUNT_KEY_PARAMETERS, shunt_report_row_text(row, SHUNT_LOG_PARAMS));
    shunt_json_put_rule(json, SHUNT_KEY_RULE, key->field[SHUNT_LOG_FILE], key->line,
                        key->field[SHUNT_LOG_ID]);
    shunt_json_put_string(json, SHUNT_KEY_REASON, key->field[SHUNT_LOG_REASON]);
    put_part(json, row->cell.calls, row->cell.bytes, row->cell.seconds);
    shunt_json_close(json);
}

static void put_rows(struct shunt_json *json, const struct shunt_report_calls *calls)
{
    struct shunt_log_part beyond = calls->beyond;
    shunt_json_put_array(json, SHUNT_KEY_LOGS);
    for (uint32_t i = 0; i < calls->count; i++) {
        const struct shunt_report_row *row = calls->by_time[i];
        if (i < ROWS_MOST) {
            put_row(json, calls, row);
        } else {
            beyond.calls += row->cell.calls;
            beyond.bytes += row->cell.bytes;
            beyond.seconds += row->cell.seconds;
        }
    }
    shunt_json_close(json);
    shunt_json_put_object(json, SHUNT_KEY_BEYOND);
    put_part(json, beyond.calls, beyond.bytes, beyond.seconds);
    shunt_json_close(json);
}

static int layout_of(const void *context, uint64_t id, const int **sizes)
{
    const struct shunt_report_calls *calls = context;
    for (uint32_t i = 1; i < calls->communicator_count; i++) {
        *sizes = calls->communicators[i].sizes;
        if (calls->communicators[i].id == id && *sizes)
            return calls->communicators[i].nodes;
    }
    return 0;
}

void shunt_report_embed(struct shunt_json *json, const struct shunt_report_calls *calls,
                        const struct shunt_whole *whole)
{
    put_rows(json, calls);
    shunt_whole_put(json, whole, layout_of, calls);
}
