/* SPDX-License-Identifier: BSD-3-Clause */
/* source.c: files into memory, and the map from lines of the assembled text to lines of files. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "route/source.h"

/* A decision file is a few kilobytes; the limit keeps /dev/zero and core dumps out of memory. */
#define SIZE_LIMIT ((size_t)4 << 20)

/* Reads until the end or the limit. Returns the number of bytes, or -1 with errno. */
static ssize_t read_all(int fd, char *text, size_t capacity)
{
    size_t used = 0;
    while (used < capacity) {
        ssize_t got = read(fd, text + used, capacity - used);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        used += (size_t)got;
    }
    return (ssize_t)used;
}

/* Room for the file and one byte more than its size or the limit, to notice what is longer. Files
 * of /proc have no size in advance. */
static size_t grow_to(const struct stat *status)
{
    if (status->st_size > 0 && (size_t)status->st_size < SIZE_LIMIT)
        return (size_t)status->st_size + 1;
    return SIZE_LIMIT + 1;
}

/* Why a file of this kind is not read, or NULL: only regular files end without anybody else's
 * doing, and have no side effects. */
static const char *kind_refused(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFREG:
        return NULL;
    case S_IFDIR:
        return "is a directory";
    case S_IFIFO:
        return "is a pipe; it must be a regular file";
    case S_IFSOCK:
        return "is a socket; it must be a regular file";
    default:
        return "is a device; it must be a regular file";
    }
}

/* Loads from an open file; returns NULL and the reason when it is not a readable text. */
static char *load(int fd, const char **reason)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        *reason = strerror(errno);
        return NULL;
    }
    *reason = kind_refused(status.st_mode);
    if (*reason)
        return NULL;
    size_t capacity = grow_to(&status);
    char *text = malloc(capacity + 1);
    ssize_t length = text ? read_all(fd, text, capacity) : -1;
    if (length < 0)
        *reason = text ? strerror(errno) : "out of memory";
    else if ((size_t)length > SIZE_LIMIT)
        *reason = "is larger than 4 MiB: not a decision file";
    else if (length == 0)
        *reason = "is empty";
    else if (memchr(text, '\0', (size_t)length))
        *reason = "is not a text file: it holds NUL bytes";
    else {
        text[length] = '\0';
        return text;
    }
    free(text);
    return NULL;
}

/* Why `path` could not be opened: a socket or a device without driver says ENXIO, which helps
 * nobody. */
static const char *open_refused(const char *path)
{
    const char *reason = strerror(errno);
    struct stat status;
    const char *kind = stat(path, &status) == 0 ? kind_refused(status.st_mode) : NULL;
    return kind ? kind : reason;
}

char *shunt_source_load(const char *path, const char *where, struct shunt_diagnostics *diagnostics)
{
    const char *reason = NULL;
    /* O_NONBLOCK: opening a pipe does not wait for a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char *text = NULL;
    if (fd < 0) {
        reason = open_refused(path);
    } else {
        text = load(fd, &reason);
        close(fd);
    }
    if (!text && strcmp(path, where) == 0)
        shunt_diagnostics_add(diagnostics, "%s: cannot be read: %s", path, reason);
    else if (!text)
        shunt_diagnostics_add(diagnostics, "%s: included file %s cannot be read: %s", where, path,
                              reason);
    return text;
}

/* Makes room for `count` elements of `size` bytes. */
static void *grow(void *array, size_t *capacity, size_t count, size_t size)
{
    if (count <= *capacity)
        return array;
    size_t wanted = *capacity * 2 > count ? *capacity * 2 : count + 256;
    void *grown = realloc(array, wanted * size);
    if (grown)
        *capacity = wanted;
    return grown;
}

static void add_line(struct shunt_source *source, uint32_t file, int line)
{
    struct shunt_source_line *grown =
        grow(source->lines, &source->line_capacity, source->line_count + 1, sizeof *grown);
    if (!grown) {
        source->broken = true;
        return;
    }
    source->lines = grown;
    source->lines[source->line_count++] = (struct shunt_source_line){file, line};
}

void shunt_source_put(struct shunt_source *source, const char *text, size_t length)
{
    char *grown = grow(source->text, &source->capacity, source->length + length + 1, 1);
    if (!grown || source->length + length > SIZE_LIMIT) {
        source->text = grown ? grown : source->text;
        source->broken = true;
        return;
    }
    source->text = grown;
    memcpy(source->text + source->length, text, length);
    source->length += length;
    source->text[source->length] = '\0';
    for (size_t i = 0; i < length && source->line_count > 0; i++) {
        const struct shunt_source_line last = source->lines[source->line_count - 1];
        if (text[i] == '\n')
            add_line(source, last.file, last.line + 1);
    }
}

void shunt_source_at(struct shunt_source *source, uint32_t file, int line)
{
    if (source->line_count == 0)
        add_line(source, file, line);
    else
        source->lines[source->line_count - 1] = (struct shunt_source_line){file, line};
}

uint32_t shunt_source_add_file(struct shunt_source *source, const char *name)
{
    char **grown = realloc(source->files, ((size_t)source->file_count + 1) * sizeof *grown);
    char *copy = strdup(name);
    if (grown)
        source->files = grown;
    if (!grown || !copy) {
        free(copy);
        source->broken = true;
        return 0;
    }
    source->files[source->file_count] = copy;
    return source->file_count++;
}

/* Lines past the end (libconfig may count one more) belong to the last one. */
static struct shunt_source_line line_of(const struct shunt_source *source, unsigned line)
{
    if (source->line_count == 0)
        return (struct shunt_source_line){0, 0};
    size_t index = line > 0 ? line - 1U : 0;
    return source->lines[index < source->line_count ? index : source->line_count - 1];
}

const char *shunt_source_name(const struct shunt_source *source, unsigned line)
{
    uint32_t file = line_of(source, line).file;
    return file < source->file_count ? source->files[file] : "";
}

int shunt_source_number(const struct shunt_source *source, unsigned line)
{
    return line_of(source, line).line;
}

void shunt_source_clear(struct shunt_source *source)
{
    for (uint32_t i = 0; i < source->file_count; i++)
        free(source->files[i]);
    free(source->files);
    free(source->lines);
    free(source->text);
    *source = (struct shunt_source){0};
}
