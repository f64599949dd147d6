/* SPDX-License-Identifier: BSD-3-Clause */
/* learned.c: see learned.h. */
#include "route/learned.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/environment.h"
#include "route/host.h"
#include "route/match.h"

/* Rules on their way to a new table. */
struct making {
    struct shunt_rule *rules[SHUNT_OP_COUNT];
    uint32_t count[SHUNT_OP_COUNT];
    const char **strings;
    uint32_t string_count;
};

static bool begin(struct making *making, size_t most)
{
    *making = (struct making){.strings = calloc(2 * most + 2, sizeof *making->strings)};
    bool begun = making->strings != NULL;
    for (int op = 0; op < SHUNT_OP_COUNT; op++) {
        making->rules[op] = calloc(most + 1, sizeof *making->rules[op]);
        begun = begun && making->rules[op];
    }
    if (begun)
        making->strings[making->string_count++] = "";
    return begun;
}

static void end(struct making *making)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        free(making->rules[op]);
    free(making->strings);
}

static void put(struct making *making, enum shunt_op op, const struct shunt_rule *rule,
                const char *id, const char *file)
{
    struct shunt_rule *to = &making->rules[op][making->count[op]++];
    *to = *rule;
    to->id = making->string_count;
    making->strings[making->string_count++] = id;
    to->file = making->string_count;
    making->strings[making->string_count++] = file;
}

static const struct shunt_rule *rule_of(const struct shunt_table *table, int op, uint32_t index)
{
    return &table->rules[table->rule_first[op] + index];
}

static void put_of(struct making *making, enum shunt_op op, const struct shunt_table *table,
                   uint32_t index)
{
    const struct shunt_rule *rule = &table->rules[table->rule_first[op] + index];
    put(making, op, rule, shunt_table_string(table, rule->id),
        shunt_table_string(table, rule->file));
}

static struct shunt_table *finish(struct making *making, const struct shunt_policy *policy,
                                  const char *machine, const struct shunt_machine *model,
                                  const char *source)
{
    const struct shunt_rule *rules[SHUNT_OP_COUNT];
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        rules[op] = making->rules[op];
    return shunt_table_make(policy, machine, model, source, rules, making->count, making->strings,
                            making->string_count);
}

/* The folder of the file. */
static bool find_folder(char *const *environment, char *folder, size_t capacity)
{
    const char *cache = shunt_environment_find(environment, "XDG_CACHE_HOME"),
               *home = shunt_environment_find(environment, "HOME");
    const bool given = cache && cache[0] == '/';
    if (!given && (!home || home[0] != '/'))
        return false;
    const int length =
        snprintf(folder, capacity, "%s%s/shunt", given ? cache : home, given ? "" : "/.cache");
    return length > 0 && (size_t)length < capacity;
}

bool shunt_learned_path(const struct shunt_table *table, const char *host, char *const *environment,
                        char *path, size_t capacity, char *hosts)
{
    char own[SHUNT_LEARNED_HOSTS - 4] = "", name[SHUNT_LEARNED_HOSTS], folder[4096];
    if (!host && gethostname(own, sizeof own - 1) != 0)
        return false;
    if (host)
        snprintf(own, sizeof own, "%s", host);
    shunt_host_pattern(own, hosts, SHUNT_LEARNED_HOSTS);
    const char *machine = table ? shunt_table_string(table, table->machine) : "";
    shunt_host_machine(hosts, name, sizeof name);
    if (machine[0] != '\0')
        snprintf(name, sizeof name, "%s", machine);
    for (char *at = name; *at != '\0'; at++)
        if (!isalnum((unsigned char)*at))
            *at = '-';
    if (!find_folder(environment, folder, sizeof folder))
        return false;
    const int length = snprintf(path, capacity, "%s/%s.cfg", folder, name);
    return length > 0 && (size_t)length < capacity;
}

/* Root could do anything anyway. */
static bool is_ours(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return true;
    return (status.st_uid == 0 || status.st_uid == geteuid()) && (status.st_mode & S_IWOTH) == 0;
}

bool shunt_learned_trusted(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : NULL;
    const bool ours = folder && is_ours(folder) && is_ours(path);
    free(folder);
    return ours;
}

bool shunt_learned_is_rest(const struct shunt_rule *rule)
{
    const struct shunt_range *const conditions[] = {&rule->ranks, &rule->nodes, &rule->ppn,
                                                    &rule->block, &rule->density};
    const struct shunt_algorithm *algorithm = shunt_registry_row(rule->algorithm);
    for (size_t i = 0; i < sizeof conditions / sizeof conditions[0]; i++)
        if (conditions[i]->low > 0 || conditions[i]->high < INT64_MAX)
            return false;
    if (rule->oversubscribed != SHUNT_CROWD_ANY)
        return false;
    return algorithm && algorithm->kind == SHUNT_KIND_NATIVE;
}

bool shunt_learned_is_gap(const struct shunt_decision *decision)
{
    const struct shunt_rule *rule = decision->rule;
    return decision->algorithm->kind == SHUNT_KIND_NATIVE &&
           (!rule || (rule->line > 0 && shunt_learned_is_rest(rule)));
}

static bool same_range(struct shunt_range a, struct shunt_range b)
{
    return a.low == b.low && a.high == b.high;
}

bool shunt_learned_same(const struct shunt_rule *a, const struct shunt_rule *b)
{
    return same_range(a->ranks, b->ranks) && same_range(a->nodes, b->nodes) &&
           same_range(a->ppn, b->ppn) && same_range(a->block, b->block) &&
           same_range(a->density, b->density) && a->oversubscribed == b->oversubscribed;
}

struct shunt_table *shunt_learned_join(const struct shunt_table *base,
                                       const struct shunt_table *learned)
{
    struct making making;
    struct shunt_table *joined = NULL;
    char *source = NULL;
    size_t most = 0;
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        most += base->rule_count[op] + learned->rule_count[op];
    const bool begun = begin(&making, most);
    for (int i = 0; i < SHUNT_OP_COUNT && begun; i++) {
        const enum shunt_op op = (enum shunt_op)i;
        const struct shunt_rule *first = &base->rules[base->rule_first[op]];
        const uint32_t count = base->rule_count[op],
                       rest = count > 0 && shunt_learned_is_rest(&first[count - 1]);
        for (uint32_t r = 0; r < count - rest; r++)
            put_of(&making, op, base, r);
        for (uint32_t r = 0; r < learned->rule_count[op]; r++)
            put_of(&making, op, learned, r);
        if (rest)
            put_of(&making, op, base, count - 1);
    }
    if (begun &&
        asprintf(&source, "%s" SHUNT_LEARNED_AND "%s", shunt_table_string(base, base->source),
                 shunt_table_string(learned, learned->source)) >= 0)
        joined = finish(&making, &base->policy, shunt_table_string(base, base->machine),
                        base->modelled ? &base->model : NULL, source);
    free(source);
    end(&making);
    return joined;
}

/* Or nobody needs it: earlier versions left rules that were only expected to gain. */
static bool is_replaced(enum shunt_op op, const struct shunt_rule *rule,
                        const struct shunt_learned *list, size_t count)
{
    if (rule->expected)
        return true;
    for (size_t i = 0; i < count; i++)
        if (list[i].op == op && shunt_learned_same(rule, &list[i].rule))
            return true;
    return false;
}

/* Whether it is of more than a class of sizes: then it comes behind those that are of one. */
static bool is_wide(const struct shunt_rule *rule)
{
    return rule->block.high / 2 > rule->block.low;
}

struct shunt_table *shunt_learned_add(const struct shunt_table *old,
                                      const struct shunt_learned *list, size_t count,
                                      const char *machine)
{
    const struct shunt_policy policy = shunt_policy_default();
    struct making making;
    size_t most = count;
    for (int op = 0; op < SHUNT_OP_COUNT && old; op++)
        most += old->rule_count[op];
    struct shunt_table *table = NULL;
    const bool begun = begin(&making, most);
    for (int i = 0; i < SHUNT_OP_COUNT && begun; i++) {
        const enum shunt_op op = (enum shunt_op)i;
        const uint32_t have = old ? old->rule_count[op] : 0;
        for (int wide = 0; wide < 2; wide++) {
            for (uint32_t r = have > SHUNT_LEARNED_MOST ? have - SHUNT_LEARNED_MOST : 0; r < have;
                 r++)
                if (is_wide(rule_of(old, i, r)) == wide &&
                    !is_replaced(op, rule_of(old, i, r), list, count))
                    put_of(&making, op, old, r);
            for (size_t l = 0; l < count; l++)
                if (list[l].op == op && !list[l].native && is_wide(&list[l].rule) == wide)
                    put(&making, op, &list[l].rule, list[l].id, "");
        }
    }
    if (begun)
        table = finish(&making, &policy, machine, NULL, "");
    end(&making);
    return table;
}

bool shunt_learned_expects(const struct shunt_table *table)
{
    for (int op = 0; op < SHUNT_OP_COUNT; op++)
        for (uint32_t r = 0; r < table->rule_count[op]; r++)
            if (rule_of(table, op, r)->expected)
                return true;
    return false;
}
