/* SPDX-License-Identifier: BSD-3-Clause */
/* runs.c: see runs.h. */
#include "tools/log/sort.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BUFFER = 256 * 1024, READER_LEAST = 16 * 1024 };
/* Runs that are merged at a time: each needs a buffer, and reads of less than some KiB are slow. */
enum { MERGED_MOST = 256 };

int shunt_run_compare(const struct shunt_sort_key *a, const struct shunt_sort_key *b)
{
    for (int i = 0; i < 3; i++)
        if (a->word[i] != b->word[i])
            return a->word[i] < b->word[i] ? -1 : 1;
    return 0;
}

void shunt_runs_init(struct shunt_runs *runs, size_t memory, const char *folder)
{
    *runs = (struct shunt_runs){.folder = folder, .memory = memory, .fd = -1};
}

static void close_readers(struct shunt_runs *runs)
{
    for (size_t i = 0; i < runs->reading; i++)
        free(runs->readers[i].bytes);
    free(runs->readers);
    runs->readers = NULL;
    runs->reading = 0;
}

void shunt_runs_clear(struct shunt_runs *runs)
{
    close_readers(runs);
    free(runs->runs);
    free(runs->buffer);
    if (runs->fd >= 0)
        close(runs->fd);
    shunt_runs_init(runs, runs->memory, runs->folder);
}

size_t shunt_runs_count(const struct shunt_runs *runs)
{
    return runs->count;
}

/* Nobody else sees the file, and it goes with the process. Not every file system has O_TMPFILE. */
static int make_file(const char *folder)
{
    char path[4096];
    int fd = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd >= 0)
        return fd;
    if (snprintf(path, sizeof path, "%s/shunt-log.XXXXXX", folder) >= (int)sizeof path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    fd = mkostemp(path, O_CLOEXEC);
    if (fd >= 0)
        unlink(path);
    return fd;
}

static int prepare(struct shunt_runs *runs)
{
    if (!runs->buffer)
        runs->buffer = malloc(BUFFER);
    if (!runs->buffer)
        return ENOMEM;
    if (runs->fd < 0)
        runs->fd = make_file(runs->folder);
    return runs->fd < 0 ? errno : 0;
}

int shunt_runs_begin(struct shunt_runs *runs)
{
    const int error = prepare(runs);
    if (error != 0)
        return error;
    if (runs->count == runs->room) {
        const size_t room = runs->room == 0 ? 64 : 2 * runs->room;
        struct shunt_run *list = realloc(runs->runs, room * sizeof *list);
        if (!list)
            return ENOMEM;
        runs->runs = list;
        runs->room = room;
    }
    runs->runs[runs->count].begin = runs->written;
    return 0;
}

static int flush(struct shunt_runs *runs)
{
    const char *from = runs->buffer;
    while (runs->buffered > 0) {
        const ssize_t count = pwrite(runs->fd, from, runs->buffered, runs->written);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 ? errno : EIO;
        from += count;
        runs->buffered -= (size_t)count;
        runs->written += count;
    }
    return 0;
}

int shunt_runs_add(struct shunt_runs *runs, const struct shunt_run_item *item)
{
    const void *begin = item;
    const char *from = begin;
    /* The bytes that align the next item may have any value, but must have one. */
    static const char zeros[8];
    size_t left = sizeof *item + item->length;
    size_t rest = shunt_run_item_size(item->length) - left;
    for (; left > 0; left = rest, rest = 0, from = zeros) {
        while (left > 0) {
            const size_t room = BUFFER - runs->buffered, some = left < room ? left : room;
            memcpy(runs->buffer + runs->buffered, from, some);
            runs->buffered += some;
            from += some;
            left -= some;
            const int error = runs->buffered == BUFFER ? flush(runs) : 0;
            if (error != 0)
                return error;
        }
    }
    return 0;
}

int shunt_runs_end(struct shunt_runs *runs)
{
    const int error = flush(runs);
    runs->runs[runs->count].end = runs->written;
    if (error == 0)
        runs->count++;
    return error;
}

/* Reads until there are at least `need` bytes from `at` on; they are there. */
static int fill(const struct shunt_runs *runs, struct shunt_run_reader *reader, size_t need)
{
    if (reader->filled - reader->at >= need)
        return 0;
    memmove(reader->bytes, reader->bytes + reader->at, reader->filled - reader->at);
    reader->filled -= reader->at;
    reader->at = 0;
    if (need > reader->capacity) {
        char *bytes = realloc(reader->bytes, need);
        if (!bytes)
            return ENOMEM;
        reader->bytes = bytes;
        reader->capacity = need;
    }
    while (reader->filled < need) {
        size_t want = reader->capacity - reader->filled;
        if ((off_t)want > reader->end - reader->next)
            want = (size_t)(reader->end - reader->next);
        const ssize_t count = pread(runs->fd, reader->bytes + reader->filled, want, reader->next);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count < 0 ? errno : EIO;
        reader->filled += (size_t)count;
        reader->next += count;
    }
    return 0;
}

static const struct shunt_run_item *item_of(const struct shunt_run_reader *reader)
{
    const void *item = reader->bytes + reader->at;
    return item;
}

/* Makes sure that the item at hand is whole. 1, 0 at the end, negative errno. */
static int load(const struct shunt_runs *runs, struct shunt_run_reader *reader)
{
    if (reader->at == reader->filled && reader->next == reader->end)
        return 0;
    int error = fill(runs, reader, sizeof(struct shunt_run_item));
    if (error == 0)
        error = fill(runs, reader, shunt_run_item_size(item_of(reader)->length));
    return error != 0 ? -error : 1;
}

/* Moves the first reader to where it belongs in the heap. */
static void sink(struct shunt_runs *runs, size_t at)
{
    for (;;) {
        size_t least = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2 && child < runs->reading; child++)
            if (shunt_run_compare(&item_of(&runs->readers[child])->key,
                                  &item_of(&runs->readers[least])->key) < 0)
                least = child;
        if (least == at)
            return;
        const struct shunt_run_reader reader = runs->readers[at];
        runs->readers[at] = runs->readers[least];
        runs->readers[least] = reader;
        at = least;
    }
}

/* Begins to read `count` runs from `first` on. */
static int open_readers(struct shunt_runs *runs, size_t first, size_t count)
{
    size_t capacity = runs->memory / count;
    capacity = capacity < READER_LEAST ? READER_LEAST : capacity > BUFFER ? BUFFER : capacity;
    runs->moved = false;
    runs->readers = calloc(count, sizeof *runs->readers);
    if (!runs->readers)
        return ENOMEM;
    for (size_t i = 0; i < count; i++) {
        struct shunt_run_reader *reader = &runs->readers[runs->reading];
        *reader = (struct shunt_run_reader){.next = runs->runs[first + i].begin,
                                            .end = runs->runs[first + i].end,
                                            .bytes = malloc(capacity),
                                            .capacity = capacity};
        const int loaded = reader->bytes ? load(runs, reader) : -ENOMEM;
        if (loaded <= 0)
            free(reader->bytes);
        if (loaded < 0)
            return -loaded;
        runs->reading += loaded > 0;
    }
    for (size_t i = runs->reading / 2; i-- > 0;)
        sink(runs, i);
    return 0;
}

int shunt_runs_next(struct shunt_runs *runs, const struct shunt_run_item **item)
{
    if (runs->moved) {
        struct shunt_run_reader *first = &runs->readers[0];
        first->at += shunt_run_item_size(item_of(first)->length);
        const int loaded = load(runs, first);
        if (loaded < 0)
            return loaded;
        if (loaded == 0) {
            free(first->bytes);
            *first = runs->readers[--runs->reading];
        }
        sink(runs, 0);
    }
    runs->moved = runs->reading > 0;
    if (!runs->moved)
        return 0;
    *item = item_of(&runs->readers[0]);
    return 1;
}

/* Merges `count` runs from `first` on into one at the end of `into`. */
static int merge(struct shunt_runs *runs, size_t first, size_t count, struct shunt_runs *into)
{
    const struct shunt_run_item *item;
    int found = 0;
    int error = open_readers(runs, first, count);
    if (error == 0)
        error = shunt_runs_begin(into);
    while (error == 0 && (found = shunt_runs_next(runs, &item)) > 0)
        error = shunt_runs_add(into, item);
    close_readers(runs);
    if (error == 0 && found < 0)
        error = -found;
    return error != 0 ? error : shunt_runs_end(into);
}

int shunt_runs_finish(struct shunt_runs *runs)
{
    int error = 0;
    while (runs->count > MERGED_MOST && error == 0) {
        struct shunt_runs fewer;
        shunt_runs_init(&fewer, runs->memory, runs->folder);
        for (size_t i = 0; i < runs->count && error == 0; i += MERGED_MOST)
            error = merge(runs, i, runs->count - i < MERGED_MOST ? runs->count - i : MERGED_MOST,
                          &fewer);
        shunt_runs_clear(runs);
        *runs = fewer;
    }
    return error != 0 ? error : open_readers(runs, 0, runs->count);
}
