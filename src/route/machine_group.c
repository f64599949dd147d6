/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_group.c: the numbers of a machine description, each held against what can be meant. */
#include "route/machine_group.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "route/decimal.h"
#include "route/machine_keys.h"
#include "route/tree.h"
#include "route/words.h"

#define MEASURE "\"shunt machine\" measures it"
/* Nothing that happens once takes a second, nothing costs a joule, and no card draws a megawatt:
 * then the number is of another unit than its key says. */
#define REAL_MOST 1.0
#define WATTS_MOST 1e6

struct reading {
    struct shunt_walk *walk;
    const char *what; /* of the group `model` */
    const config_setting_t *group;
    struct shunt_machine *machine;
    const config_setting_t *found[SHUNT_MACHINE_KEY_MOST]; /* by index of the key; NULL: left out */
};

/* "t.cfg:3: model.inside: latency_us" */
static void where(const struct reading *reading, const config_setting_t *setting,
                  const struct shunt_machine_key *key, char *text, size_t capacity)
{
    const char *word = shunt_machine_key_word(key);
    const int group = (int)(word - key->name) - (word > key->name);
    char what[128];
    snprintf(what, sizeof what, "%s%s%.*s: %s", reading->what, group > 0 ? "." : "", group,
             key->name, word);
    shunt_walk_where(reading->walk, setting, what, text, capacity);
}

static void read_real(const struct reading *reading, const config_setting_t *setting,
                      const char *what, const struct shunt_machine_key *key, double *value)
{
    const int type = config_setting_type(setting);
    const double most = key->power == 0 ? WATTS_MOST : REAL_MOST;
    char at[SHUNT_WHERE_MAX], number[64], limit[64];
    double given;
    if (type == CONFIG_TYPE_FLOAT) {
        given = config_setting_get_float(setting);
    } else if (type == CONFIG_TYPE_INT || type == CONFIG_TYPE_INT64) {
        given = (double)config_setting_get_int64(setting);
    } else {
        shunt_walk_type(reading->walk, what, setting, "a number");
        return;
    }
    where(reading, setting, key, at, sizeof at);
    shunt_decimal_print(given, 0, number, sizeof number);
    if (given < 0) {
        shunt_diagnostics_add(reading->walk->diagnostics, "%s: %s is negative", at, number);
        return;
    }
    *value = shunt_decimal_scale(given, key->power);
    if (*value <= most)
        return;
    shunt_decimal_print(most, -key->power, limit, sizeof limit);
    shunt_diagnostics_add(reading->walk->diagnostics,
                          "%s: %s cannot be meant, the most is %s: the key says of which unit the "
                          "number is",
                          at, number, limit);
}

static void read_count(const struct reading *reading, const config_setting_t *setting,
                       const char *what, const struct shunt_machine_key *key, int32_t *value)
{
    int64_t number;
    char at[SHUNT_WHERE_MAX];
    if (!shunt_walk_number(reading->walk, what, setting, false, &number))
        return;
    *value = (int32_t)number;
    if (number <= INT32_MAX)
        return;
    where(reading, setting, key, at, sizeof at);
    shunt_diagnostics_add(reading->walk->diagnostics,
                          "%s: %" PRId64 " is too large, the most is "
                          "%" PRId32,
                          at, number, INT32_MAX);
}

enum { WORDS_MOST = 8 };

/* The words of a key, and all of them as people are told: "a", "b" or "c". Returns how many. */
static size_t list_words(const struct shunt_machine_key *key, const char *words[WORDS_MOST],
                         char *all, size_t capacity)
{
    size_t count = 0, length = 0;
    for (const char *word; count < WORDS_MOST && (word = shunt_machine_word(key, count)); count++) {
        const char *before = count == 0 ? "" : shunt_machine_word(key, count + 1) ? ", " : " or ";
        words[count] = word;
        if (length < capacity)
            length += (size_t)snprintf(all + length, capacity - length, "%s\"%s\"", before, word);
    }
    return count;
}

static void read_word(const struct reading *reading, const config_setting_t *setting,
                      const char *what, const struct shunt_machine_key *key, unsigned *value)
{
    const char *text = config_setting_get_string(setting), *words[WORDS_MOST];
    char at[SHUNT_WHERE_MAX], hint[128], all[128] = "";
    const size_t count = list_words(key, words, all, sizeof all);
    if (!text) {
        shunt_walk_type(reading->walk, what, setting, all);
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (strcmp(text, words[i]) == 0) {
            *value = (unsigned)i;
            return;
        }
    where(reading, setting, key, at, sizeof at);
    shunt_hint_print(text, words, count, hint, sizeof hint);
    shunt_diagnostics_add(reading->walk->diagnostics, "%s: \"%s\" is not %s%s", at, text, all,
                          hint);
}

static void read_flag(const struct reading *reading, const config_setting_t *setting,
                      const char *what, bool *flag)
{
    if (config_setting_type(setting) == CONFIG_TYPE_BOOL)
        *flag = config_setting_get_bool(setting) != CONFIG_FALSE;
    else
        shunt_walk_type(reading->walk, what, setting, "true or false");
}

static void read_key(struct reading *reading, const config_setting_t *setting, const char *what,
                     size_t index)
{
    const struct shunt_machine_key *key = shunt_machine_key(index);
    void *value = shunt_machine_value(reading->machine, key);
    reading->found[index] = setting;
    switch (key->kind) {
    case SHUNT_MACHINE_REAL:
        read_real(reading, setting, what, key, value);
        break;
    case SHUNT_MACHINE_COUNT:
        read_count(reading, setting, what, key, value);
        break;
    case SHUNT_MACHINE_SIZE:
        shunt_walk_number(reading->walk, what, setting, true, value);
        break;
    case SHUNT_MACHINE_FLAG:
        read_flag(reading, setting, what, value);
        break;
    case SHUNT_MACHINE_WORD:
        read_word(reading, setting, what, key, value);
        break;
    }
}

/* The setting `setting` of the group of that name ("": of none) is one of its keys, or unknown. */
static void read_setting(struct reading *reading, const config_setting_t *setting, const char *what,
                         const char *group)
{
    const char *names[SHUNT_MACHINE_KEY_MOST];
    size_t indices[SHUNT_MACHINE_KEY_MOST], count = 0;
    for (size_t i = 0; shunt_machine_key(i); i++) {
        if (!shunt_machine_key_within(shunt_machine_key(i), group))
            continue;
        indices[count] = i;
        names[count++] = shunt_machine_key_word(shunt_machine_key(i));
    }
    if (!shunt_walk_known(reading->walk, what, setting, names, count))
        return;
    for (size_t i = 0; i < count; i++)
        if (strcmp(config_setting_name(setting), names[i]) == 0)
            read_key(reading, setting, what, indices[i]);
}

static void read_group(struct reading *reading, const config_setting_t *setting)
{
    const char *name = config_setting_name(setting);
    char what[128];
    if (!config_setting_is_group(setting)) {
        shunt_walk_type(reading->walk, reading->what, setting, "a group { }");
        return;
    }
    snprintf(what, sizeof what, "%s.%s", reading->what, name);
    for (int i = 0; i < config_setting_length(setting); i++)
        read_setting(reading, shunt_tree_element(setting, i), what, name);
}

/* A text that is at most `capacity` - 1 bytes long, for a field full of zeros. */
static void read_text(const struct reading *reading, const config_setting_t *setting, char *field,
                      size_t capacity)
{
    char at[SHUNT_WHERE_MAX];
    const char *text = config_setting_get_string(setting);
    if (!text) {
        shunt_walk_type(reading->walk, reading->what, setting, "a string");
        return;
    }
    if (strlen(text) < capacity) {
        memset(field, 0, capacity);
        snprintf(field, capacity, "%s", text);
        return;
    }
    shunt_walk_where(reading->walk, setting, reading->what, at, sizeof at);
    shunt_diagnostics_add(reading->walk->diagnostics, "%s: %s is longer than %zu bytes", at,
                          config_setting_name(setting), capacity - 1);
}

static const char *const texts[] = {"name", "library", "source"};
enum { NAME, LIBRARY, TEXTS = sizeof texts / sizeof texts[0] };

/* Names of all that may stand at the top of the group: texts, groups, and, from *keys on, keys in
 * no group. Returns how many. */
static size_t top_names(const char **names, size_t *keys)
{
    size_t count = 0;
    for (; count < TEXTS; count++)
        names[count] = texts[count];
    for (size_t i = 0; shunt_machine_group(i); i++)
        if (shunt_machine_group(i)->name[0] != '\0')
            names[count++] = shunt_machine_group(i)->name;
    *keys = count;
    for (size_t i = 0; shunt_machine_key(i); i++)
        if (shunt_machine_key_within(shunt_machine_key(i), ""))
            names[count++] = shunt_machine_key(i)->name;
    return count;
}

static void read_member(struct reading *reading, const config_setting_t *setting)
{
    const char *names[SHUNT_MACHINE_KEY_MOST + 16];
    size_t keys, index = 0;
    const size_t count = top_names(names, &keys);
    if (!shunt_walk_known(reading->walk, reading->what, setting, names, count))
        return;
    while (strcmp(config_setting_name(setting), names[index]) != 0)
        index++;
    if (index >= keys)
        read_setting(reading, setting, reading->what, "");
    else if (index >= TEXTS)
        read_group(reading, setting);
    else if (index == NAME)
        read_text(reading, setting, reading->machine->name, sizeof reading->machine->name);
    else if (index == LIBRARY)
        read_text(reading, setting, reading->machine->library, sizeof reading->machine->library);
    else if (config_setting_type(setting) != CONFIG_TYPE_STRING) /* source: for people alone */
        shunt_walk_type(reading->walk, reading->what, setting, "a string");
}

/* Every key that has to be there, once per group. */
static void find_missing(const struct reading *reading)
{
    char at[SHUNT_WHERE_MAX], what[128];
    for (size_t g = 0; shunt_machine_group(g); g++) {
        const char *name = shunt_machine_group(g)->name;
        const config_setting_t *group =
            name[0] != '\0' ? shunt_tree_member(reading->group, name) : reading->group;
        for (size_t i = 0; shunt_machine_key(i); i++) {
            const struct shunt_machine_key *key = shunt_machine_key(i);
            if (!key->required || reading->found[i] || !shunt_machine_key_within(key, name) ||
                (group && !config_setting_is_group(group)))
                continue;
            snprintf(what, sizeof what, "%s%s%s", reading->what, group ? "." : "",
                     group ? name : "");
            shunt_walk_where(reading->walk, group ? group : reading->group, what, at, sizeof at);
            shunt_diagnostics_add(reading->walk->diagnostics, "%s: no \"%s\" (" MEASURE ")", at,
                                  group ? shunt_machine_key_word(key) : name);
            if (!group)
                break;
        }
    }
}

/* Keys that were left out and are then as others are. */
static void fill_missing(const struct reading *reading)
{
    for (size_t i = 0; shunt_machine_key(i); i++) {
        const struct shunt_machine_key *key = shunt_machine_key(i), *of = NULL;
        if (!key->of || reading->found[i])
            continue;
        for (size_t other = 0; !of; other++)
            if (strcmp(shunt_machine_key(other)->name, key->of) == 0)
                of = shunt_machine_key(other);
        memcpy(shunt_machine_value(reading->machine, key),
               shunt_machine_value(reading->machine, of), sizeof(double));
    }
}

/* Where to look for a key: at itself; where it was left out, at its group, or at all of it. */
static const config_setting_t *place_of(const struct reading *reading, size_t index)
{
    const struct shunt_machine_key *key = shunt_machine_key(index);
    const config_setting_t *place = reading->found[index];
    for (size_t g = 0; !place && shunt_machine_group(g); g++)
        if (shunt_machine_key_within(key, shunt_machine_group(g)->name))
            place = shunt_tree_member(reading->group, shunt_machine_group(g)->name);
    return place ? place : reading->group;
}

/* What the model says of all of it together. */
static void find_wrong(const struct reading *reading)
{
    char at[SHUNT_WHERE_MAX];
    const char *name = "", *wrong = shunt_machine_wrong(reading->machine, &name);
    if (!wrong)
        return;
    for (size_t i = 0; shunt_machine_key(i); i++) {
        if (strcmp(shunt_machine_key(i)->name, name) != 0)
            continue;
        where(reading, place_of(reading, i), shunt_machine_key(i), at, sizeof at);
        shunt_diagnostics_add(reading->walk->diagnostics, "%s: %s", at, wrong);
        return;
    }
    shunt_walk_where(reading->walk, reading->group, reading->what, at, sizeof at);
    shunt_diagnostics_add(reading->walk->diagnostics, "%s: %s: %s", at, name, wrong);
}

bool shunt_machine_group_read(struct shunt_walk *walk, const config_setting_t *group,
                              const char *what, const char *name, struct shunt_machine *machine)
{
    struct reading reading = {.walk = walk, .what = what, .group = group, .machine = machine};
    const size_t before = walk->diagnostics->count;
    shunt_machine_preset(machine);
    snprintf(machine->name, sizeof machine->name, "%s", name);
    if (!config_setting_is_group(group)) {
        shunt_walk_type(walk, "", group, "a group { }");
        return false;
    }
    for (int i = 0; i < config_setting_length(group); i++)
        read_member(&reading, shunt_tree_element(group, i));
    find_missing(&reading);
    fill_missing(&reading);
    if (walk->diagnostics->count == before)
        find_wrong(&reading);
    return walk->diagnostics->count == before;
}
