/* SPDX-License-Identifier: BSD-3-Clause */
/* source.c: see source.h. */
#include "tools/log/source.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "config.h"
#include "tools/common/tool.h"
#include "tools/log/view.h"

/* A call with the bytes to each of a million ranks takes less than LINE_MOST. */
enum { BLOCK = 256 * 1024, LINE_MOST = 64 * 1024 * 1024 };

bool shunt_logs_reader_open(struct shunt_logs_reader *reader)
{
    reader->parser = shunt_logs_parser_new();
    reader->capacity = BLOCK;
    reader->bytes = malloc(reader->capacity);
    if (reader->parser && reader->bytes)
        return true;
    shunt_logs_reader_close(reader);
    return false;
}

void shunt_logs_reader_close(struct shunt_logs_reader *reader)
{
    shunt_logs_parser_free(reader->parser);
    free(reader->bytes);
    reader->parser = NULL;
    reader->bytes = NULL;
}

uint64_t shunt_logs_total(char *const *paths, int count)
{
    uint64_t total = 0;
    struct stat status;
    for (int i = 0; i < count; i++) {
        if (strcmp(paths[i], "-") == 0)
            return 0;
        if (stat(paths[i], &status) != 0)
            continue;
        if (!S_ISREG(status.st_mode))
            return 0;
        total += (uint64_t)status.st_size;
    }
    return total;
}

static void note(struct shunt_logs_reader *reader, int code)
{
    if (code > reader->code)
        reader->code = code;
}

/* "FILE: TEXT" without the name of the command, as other messages about files. */
static void give_up(struct shunt_logs_reader *reader, struct shunt_logs_file *file,
                    const char *what)
{
    fprintf(stderr, "%s: cannot be read: %s\n", file->path, what);
    file->given_up = true;
    note(reader, SHUNT_EXIT_IO);
}

static void note_cut(struct shunt_logs_reader *reader, const struct shunt_logs_file *file)
{
    if (reader->cut++ == 0) {
        reader->cut_path = file->path;
        reader->cut_line = file->line;
    }
}

static void note_wrong(struct shunt_logs_file *file, const char *line, size_t length)
{
    static const char people[] = "shunt: ";
    if (file->wrong++ > 0)
        return;
    file->wrong_line = file->line;
    file->wrong_people =
        length >= sizeof people - 1 && memcmp(line, people, sizeof people - 1) == 0;
}

static void check_schema(struct shunt_logs_reader *reader, struct shunt_logs_file *file,
                         const struct shunt_logs_event *event)
{
    char schema[64] = "no schema";
    if (event->schema == SHUNT_LOGS_SCHEMA)
        return;
    if (event->schema >= 0)
        snprintf(schema, sizeof schema, "schema %" PRId64, event->schema);
    fprintf(stderr,
            "%s:%" PRIu64 ": the log has %s, which %s does not read (it reads schema %d): use the "
            "shunt that wrote it, version %s\n",
            file->path, file->line, schema, PACKAGE_STRING, SHUNT_LOGS_SCHEMA,
            event->version ? event->version : "unknown");
    file->given_up = true;
    note(reader, SHUNT_EXIT_IO);
}

static int take_event(struct shunt_logs_reader *reader, struct shunt_logs_file *file,
                      struct shunt_logs_event *event, const char *line, size_t length)
{
    if (event->kind == SHUNT_LOGS_HEADER) {
        check_schema(reader, file, event);
        file->origin = event->origin;
        /* Somebody appended to the file. */
        if (file->ended && event->rank == file->ended_rank)
            file->ended = false;
    } else if (event->timed) {
        event->time += file->origin;
    }
    if (file->given_up)
        return SHUNT_EXIT_OK;
    if (event->timed)
        file->last = event->time;
    else
        event->time = file->last;
    if (event->kind == SHUNT_LOGS_SUMMARY && !file->ended) {
        file->ended = true;
        file->ended_rank = event->rank;
    }
    file->events++;
    return reader->event(reader->context, event, line, length);
}

/* Where a log goes on within a line, because a job was ended in the middle of it and another one
 * appended; NULL: nowhere. */
static const char *next_header(const char *line, size_t length)
{
    static const char header[] = "{\"event\": \"header\"";
    return length < 2 ? NULL : memmem(line + 1, length - 1, header, sizeof header - 1);
}

static int take_line(struct shunt_logs_reader *reader, struct shunt_logs_file *file,
                     const char *line, size_t length, bool last)
{
    struct shunt_logs_event event;
    file->line++;
    while (length > 0 && (line[length - 1] == '\r' || line[length - 1] == '\n'))
        length--;
    if (length == 0) {
        file->blank++;
        return SHUNT_EXIT_OK;
    }
    const enum shunt_logs_found found = shunt_logs_parse(reader->parser, line, length, &event);
    if (found == SHUNT_LOGS_GOOD)
        return take_event(reader, file, &event, line, length);
    const char *next = next_header(line, length);
    if (next || (found == SHUNT_LOGS_CUT && last))
        note_cut(reader, file);
    else
        note_wrong(file, line, length);
    if (!next)
        return SHUNT_EXIT_OK;
    file->line--;
    return take_line(reader, file, next, length - (size_t)(next - line), last);
}

/* Takes the whole lines at the front of the buffer; *used gets their bytes. */
static int take_lines(struct shunt_logs_reader *reader, struct shunt_logs_file *file, size_t filled,
                      size_t *used)
{
    const char *line = reader->bytes, *end = reader->bytes + filled, *newline;
    int code = SHUNT_EXIT_OK;
    while (code == SHUNT_EXIT_OK && !file->given_up &&
           (newline = memchr(line, '\n', (size_t)(end - line))) != NULL) {
        code = take_line(reader, file, line, (size_t)(newline - line), false);
        line = newline + 1;
    }
    *used = (size_t)(line - reader->bytes);
    file->offset += (off_t)*used;
    return code;
}

/* Room for more of a line. False: it is too long for one of a log, or memory is short. */
static bool grow(struct shunt_logs_reader *reader)
{
    char *bytes =
        reader->capacity < LINE_MOST ? realloc(reader->bytes, 2 * reader->capacity) : NULL;
    if (!bytes)
        return false;
    reader->bytes = bytes;
    reader->capacity *= 2;
    return true;
}

static int read_open(struct shunt_logs_reader *reader, struct shunt_logs_file *file, int fd)
{
    size_t filled = 0, used;
    int code = SHUNT_EXIT_OK;
    while (code == SHUNT_EXIT_OK && !file->given_up) {
        const ssize_t count = read(fd, reader->bytes + filled, reader->capacity - filled);
        if (count < 0 && errno == EINTR && !reader->follow)
            continue;
        if (count < 0) {
            give_up(reader, file, strerror(errno));
            break;
        }
        shunt_logs_progress_add(reader->progress, (uint64_t)count);
        /* Text has no NUL byte; a file of another kind may be long. */
        if (memchr(reader->bytes + filled, '\0', (size_t)count)) {
            give_up(reader, file, "is not a text file: it holds NUL bytes");
            break;
        }
        if (count == 0)
            break;
        filled += (size_t)count;
        code = take_lines(reader, file, filled, &used);
        memmove(reader->bytes, reader->bytes + used, filled - used);
        filled -= used;
        if (filled == reader->capacity && !grow(reader))
            give_up(reader, file, "a line is too long for one of a log");
    }
    /* What lacks its newline may still be written. */
    if (code == SHUNT_EXIT_OK && filled > 0 && (!reader->follow || file->stream) && !file->given_up)
        code = take_line(reader, file, reader->bytes, filled, true);
    return code;
}

/* Moves to where the file was left; a file that is another one or shorter now begins anew. */
static bool resume(struct shunt_logs_reader *reader, struct shunt_logs_file *file, int fd)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        give_up(reader, file, strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode)) {
        give_up(reader, file, "is a directory; name the files in it");
        return false;
    }
    const bool other = status.st_dev != file->device || status.st_ino != file->inode;
    file->stream = !S_ISREG(status.st_mode);
    if (file->stream) {
        file->seen = true;
        return true;
    }
    if (file->seen && (other || status.st_size < file->offset)) {
        fprintf(stderr, "%s: has been replaced or shortened: read from its beginning\n",
                file->path);
        file->offset = 0;
        file->line = file->blank = 0;
        file->ended = false;
    }
    file->seen = true;
    file->device = status.st_dev;
    file->inode = status.st_ino;
    return file->offset == 0 || lseek(fd, file->offset, SEEK_SET) >= 0;
}

int shunt_logs_read(struct shunt_logs_reader *reader, struct shunt_logs_file *file)
{
    const bool standard = strcmp(file->path, "-") == 0;
    const int fd = standard ? STDIN_FILENO : open(file->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 && errno == ENOENT && reader->follow)
        return SHUNT_EXIT_OK; /* it may come yet */
    if (fd < 0) {
        give_up(reader, file, strerror(errno));
        return SHUNT_EXIT_OK;
    }
    const int code = resume(reader, file, fd) ? read_open(reader, file, fd) : SHUNT_EXIT_OK;
    if (!standard)
        close(fd);
    return code;
}

void shunt_logs_judge(struct shunt_logs_reader *reader, const struct shunt_logs_file *file)
{
    if (file->given_up)
        return;
    if (file->events == 0 && file->wrong > 0) {
        fprintf(stderr, "%s:%" PRIu64 ": is no log that can be read: %s\n", file->path,
                file->wrong_line,
                file->wrong_people
                    ? "it was written for people; SHUNT_LOG_FORMAT=json, or a name that ends in "
                      ".jsonl, writes one for programs"
                    : "it has no line of JSON as SHUNT_LOG=calls with SHUNT_LOG_FORMAT=json writes "
                      "them");
        note(reader, SHUNT_EXIT_IO);
    } else if (file->wrong > 0) {
        fprintf(stderr, "%s:%" PRIu64 ": is no line of a log, and left out", file->path,
                file->wrong_line);
        if (file->wrong > 1)
            fprintf(stderr, "; so are %" PRIu64 " more", file->wrong - 1);
        fputc('\n', stderr);
        note(reader, SHUNT_EXIT_FINDINGS);
    } else if (file->line == file->blank) {
        fprintf(stderr, "%s: %s: nothing has been logged yet, or the job was ended before it was\n",
                file->path,
                !file->seen       ? "is missing"
                : file->line == 0 ? "is empty"
                                  : "has empty lines only");
        note(reader, SHUNT_EXIT_FINDINGS);
    }
}

void shunt_logs_judge_cut(struct shunt_logs_reader *reader)
{
    if (reader->cut == 0)
        return;
    fprintf(stderr,
            "%s:%" PRIu64 ": the line is cut off: the job was ended while it was written; the log "
            "ends before it",
            reader->cut_path, reader->cut_line);
    if (reader->cut > 1)
        fprintf(stderr, "; so is a line in %" PRIu64 " more places", reader->cut - 1);
    fputc('\n', stderr);
    note(reader, SHUNT_EXIT_FINDINGS);
}

int shunt_logs_read_all(struct shunt_logs_reader *reader, struct shunt_logs_file *files,
                        char *const *paths, int count)
{
    int code = SHUNT_EXIT_OK;
    shunt_logs_progress_begin(reader->progress, "read", shunt_logs_total(paths, count));
    for (int i = 0; i < count && code == SHUNT_EXIT_OK; i++)
        code = shunt_logs_read(reader, &files[i]);
    shunt_logs_progress_end(reader->progress);
    return code;
}

int shunt_logs_judge_all(struct shunt_logs_reader *reader, const struct shunt_logs_file *files,
                         int count, int code)
{
    if (code == SHUNT_EXIT_OK) {
        for (int i = 0; i < count; i++)
            shunt_logs_judge(reader, &files[i]);
        shunt_logs_judge_cut(reader);
    }
    return code > reader->code ? code : reader->code;
}
