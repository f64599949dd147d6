/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_path.c: where machine descriptions are, and which there are. */
#include <dirent.h>
#include <limits.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "route/machine.h"
#include "route/parse.h"
#include "route/words.h"

#define SUFFIX ".cfg"
#define DATA SHUNT_PKGDATADIR "/machines"

/* Folders in the order of the search, of which any may be missing. */
enum { FOLDERS = 4 };
struct folders {
    size_t count;
    char path[FOLDERS][PATH_MAX];
};

/* Names without SUFFIX, sorted. */
struct names {
    size_t count;
    char **name;
};

static void add_folder(struct folders *folders, const char *folder, const char *rest)
{
    char *path = folders->path[folders->count];
    if (!folder)
        return;
    const int length = snprintf(path, PATH_MAX, "%s%s", folder, rest);
    if (length > 0 && length < PATH_MAX)
        folders->count++;
}

/* The object, program or library, that this code was linked into. */
struct self {
    uintptr_t address;
    char path[PATH_MAX];
};

static int visit_object(struct dl_phdr_info *info, size_t size, void *data)
{
    struct self *self = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD &&
            self->address - info->dlpi_addr - part->p_vaddr < part->p_memsz) {
            /* The program itself has no name. */
            const char *name = info->dlpi_name[0] != '\0' ? info->dlpi_name : "/proc/self/exe";
            if (!realpath(name, self->path))
                self->path[0] = '\0';
            return 1;
        }
    }
    return 0;
}

static bool ends_with(const char *text, const char *end, size_t *before)
{
    const size_t length = strlen(text);
    if (length < strlen(end) || strcmp(text + length - strlen(end), end) != 0)
        return false;
    *before = length - strlen(end);
    return true;
}

/* The descriptions that come with Shunt: of the build tree, of one that was installed under another
 * root, or where it was installed. */
static void add_shipped(struct folders *folders)
{
    static const char *const built[] = {"/../conf/installed", "/../../conf/installed"},
                             *const places[] = {SHUNT_BINDIR, SHUNT_LIBDIR "/shunt",
                                                SHUNT_LIBEXECDIR "/shunt"};
    struct self self = {.address = (uintptr_t)&add_shipped};
    char path[PATH_MAX + 64];
    size_t root;
    dl_iterate_phdr(visit_object, &self);
    char *slash = strrchr(self.path, '/');
    if (slash)
        *slash = '\0';
    for (size_t i = 0; slash && i < sizeof built / sizeof built[0]; i++) {
        snprintf(path, sizeof path, "%s%s", self.path, built[i]);
        if (access(path, R_OK) == 0) {
            add_folder(folders, path, "");
            return;
        }
    }
    for (size_t i = 0; slash && i < sizeof places / sizeof places[0]; i++) {
        if (ends_with(self.path, places[i], &root)) {
            snprintf(path, sizeof path, "%.*s", (int)root, self.path);
            add_folder(folders, path, DATA);
            return;
        }
    }
    add_folder(folders, "", DATA);
}

static void fill_folders(struct folders *folders, const char *beside)
{
    struct shunt_parse_path here;
    folders->count = 0;
    shunt_parse_here(&here, NULL, shunt_environment());
    add_folder(folders, beside, "/machines");
    add_folder(folders, here.request.user_dir, "/machines");
    add_folder(folders, here.request.system_dir, "/machines");
    add_shipped(folders);
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void add_name(struct names *names, const char *file)
{
    char **grown = realloc(names->name, (names->count + 1) * sizeof *grown);
    names->name = grown ? grown : names->name;
    char *name = grown ? strndup(file, strlen(file) - strlen(SUFFIX)) : NULL;
    for (size_t i = 0; name && i < names->count; i++) {
        if (strcmp(names->name[i], name) == 0) {
            free(name);
            return;
        }
    }
    if (name)
        names->name[names->count++] = name;
}

static void fill_names(struct names *names, const struct folders *folders)
{
    *names = (struct names){0};
    for (size_t i = 0; i < folders->count; i++) {
        DIR *directory = opendir(folders->path[i]);
        const struct dirent *entry;
        while (directory && (entry = readdir(directory)))
            if (shunt_parse_is_config(entry->d_name))
                add_name(names, entry->d_name);
        if (directory)
            closedir(directory);
    }
    if (names->count > 0)
        qsort(names->name, names->count, sizeof *names->name, compare);
}

static void clear_names(struct names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->name[i]);
    free(names->name);
}

/* "a, b, c"; NULL when memory is short. */
static char *join(const struct names *names)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    if (!stream)
        return NULL;
    for (size_t i = 0; i < names->count; i++)
        fprintf(stream, "%s%s", i > 0 ? ", " : "", names->name[i]);
    if (fclose(stream) == 0)
        return text;
    free(text);
    return NULL;
}

char *shunt_machine_names(void)
{
    struct folders folders;
    struct names names;
    fill_folders(&folders, NULL);
    fill_names(&names, &folders);
    char *text = join(&names);
    clear_names(&names);
    return text;
}

static void report_unknown(const char *name, const struct folders *folders, const char *where,
                           struct shunt_diagnostics *diagnostics)
{
    struct names names;
    char hint[128];
    fill_names(&names, folders);
    char *list = join(&names);
    shunt_hint_print(name, (const char *const *)names.name, names.count, hint, sizeof hint);
    shunt_diagnostics_add(diagnostics,
                          "%s%sno machine description is called \"%s\"%s: there are %s (\"shunt "
                          "machine\" makes one of this machine)",
                          where ? where : "", where ? ": " : "", name, hint,
                          list && list[0] != '\0' ? list : "none");
    free(list);
    clear_names(&names);
}

/* A path as it was given, from the folder `beside`. */
static char *given_path(const char *name, const char *beside)
{
    char *path = NULL;
    if (!beside || name[0] == '/')
        return strdup(name);
    return asprintf(&path, "%s/%s", beside, name) >= 0 ? path : NULL;
}

char *shunt_machine_path(const char *name, const char *beside, const char *where,
                         struct shunt_diagnostics *diagnostics)
{
    struct folders folders;
    char *path = NULL;
    size_t before;
    if (strchr(name, '/') || ends_with(name, SUFFIX, &before)) {
        path = given_path(name, beside);
        if (!path)
            shunt_diagnostics_add(diagnostics, "out of memory");
        return path;
    }
    fill_folders(&folders, beside);
    for (size_t i = 0; name[0] != '\0' && i < folders.count; i++) {
        if (asprintf(&path, "%s/%s" SUFFIX, folders.path[i], name) < 0)
            path = NULL;
        if (path && access(path, F_OK) == 0)
            return path;
        free(path);
        path = NULL;
    }
    report_unknown(name, &folders, where, diagnostics);
    return NULL;
}
