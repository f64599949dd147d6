/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * open_mpi.c: Open MPI's files of dynamic rules (coll_tuned_dynamic_rules_filename), in their
 * classic form: numbers, and comments behind "#".
 *
 * Number of collectives; for each its number, and the number of communicator sizes; for each the
 * size, and the number of message sizes; for each the size, the algorithm, a fan, a segment size,
 * and from version 2 on, if more is in the line, a number of requests. A size counts up to the next
 * one, the first also below. The message of an MPI_Alltoall is what a rank sends to all together;
 * of an MPI_Alltoallv it is not known there, so the first rule counts.
 */
#include "tools/import/open_mpi.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "tools/import/import.h"

static const char *const alltoall_names[] = {
    "ignore", "linear", "pairwise", "modified_bruck", "linear_sync", "two_proc", NULL};
static const char *const alltoallv_names[] = {"ignore", "basic_linear", "pairwise", NULL};

const char *const *shunt_open_mpi_names(enum shunt_op op)
{
    return op == SHUNT_OP_ALLTOALL ? alltoall_names : alltoallv_names;
}

const char *shunt_open_mpi_name(enum shunt_op op, int64_t number)
{
    const char *const *names = shunt_open_mpi_names(op);
    for (int64_t i = 0; names[i]; i++)
        if (i == number)
            return names[i];
    return NULL;
}

/* Numbers of collectives there. */
enum { ALLTOALL = 3, ALLTOALLV = 4, COLLECTIVES = 22 };

struct reading {
    struct shunt_import *import;
    const char *at;
    int line;
    int version;
};

/* Behind blanks and comments; `within` the line only. */
static void skip(struct reading *reading, bool within)
{
    for (;;) {
        if (*reading->at == '#') {
            reading->at += strcspn(reading->at, "\n");
        } else if (*reading->at == '\n') {
            if (within)
                return;
            reading->line++;
            reading->at++;
        } else if (*reading->at == ' ' || *reading->at == '\t' || *reading->at == '\r') {
            reading->at++;
        } else {
            return;
        }
    }
}

/* The next number; false with a problem that says what it should be. */
static bool next(struct reading *reading, const char *what, int64_t *number)
{
    skip(reading, false);
    const size_t length = strcspn(reading->at, " \t\r\n#"),
                 digits = strspn(reading->at, "0123456789");
    if (length == 0) {
        shunt_import_problem(reading->import, reading->line,
                             "the file ends where %s should be: a count before it is too large, "
                             "or numbers are lacking",
                             what);
        return false;
    }
    if (digits != length || length > 18) {
        shunt_import_problem(reading->import, reading->line,
                             "\"%.*s\" is no number, where %s should be: comments begin with #",
                             (int)(length < 60 ? length : 60), reading->at, what);
        return false;
    }
    *number = strtoll(reading->at, NULL, 10);
    reading->at += length;
    return true;
}

/* One message size of one communicator size. */
struct entry {
    int64_t size, algorithm, requests;
    int line;
};

static bool read_entry(struct reading *reading, struct entry *entry)
{
    int64_t ignored;
    if (!next(reading, "a message size", &entry->size))
        return false;
    entry->line = reading->line;
    entry->requests = 0;
    if (!next(reading, "the number of an algorithm", &entry->algorithm) ||
        !next(reading, "a fan in and out", &ignored) || !next(reading, "a segment size", &ignored))
        return false;
    skip(reading, true);
    if (reading->version < 2 || *reading->at < '0' || *reading->at > '9')
        return true;
    return next(reading, "a number of requests", &entry->requests);
}

static bool add_entry(struct reading *reading, struct shunt_import_where where,
                      const struct entry *entry, int64_t end, bool first)
{
    const char *name = shunt_open_mpi_name(where.op, entry->algorithm);
    if (!name) {
        shunt_import_problem(reading->import, entry->line,
                             "%s has no algorithm %" PRId64 ": 0 leaves the choice to the library",
                             shunt_op_name(where.op), entry->algorithm);
        return true;
    }
    if (where.op == SHUNT_OP_ALLTOALLV && !first) {
        shunt_import_note(reading->import, entry->line,
                          "sizes of an alltoallv are not known to Open MPI, so this is never used, "
                          "and left out");
        return true;
    }
    if (where.op == SHUNT_OP_ALLTOALL)
        where.total = (struct shunt_range){first ? 0 : entry->size, end};
    if (entry->algorithm == 0)
        return shunt_import_add_native(reading->import, &where, entry->line, NULL);
    return shunt_import_add(reading->import, &where, entry->line, name, entry->requests);
}

static bool ascending(struct reading *reading, const char *what, int64_t last, int64_t now)
{
    if (now > last)
        return true;
    shunt_import_problem(reading->import, reading->line,
                         "%s %" PRId64 " comes after %" PRId64 ": they have to ascend", what, now,
                         last);
    return false;
}

/* All message sizes of one communicator size. False: reading on makes no sense. */
static bool read_sizes(struct reading *reading, const struct shunt_import_where *where, bool wanted)
{
    int64_t count;
    struct entry entry = {0}, before = {0};
    bool enough = true;
    if (!next(reading, "a number of message sizes", &count))
        return false;
    for (int64_t i = 0; i < count; i++, before = entry) {
        if (!read_entry(reading, &entry))
            return false;
        if (i > 0 && !ascending(reading, "message size", before.size, entry.size))
            return false;
        if (wanted && i > 0)
            enough = add_entry(reading, *where, &before, entry.size - 1, i == 1) && enough;
    }
    if (wanted && count > 0)
        enough = add_entry(reading, *where, &before, INT64_MAX, count == 1) && enough;
    if (!enough)
        shunt_import_problem(reading->import, reading->line, "out of memory");
    return enough;
}

static bool known(int64_t collective, enum shunt_op *op)
{
    *op = collective == ALLTOALL ? SHUNT_OP_ALLTOALL : SHUNT_OP_ALLTOALLV;
    return collective == ALLTOALL || collective == ALLTOALLV;
}

/* The size of the next communicator, which ends this one: behind the message sizes of this one.
 * What is wrong on the way is said, once, for reading ends there. */
static bool peek_size(struct reading *reading, int64_t *size)
{
    struct reading probe = *reading;
    int64_t count;
    struct entry entry;
    if (!next(&probe, "a number of message sizes", &count))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!read_entry(&probe, &entry))
            return false;
    return next(&probe, "a communicator size", size);
}

static bool read_collective(struct reading *reading)
{
    int64_t collective, count, size, following = 0, last = -1;
    struct shunt_import_where where = shunt_import_all();
    if (!next(reading, "the number of a collective", &collective))
        return false;
    if (collective >= COLLECTIVES) {
        shunt_import_problem(reading->import, reading->line,
                             "there is no collective %" PRId64 ": alltoall is 3, alltoallv 4",
                             collective);
        return false;
    }
    const bool wanted = known(collective, &where.op);
    where.known = true;
    if (!next(reading, "a number of communicator sizes", &count))
        return false;
    for (int64_t i = 0; i < count; i++) {
        if (!next(reading, "a communicator size", &size) ||
            !ascending(reading, "communicator size", last, size))
            return false;
        last = size;
        if (i + 1 < count && !peek_size(reading, &following))
            return false;
        where.ranks =
            (struct shunt_range){i == 0 ? 0 : size, i + 1 < count ? following - 1 : INT64_MAX};
        if (!read_sizes(reading, &where, wanted && where.ranks.low <= where.ranks.high))
            return false;
    }
    return true;
}

static void read_version(struct reading *reading)
{
    static const char word[] = "rule-file-version-";
    reading->version = 1;
    if (strncmp(reading->at, word, sizeof word - 1) != 0)
        return;
    reading->version = (int)strtol(reading->at + sizeof word - 1, NULL, 10);
    reading->at += strcspn(reading->at, " \t\r\n#");
}

bool shunt_import_open_mpi(struct shunt_import *import)
{
    struct reading reading = {.import = import, .at = import->text, .line = 1};
    int64_t count;
    read_version(&reading);
    if (!next(&reading, "the number of collectives", &count))
        return true;
    for (int64_t i = 0; i < count; i++)
        if (!read_collective(&reading))
            return true;
    skip(&reading, false);
    if (*reading.at != '\0')
        shunt_import_problem(import, reading.line,
                             "\"%.*s\" is more than the counts before it tell: correct them",
                             (int)strcspn(reading.at, " \t\r\n#"), reading.at);
    return true;
}
