/* SPDX-License-Identifier: BSD-3-Clause */
/* store.c: see store.h. */
#include "tools/tune/store.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/common/tool.h"

static const char COLUMNS[] = "operation,nodes,ppn_min,ppn_max,distribution,block,largest,stage,"
                              "repetition,repetitions,algorithm,mode,calls,seconds";

enum { LINE_ROOM = 512, NAME_ROOM = 64, REPETITIONS_MOST = 100000 };

struct tune_row {
    struct tune_key key;
    char distribution[NAME_ROOM], candidate[TUNE_TEXT_ROOM];
    int64_t largest;
    int repetition, repetitions, calls;
    enum tune_mode mode;
    double seconds;
};

/* Takes the text up to the next comma, or the end of the line; NULL when there is none. */
static char *field(char **at)
{
    char *begin = *at;
    if (!begin)
        return NULL;
    char *comma = strchr(begin, ',');
    if (comma)
        *comma = '\0';
    *at = comma ? comma + 1 : NULL;
    return begin;
}

static bool number_field(char **at, int64_t least, int64_t *number)
{
    char *text = field(at), *end = NULL;
    if (!text || text[0] == '\0')
        return false;
    errno = 0;
    *number = strtoll(text, &end, 10);
    return errno == 0 && *end == '\0' && *number >= least;
}

static bool int_field(char **at, int least, int *number)
{
    int64_t wide = 0;
    if (!number_field(at, least, &wide) || wide > INT32_MAX)
        return false;
    *number = (int)wide;
    return true;
}

static bool text_field(char **at, char *text, size_t capacity)
{
    const char *word = field(at);
    if (!word || word[0] == '\0' || strlen(word) >= capacity)
        return false;
    memcpy(text, word, strlen(word) + 1);
    return true;
}

static bool op_field(char **at, enum shunt_op *op)
{
    const char *word = field(at);
    for (int i = 0; word && i < SHUNT_OP_COUNT; i++) {
        *op = (enum shunt_op)i;
        if (strcmp(word, shunt_op_name(*op)) == 0)
            return true;
    }
    return false;
}

static bool mode_field(char **at, enum tune_mode *mode)
{
    const char *word = field(at);
    for (int i = 0; word && i < TUNE_MODE_COUNT; i++) {
        *mode = (enum tune_mode)i;
        if (strcmp(word, tune_mode_name(*mode)) == 0)
            return true;
    }
    return false;
}

static bool seconds_field(char **at, double *seconds)
{
    char *word = field(at), *end = NULL;
    if (!word || word[0] == '\0')
        return false;
    *seconds = strtod(word, &end);
    return *end == '\0' && !*at && *seconds >= 0;
}

/* A line without its newline, which is taken apart. */
static bool read_row(char *line, struct tune_row *row)
{
    struct tune_key *key = &row->key;
    char *at = line;
    memset(row, 0, sizeof *row);
    if (!op_field(&at, &key->op) || !int_field(&at, 1, &key->place.nodes) ||
        !int_field(&at, 1, &key->place.ppn_min) || !int_field(&at, 1, &key->place.ppn_max) ||
        !text_field(&at, row->distribution, sizeof row->distribution) ||
        !number_field(&at, 0, &key->block) || !number_field(&at, 0, &row->largest) ||
        !int_field(&at, 0, &key->stage) || !int_field(&at, 0, &row->repetition) ||
        !int_field(&at, row->repetition + 1, &row->repetitions) ||
        row->repetitions > REPETITIONS_MOST)
        return false;
    return text_field(&at, row->candidate, sizeof row->candidate) && mode_field(&at, &row->mode) &&
           int_field(&at, 1, &row->calls) && seconds_field(&at, &row->seconds);
}

static bool keep(struct tune_store *store, size_t *room, const struct tune_row *row)
{
    if (store->count == *room) {
        const size_t more = *room ? 2 * *room : 1024;
        struct tune_row *rows = realloc(store->rows, more * sizeof *rows);
        if (!rows)
            return false;
        store->rows = rows;
        *room = more;
    }
    store->rows[store->count++] = *row;
    return true;
}

/* Two lines of head, then rows, of which the last one may be cut: what follows the last whole one
 * is taken away. False with `diagnostic`. */
static bool read_rows(struct tune_store *store, const char *conditions, char *diagnostic,
                      size_t capacity)
{
    char line[LINE_ROOM];
    size_t room = 0;
    long whole = 0;
    struct tune_row row;
    for (long number = 1; fgets(line, sizeof line, store->stream); number++) {
        char *newline = strchr(line, '\n');
        if (!newline)
            break; /* cut, or far too long */
        *newline = '\0';
        if (number == 1 && (strncmp(line, "# ", 2) != 0 || strcmp(line + 2, conditions) != 0)) {
            snprintf(diagnostic, capacity,
                     "%s is of another run (\"%.120s\", now \"%.120s\"): start without --resume, "
                     "with another --csv",
                     store->name, strncmp(line, "# ", 2) == 0 ? line + 2 : line, conditions);
            return false;
        }
        if (number > 2 && !read_row(line, &row)) {
            snprintf(diagnostic, capacity,
                     "%s:%ld: this is no sample of \"shunt tune\"; take the line out, or start "
                     "without --resume and with another --csv",
                     store->name, number);
            return false;
        }
        if (number > 2 && !keep(store, &room, &row)) {
            snprintf(diagnostic, capacity, "out of memory");
            return false;
        }
        whole = number > 1 ? ftell(store->stream) : 0; /* both lines of the head, or none */
    }
    if (fseek(store->stream, whole, SEEK_SET) == 0 && ftruncate(fileno(store->stream), whole) == 0)
        return true;
    snprintf(diagnostic, capacity, "%s cannot be written: %s", store->name, strerror(errno));
    return false;
}

static bool has_samples(const char *name)
{
    char line[LINE_ROOM];
    int lines = 0;
    FILE *stream = fopen(name, "r");
    while (stream && lines < 3 && fgets(line, sizeof line, stream))
        lines++;
    if (stream)
        fclose(stream);
    return lines > 2;
}

bool tune_store_open(struct tune_store *store, const char *name, const char *conditions,
                     bool resume, char *diagnostic, size_t capacity)
{
    *store = (struct tune_store){.name = name};
    if (!resume && has_samples(name)) {
        snprintf(diagnostic, capacity,
                 "%s has samples of an earlier run: go on with --resume, or name another file by "
                 "--csv, or remove it",
                 name);
        return false;
    }
    store->stream = resume ? fopen(name, "r+") : NULL;
    if (!store->stream && (!resume || errno == ENOENT))
        store->stream = fopen(name, "w+");
    if (!store->stream) {
        snprintf(diagnostic, capacity, "%s cannot be written: %s", name, strerror(errno));
        return false;
    }
    if (resume && !read_rows(store, conditions, diagnostic, capacity))
        return false;
    if (ftell(store->stream) == 0)
        fprintf(store->stream, "# %s\n%s\n", conditions, COLUMNS);
    fflush(store->stream);
    return true;
}

void tune_store_add(struct tune_store *store, const struct tune_key *key,
                    const struct tune_batch *batch, const char *const *distributions, int cases,
                    int64_t largest, int repetition, const int *calls, const double *seconds)
{
    for (int k = 0; store->stream && k < batch->count; k++)
        for (int c = 0; c < cases; c++)
            fprintf(store->stream, "%s,%d,%d,%d,%s,%lld,%lld,%d,%d,%d,%s,%s,%d,%.9g\n",
                    shunt_op_name(key->op), key->place.nodes, key->place.ppn_min,
                    key->place.ppn_max, distributions[tune_case_distribution(c)],
                    (long long)key->block, (long long)largest, key->stage, repetition,
                    batch->repetitions, batch->candidates[k], tune_mode_name(tune_case_mode(c)),
                    calls[tune_case_mode(c)], seconds[k * cases + c]);
    if (store->stream)
        fflush(store->stream); /* an error is found when it is closed */
}

static bool is_of(const struct tune_row *row, const struct tune_key *key)
{
    return row->key.op == key->op && row->key.block == key->block && row->key.stage == key->stage &&
           row->key.place.nodes == key->place.nodes &&
           row->key.place.ppn_min == key->place.ppn_min &&
           row->key.place.ppn_max == key->place.ppn_max;
}

static int place_of(const char *text, const char *const *texts, int count)
{
    int i = 0;
    while (i < count && strcmp(texts[i], text) != 0)
        i++;
    return i;
}

static int case_of(const struct tune_row *row, const char *const *distributions, int cases)
{
    const int count = tune_case_distribution(cases - 1) + 1;
    return place_of(row->distribution, distributions, count) * TUNE_MODE_COUNT + (int)row->mode;
}

int tune_store_planned(const struct tune_store *store, const struct tune_key *key)
{
    for (size_t i = 0; i < store->count; i++)
        if (is_of(&store->rows[i], key))
            return store->rows[i].repetitions;
    return 0;
}

int tune_store_find(const struct tune_store *store, const struct tune_key *key,
                    const struct tune_batch *batch, const char *const *distributions,
                    struct tune_samples *samples)
{
    const int values = samples->count * samples->cases * samples->repetitions;
    int whole = 0;
    for (int i = 0; i < values; i++)
        samples->seconds[i] = -1;
    for (size_t i = 0; i < store->count; i++) {
        const struct tune_row *row = &store->rows[i];
        if (!is_of(row, key) || row->repetition >= samples->repetitions)
            continue;
        const int k = place_of(row->candidate, batch->candidates, batch->count),
                  c = case_of(row, distributions, samples->cases);
        if (k == batch->count || c >= samples->cases)
            continue;
        tune_samples_of(samples, k, c)[row->repetition] = row->seconds;
        samples->largest = row->largest;
        samples->calls[row->mode] = row->calls;
    }
    for (; whole < samples->repetitions; whole++)
        for (int i = 0; i < samples->count * samples->cases; i++)
            if (samples->seconds[i * samples->repetitions + whole] < 0)
                return whole;
    return whole;
}

bool tune_store_close(struct tune_store *store)
{
    bool good = true;
    if (store->stream) {
        good = fflush(store->stream) == 0 && !ferror(store->stream);
        good &= fclose(store->stream) == 0;
    }
    if (!good)
        shunt_tool_say("%s could not be written: %s", store->name, strerror(errno));
    free(store->rows);
    *store = (struct tune_store){0};
    return good;
}
