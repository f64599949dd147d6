/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * images.c: tables and machine descriptions that `shunt view` has read and embedded in the page, in
 * place of route/parse.h and route/machine.h, which need libconfig and a machine's folders.
 *
 * An image is the bytes of struct shunt_table or struct shunt_machine. Both are plain data in which
 * every member has the size and place that it has on 64-bit processors of little-endian order; the
 * command embeds none from others. The page shows them to this program as files
 * /tables/NAME and /machines/NAME.
 */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/environment.h"
#include "route/machine.h"
#include "route/parse.h"

/* The table that counts where none is named. */
#define TABLE_OF_USER "user"

/* An image is some kilobytes; a table of this size has a hundred thousand rules. */
enum { IMAGE_MOST = 1 << 26 };

/* A malloc block, or NULL: there is no such image. */
static void *read_image(const char *folder, const char *name, size_t *size)
{
    char path[512];
    if (snprintf(path, sizeof path, "/%s/%s", folder, name) >= (int)sizeof path)
        return NULL;
    FILE *file = fopen(path, "rb");
    void *image = NULL;
    if (file && fseek(file, 0, SEEK_END) == 0) {
        const long end = ftell(file);
        rewind(file);
        image = end > 0 && end < IMAGE_MOST ? malloc((size_t)end) : NULL;
        *size = image ? fread(image, 1, (size_t)end, file) : 0;
    }
    if (file)
        fclose(file);
    return image;
}

enum shunt_parse_outcome shunt_parse_search_seen(const struct shunt_parse_request *request,
                                                 shunt_parse_visit visit, void *context,
                                                 struct shunt_table **table,
                                                 struct shunt_diagnostics *diagnostics)
{
    const char *name = request->config ? request->config : TABLE_OF_USER;
    size_t size = 0;
    (void)visit;
    (void)context;
    *table = NULL;
    if (request->builtin)
        return SHUNT_PARSE_NOTHING;
    *table = read_image("tables", name, &size);
    if (!*table && !request->config)
        return SHUNT_PARSE_NOTHING;
    if (!*table) {
        shunt_diagnostics_add(diagnostics,
                              "%s: this page has no such table; \"shunt view --table=FILE\" "
                              "writes one that has it",
                              name);
        return SHUNT_PARSE_UNREADABLE;
    }
    if (shunt_table_valid(*table, size))
        return SHUNT_PARSE_FOUND;
    free(*table);
    *table = NULL;
    shunt_diagnostics_add(diagnostics,
                          "%s: the table embedded in this page is damaged, or of another version "
                          "of Shunt; write the page again with \"shunt view\"",
                          name);
    return SHUNT_PARSE_INVALID;
}

void shunt_parse_here(struct shunt_parse_path *path, const char *config, char *const *environment)
{
    (void)environment;
    const bool builtin = config && strcmp(config, SHUNT_BUILTIN_NAME) == 0;
    *path = (struct shunt_parse_path){
        .request = {.config = builtin ? NULL : config, .builtin = builtin}};
}

char *shunt_parse_name(const char *path)
{
    return strdup(path);
}

bool shunt_machine_find(struct shunt_machine *machine, const char *name,
                        struct shunt_diagnostics *diagnostics)
{
    const char *key;
    size_t size = 0;
    void *image = read_image("machines", name, &size);
    const bool whole = image && size == sizeof *machine;
    if (whole)
        memcpy(machine, image, sizeof *machine);
    free(image);
    if (whole && !shunt_machine_wrong(machine, &key))
        return true;
    char *names = shunt_machine_names();
    if (image)
        shunt_diagnostics_add(diagnostics,
                              "%s: the machine description embedded in this page is damaged, or of "
                              "another version of Shunt; write the page again with \"shunt view\"",
                              name);
    else
        shunt_diagnostics_add(diagnostics,
                              "%s: this page has no such machine description (there are %s)", name,
                              names && names[0] ? names : "none");
    free(names);
    return false;
}

bool shunt_machine_readable(const char *name)
{
    (void)name;
    return true;
}

/* In the order of the page, which `shunt view` has put in that of the alphabet. */
char *shunt_machine_names(void)
{
    DIR *folder = opendir("/machines");
    char *names = strdup("");
    for (const struct dirent *entry; names && folder && (entry = readdir(folder));) {
        char *longer = NULL;
        if (entry->d_name[0] == '.')
            continue;
        if (asprintf(&longer, "%s%s%s", names, names[0] != '\0' ? ", " : "", entry->d_name) < 0)
            longer = NULL;
        free(names);
        names = longer;
    }
    if (folder)
        closedir(folder);
    return names;
}
