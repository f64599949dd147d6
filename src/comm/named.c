/* SPDX-License-Identifier: BSD-3-Clause */
/* named.c: for tests, settings of single communicators. */
#include "comm/named.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "comm/comm_log.h"
#include "process/process.h"
#include "process/tables.h"

enum { WORDS = 8 };

struct shunt_named {
    char line[512]; /* settings.force points into it */
    struct shunt_settings settings;
    uint64_t hash; /* of the line: ranks that read another one are found out */
};

/* Leaves the line in pieces: words[0] is the name, NULL ends them. */
static bool find_line(const char *path, const char *name, struct shunt_named *named, char **words)
{
    FILE *stream = fopen(path, "re");
    bool found = false;
    while (stream && !found && fgets(named->line, sizeof named->line, stream)) {
        char *save = NULL;
        int count = 0;
        named->hash = shunt_hash_text(SHUNT_HASH_EMPTY, named->line);
        for (char *word = strtok_r(named->line, " \n", &save); word && count < WORDS - 1;
             word = strtok_r(NULL, " \n", &save))
            words[count++] = word;
        words[count] = NULL;
        found = count > 0 && strcmp(words[0], name) == 0;
    }
    if (stream)
        fclose(stream);
    return found;
}

bool shunt_named_read(struct shunt_comm *comm)
{
    const char *path = shunt_process_settings()->communicators;
    char *words[WORDS];
    struct shunt_diagnostics diagnostics = {0};
    if (!path || comm->given)
        return true;
    struct shunt_named *named = comm->named = calloc(1, sizeof *named);
    if (!named)
        return false;
    if (!find_line(path, shunt_comm_log_name(comm), named, words)) {
        shunt_named_forget(comm);
        return true;
    }
    shunt_settings_read(&named->settings, words + 1, &diagnostics);
    struct shunt_table *force =
        named->settings.force ? shunt_table_from_force(named->settings.force, &diagnostics) : NULL;
    comm->given = force ? shunt_tables_adopt(force, false) : NULL;
    for (size_t i = 0; i < diagnostics.count; i++)
        fprintf(stderr, "shunt: %s: %s: %s\n", path, words[0], diagnostics.text[i]);
    const bool good = diagnostics.count == 0 && (comm->given || !named->settings.force);
    shunt_diagnostics_clear(&diagnostics);
    return good;
}

uint64_t shunt_named_hash(const struct shunt_comm *comm)
{
    return comm->named->hash;
}

void shunt_named_forget(struct shunt_comm *comm)
{
    free(comm->named);
    comm->named = NULL;
}

void shunt_named_apply(struct shunt_comm *comm)
{
    const struct shunt_settings *s = &comm->named->settings;
    struct shunt_agreed *a = &comm->agreed;
    if (s->memory >= 0)
        a->memory = s->memory;
    if (s->layout_count == 0)
        return;
    a->layout_count = s->layout_count;
    a->layout_cyclic = s->layout_cyclic;
    for (int i = 0; i < s->layout_count; i++)
        a->layout[i] = s->layout[i];
}
