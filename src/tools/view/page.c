/* SPDX-License-Identifier: BSD-3-Clause */
/* page.c: the page of the viewer: where it is, and where in it the data are. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "config.h"
#include "tools/common/tool.h"
#include "tools/view/view.h"

#define PAGE "viewer.html"
#define MARK "<script type=\"application/json\" id=\"shunt-data\">"
#define MARK_END "</script>"
#define VERSION_BEFORE "\"version\": \""

/* The build tree; a tree that was moved, or is under another root; where it was installed. */
static void find_page(char *path, size_t capacity)
{
    static const char *const folders[] = {"/viewer/", "/../share/" PACKAGE_TARNAME "/", NULL};
    char own[PATH_MAX];
    for (int i = 0; shunt_tool_folder(own, sizeof own) && folders[i]; i++) {
        snprintf(path, capacity, "%s%s" PAGE, own, folders[i]);
        if (access(path, R_OK) == 0)
            return;
    }
    snprintf(path, capacity, "%s/" PAGE, SHUNT_PKGDATADIR);
}

static int say_unreadable(const char *path)
{
    if (errno == ENOENT)
        shunt_tool_say(
            "this Shunt was built without the page of the viewer, which is neither "
            "beside this program nor at %s: install npm, clang, lld, wasi-libc and "
            "clang's runtime for WebAssembly (Debian 12: apt-get install " SHUNT_VIEWER_PACKAGES
            "), then run configure and make again in the build "
            "folder; or take a release, which has it; text, --csv and --json of the "
            "other commands need no page",
            path);
    else
        shunt_tool_say("%s: cannot be read: %s", path, strerror(errno));
    return SHUNT_EXIT_IO;
}

/* The whole file behind page->text. False with errno. */
static bool read_all(struct shunt_view_page *page, FILE *file)
{
    size_t capacity = 0;
    do {
        capacity = capacity > 0 ? 2 * capacity : (size_t)1 << 20;
        char *grown = realloc(page->text, capacity + 1);
        if (!grown)
            return false;
        page->text = grown;
        page->length += fread(grown + page->length, 1, capacity - page->length, file);
    } while (page->length == capacity);
    page->text[page->length] = '\0';
    return !ferror(file);
}

static int find_data(struct shunt_view_page *page, const char *path)
{
    const char *mark = strstr(page->text, MARK), *begin = mark ? mark + strlen(MARK) : NULL,
               *end = begin ? strstr(begin, MARK_END) : NULL;
    if (!end) {
        shunt_tool_say(
            "%s: is no page of the viewer: it has no place for data; install Shunt again", path);
        return SHUNT_EXIT_IO;
    }
    page->begin = (size_t)(begin - page->text);
    page->end = (size_t)(end - page->text);
    const char *version = strstr(begin, VERSION_BEFORE);
    const size_t length = strlen(PACKAGE_VERSION);
    version = version && version < end ? version + strlen(VERSION_BEFORE) : "";
    if (strncmp(version, PACKAGE_VERSION, length) == 0 && version[length] == '"')
        return SHUNT_EXIT_OK;
    /* It would take the bytes of tables for something else. */
    shunt_tool_say("%s: is a page of Shunt %.*s, and this is %s: install both together", path,
                   version[0] != '\0' ? (int)strcspn(version, "\"") : 20,
                   version[0] != '\0' ? version : "of unknown version", PACKAGE_VERSION);
    return SHUNT_EXIT_IO;
}

int shunt_view_page_read(struct shunt_view_page *page)
{
    char path[PATH_MAX + 64];
    *page = (struct shunt_view_page){.text = NULL};
    find_page(path, sizeof path);
    FILE *file = fopen(path, "r");
    if (!file)
        return say_unreadable(path);
    const bool read = read_all(page, file);
    const int error = errno;
    fclose(file);
    errno = error;
    return read ? find_data(page, path) : say_unreadable(path);
}

/* In JSON, "<" stands in strings alone; there it may begin what ends a script. */
static void put_data(FILE *file, const struct shunt_log_text *text)
{
    for (size_t i = 0; i < text->used; i++) {
        if (text->bytes[i] == '<')
            fputs("\\u003c", file);
        else
            fputc(text->bytes[i], file);
    }
}

static void put_page(FILE *file, const struct shunt_view_page *page,
                     const struct shunt_view_data *data)
{
    fwrite(page->text, 1, page->begin, file); /* an error stays in the stream */
    put_data(file, &data->text);
    fwrite(page->text + page->end, 1, page->length - page->end, file);
}

int shunt_view_page_write(const struct shunt_view_page *page, const struct shunt_view_data *data,
                          const char *path)
{
    struct shunt_output output = {.stream = stdout};
    const bool named = strcmp(path, "-") != 0;
    int error = named ? shunt_output_open(&output, path) : 0;
    if (error == 0) {
        put_page(output.stream, page, data);
        if (named)
            error = shunt_output_close(&output, true);
        else if (ferror(stdout) || fflush(stdout) != 0)
            error = errno;
    }
    if (error == 0)
        return SHUNT_EXIT_OK;
    shunt_tool_say("%s: cannot be written: %s", named ? path : "standard output", strerror(error));
    return SHUNT_EXIT_IO;
}

void shunt_view_page_clear(struct shunt_view_page *page)
{
    free(page->text);
    page->text = NULL;
}
