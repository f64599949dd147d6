/* SPDX-License-Identifier: BSD-3-Clause */
/* axis.c: see axis.h. */
#include "tools/common/axis.h"

#include <string.h>

#include "route/words.h"
#include "tools/common/shape.h"

static bool add(struct shunt_option_value *value, int64_t number)
{
    struct shunt_axis *axis = value->field;
    int at = 0;
    while (at < axis->count && axis->value[at] < number)
        at++;
    if (at < axis->count && axis->value[at] == number)
        return true;
    if (axis->count == SHUNT_AXIS_MOST)
        return shunt_option_refuse(value, NULL, "has more than %d values", SHUNT_AXIS_MOST);
    memmove(&axis->value[at + 1], &axis->value[at],
            (size_t)(axis->count - at) * sizeof axis->value[0]);
    axis->value[at] = number;
    axis->count++;
    return true;
}

/* From the low end on, doubled as long as it is not above the high one. */
static bool add_range(struct shunt_option_value *value, struct shunt_range range)
{
    bool good = true;
    for (int64_t number = range.low; good; number = number == 0 ? 1 : 2 * number) {
        good = add(value, number);
        if (number == 0 ? range.high == 0 : number > range.high / 2)
            break;
    }
    return good;
}

static bool refuse_range(struct shunt_option_value *value, bool sizes, const char *word)
{
    char hint[128];
    shunt_range_hint(word, sizes, hint, sizeof hint);
    return shunt_option_refuse(value, word, "is neither a %s nor a range such as %s%s",
                               sizes ? "size" : "number", sizes ? "8-64K" : "16-256", hint);
}

static bool add_word(struct shunt_option_value *value, bool sizes, const char *word)
{
    struct shunt_range range;
    if (!shunt_range_parse(word, sizes, &range))
        return refuse_range(value, sizes, word);
    if (word[strspn(word, " \t")] == '-')
        return shunt_option_refuse(value, word, "has no lower end");
    if (range.low > range.high)
        return shunt_option_refuse(value, word, "ends before it begins");
    if (strchr(word, '-') && range.high == INT64_MAX)
        return shunt_option_refuse(value, word, "has no upper end");
    if (!sizes && (range.low < 1 || range.high > SHUNT_RANKS_MAX))
        return shunt_option_refuse(value, word, "is not between 1 and %d", SHUNT_RANKS_MAX);
    return add_range(value, range);
}

static bool read_axis(struct shunt_option_value *value, bool sizes)
{
    char *rest = value->text;
    bool good = true;
    *(struct shunt_axis *)value->field = (struct shunt_axis){0};
    for (const char *word = strsep(&rest, ","); word && good; word = strsep(&rest, ","))
        good = add_word(value, sizes, word);
    return good;
}

bool shunt_read_counts(struct shunt_option_value *value)
{
    return read_axis(value, false);
}

bool shunt_read_sizes(struct shunt_option_value *value)
{
    return read_axis(value, true);
}
