/* SPDX-License-Identifier: BSD-3-Clause */
/* axis.c: see axis.h. */
#include "tools/predict/axis.h"

#include <stdlib.h>
#include <string.h>

#include "route/words.h"
#include "tools/shape.h"
#include "tools/tool.h"

struct reading {
    const struct shunt_subcommand *asker;
    const char *option;
    bool sizes;
    struct shunt_axis *axis;
};

static int add(const struct reading *r, int64_t value)
{
    struct shunt_axis *axis = r->axis;
    int at = 0;
    while (at < axis->count && axis->value[at] < value)
        at++;
    if (at < axis->count && axis->value[at] == value)
        return SHUNT_EXIT_OK;
    if (axis->count == SHUNT_AXIS_MOST)
        return shunt_tool_usage(r->asker, "--%s: more than %d values", r->option, SHUNT_AXIS_MOST);
    memmove(&axis->value[at + 1], &axis->value[at],
            (size_t)(axis->count - at) * sizeof axis->value[0]);
    axis->value[at] = value;
    axis->count++;
    return SHUNT_EXIT_OK;
}

/* From the low end on, doubled as long as it is not above the high one. */
static int add_range(const struct reading *r, struct shunt_range range)
{
    int code = SHUNT_EXIT_OK;
    for (int64_t value = range.low; code == SHUNT_EXIT_OK; value = value == 0 ? 1 : 2 * value) {
        code = add(r, value);
        if (value == 0 ? range.high == 0 : value > range.high / 2)
            break;
    }
    return code;
}

static int usage_range(const struct reading *r, const char *word)
{
    char hint[128];
    shunt_range_hint(word, r->sizes, hint, sizeof hint);
    return shunt_tool_usage(r->asker, "--%s: \"%s\" is neither a %s nor a range such as %s%s",
                            r->option, word, r->sizes ? "size" : "number",
                            r->sizes ? "8-64K" : "16-256", hint);
}

static int add_word(const struct reading *r, const char *word)
{
    struct shunt_range range;
    if (!shunt_range_parse(word, r->sizes, &range))
        return usage_range(r, word);
    if (word[strspn(word, " \t")] == '-')
        return shunt_tool_usage(r->asker, "--%s: \"%s\" has no lower end", r->option, word);
    if (range.low > range.high)
        return shunt_tool_usage(r->asker, "--%s: \"%s\" ends before it begins", r->option, word);
    if (strchr(word, '-') && range.high == INT64_MAX)
        return shunt_tool_usage(r->asker, "--%s: \"%s\" has no upper end", r->option, word);
    if (!r->sizes && (range.low < 1 || range.high > SHUNT_RANKS_MAX))
        return shunt_tool_usage(r->asker, "--%s: \"%s\" is not between 1 and %d", r->option, word,
                                SHUNT_RANKS_MAX);
    return add_range(r, range);
}

int shunt_axis_read(const struct shunt_subcommand *asker, const char *option, const char *text,
                    bool sizes, struct shunt_axis *axis)
{
    const struct reading r = {asker, option, sizes, axis};
    char *copy = strdup(text), *rest = copy;
    int code = SHUNT_EXIT_OK;
    if (!copy) {
        shunt_tool_say("out of memory");
        return SHUNT_EXIT_IO;
    }
    *axis = (struct shunt_axis){0};
    for (const char *word = strsep(&rest, ","); word && code == SHUNT_EXIT_OK;
         word = strsep(&rest, ","))
        code = add_word(&r, word);
    free(copy);
    return code;
}
