/* SPDX-License-Identifier: BSD-3-Clause */
/* data.c: differences for programs: CSV and JSON. */
#include <inttypes.h>
#include <string.h>

#include "config.h"
#include "log/json.h"
#include "tools/diff/diff.h"
#include "tools/rules.h"

/* Nothing where there is no upper end. */
static void put_csv_range(struct shunt_range range, bool sizes)
{
    printf(",%" PRId64 ",", range.low);
    if (range.high < (sizes ? INT64_MAX : INT32_MAX))
        printf("%" PRId64, range.high);
}

static void put_csv_answer(const struct shunt_diff *diff, const struct shunt_difference *difference,
                           int which)
{
    const struct shunt_diff_answer *answer = &difference->answer[which];
    const char *parameters = strchr(answer->name, ':');
    shunt_csv_put(answer->algorithm->name);
    shunt_csv_put(parameters ? parameters + 1 : "");
    shunt_csv_put(answer->rule       ? shunt_table_string(diff->table[which], answer->rule->file)
                  : answer->modelled ? "model"
                                     : "");
    putchar(',');
    if (answer->rule && answer->rule->line > 0)
        printf("%d", answer->rule->line);
    shunt_csv_put(answer->rule ? shunt_table_string(diff->table[which], answer->rule->id) : "");
}

void shunt_diff_csv(const struct shunt_diff *diff, const struct shunt_differences *found)
{
    puts("operation,ranks_from,ranks_to,nodes_from,nodes_to,ppn_min_from,ppn_min_to,ppn_max_from,"
         "ppn_max_to,block_from,block_to,density_from,density_to,everywhere,ranks,nodes,ppn_min,"
         "ppn_max,block,density,first_"
         "algorithm,"
         "first_parameters,first_file,first_line,first_id,second_algorithm,second_parameters,"
         "second_file,second_line,second_id");
    for (size_t i = 0; i < found->count; i++) {
        const struct shunt_difference *d = &found->at[i];
        printf("%s", shunt_op_name(d->op));
        for (int side = SHUNT_BOX_RANKS; side < SHUNT_BOX_SIDES; side++)
            put_csv_range(d->where.side[side], false);
        put_csv_range(d->where.side[SHUNT_BOX_BLOCK], true);
        put_csv_range(d->where.side[SHUNT_BOX_DENSITY], false);
        printf(",%d,%d,%d,%d,%d,%" PRId64 ",%d", d->everywhere, d->ranks, d->nodes, d->ppn_min,
               d->ppn_max, d->block, d->density);
        for (int which = 0; which < SHUNT_DIFF_SIDES; which++)
            put_csv_answer(diff, d, which);
        putchar('\n');
    }
}

static const enum shunt_key which_key[SHUNT_DIFF_SIDES] = {SHUNT_KEY_FIRST, SHUNT_KEY_SECOND};

static void json_answer(struct shunt_json *json, const struct shunt_diff *diff,
                        const struct shunt_difference *difference, int which)
{
    const struct shunt_diff_answer *answer = &difference->answer[which];
    const struct shunt_table *table = diff->table[which];
    char parameters[SHUNT_DIFF_NAME];
    const char *colon = strchr(answer->name, ':');
    snprintf(parameters, sizeof parameters, "%s", colon ? colon + 1 : "");
    for (char *at = parameters; *at != '\0'; at++)
        *at = *at == ':' ? ' ' : *at;
    shunt_json_put_object(json, which_key[which]);
    shunt_json_put_string(json, SHUNT_KEY_ALGORITHM, answer->algorithm->name);
    shunt_json_put_string(json, SHUNT_KEY_PARAMETERS, parameters);
    if (answer->rule)
        shunt_rule_json(json, table, answer->rule);
    else
        shunt_json_put_rule(json, SHUNT_KEY_RULE, NULL, 0, NULL);
    shunt_json_put_flag(json, SHUNT_KEY_MODELLED, answer->modelled);
    shunt_json_close(json);
}

/* Natural ends are none. */
static struct shunt_range open_end(struct shunt_range range)
{
    if (range.high >= INT32_MAX)
        range = (struct shunt_range){range.low > 1 ? range.low : 0, INT64_MAX};
    return range;
}

static struct shunt_range all_densities(struct shunt_range range)
{
    if (range.high >= SHUNT_DENSITY_FULL)
        range.high = INT64_MAX;
    return range;
}

static void json_difference(struct shunt_json *json, const struct shunt_diff *diff,
                            const struct shunt_difference *difference)
{
    const struct shunt_range *side = difference->where.side;
    const struct shunt_conditions conditions = {.ranks = open_end(side[SHUNT_BOX_RANKS]),
                                                .nodes = open_end(side[SHUNT_BOX_NODES]),
                                                .ppn = {0, INT64_MAX},
                                                .fewest = open_end(side[SHUNT_BOX_LEAST]),
                                                .most = open_end(side[SHUNT_BOX_MOST]),
                                                .block = side[SHUNT_BOX_BLOCK],
                                                .density = all_densities(side[SHUNT_BOX_DENSITY])};
    shunt_json_line(json);
    shunt_json_object(json);
    shunt_json_put_string(json, SHUNT_KEY_OPERATION, shunt_op_name(difference->op));
    shunt_conditions_json(json, &conditions);
    shunt_json_put_flag(json, SHUNT_KEY_EVERYWHERE, difference->everywhere);
    shunt_json_put_object(json, SHUNT_KEY_EXAMPLE);
    shunt_json_put_known(json, SHUNT_KEY_RANKS, difference->ranks);
    shunt_json_put_known(json, SHUNT_KEY_NODES, difference->nodes);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MIN, difference->ppn_min);
    shunt_json_put_known(json, SHUNT_KEY_PPN_MAX, difference->ppn_max);
    shunt_json_put_known(json, SHUNT_KEY_BLOCK, difference->block);
    shunt_json_put_known(json, SHUNT_KEY_DENSITY, difference->density);
    shunt_json_close(json);
    for (int which = 0; which < SHUNT_DIFF_SIDES; which++)
        json_answer(json, diff, difference, which);
    shunt_json_close(json);
}

int shunt_diff_json(const struct shunt_diff *diff, const struct shunt_differences *found)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_json json = {.text = &text, .whole = true};
    shunt_json_object(&json);
    shunt_json_put_string(&json, SHUNT_KEY_VERSION, PACKAGE_VERSION);
    for (int which = 0; which < SHUNT_DIFF_SIDES; which++) {
        const struct shunt_table *table = diff->table[which];
        const char *machine = shunt_table_string(table, table->machine);
        shunt_json_put_object(&json, which_key[which]);
        shunt_json_put_string(&json, SHUNT_KEY_TABLE, shunt_table_string(table, table->source));
        shunt_json_put_string(&json, SHUNT_KEY_MACHINE, machine[0] != '\0' ? machine : NULL);
        shunt_json_close(&json);
    }
    shunt_json_put_flag(&json, SHUNT_KEY_COMPLETE, !found->large);
    shunt_json_put_array(&json, SHUNT_KEY_DIFFERENCES);
    for (size_t i = 0; i < found->count; i++)
        json_difference(&json, diff, &found->at[i]);
    shunt_json_close(&json);
    shunt_json_close(&json);
    return shunt_tool_write(&text, stdout);
}
