/* SPDX-License-Identifier: BSD-3-Clause */
/* graph.c: reads a graph from a file and tells of mistakes by line. */
#include "graph.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A file while it is read. The first problem found is reported here; callers only pass the failure
 * on. */
struct reader {
    FILE *file;
    const char *path;
    unsigned long line; /* number of the line in text */
    char text[1024];    /* Matrix Market: lines have at most 1,024 characters */
    char *error;
    size_t error_size;
    struct graph *graph;
    size_t capacity; /* of graph->edges */
};

static int fail(struct reader *reader, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static int fail(struct reader *reader, const char *format, ...)
{
    int used = reader->line > 0 ? snprintf(reader->error, reader->error_size,
                                           "%s:%lu: ", reader->path, reader->line)
                                : snprintf(reader->error, reader->error_size, "%s: ", reader->path);
    if (used >= 0 && (size_t)used < reader->error_size) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(reader->error + used, reader->error_size - (size_t)used, format, arguments);
        va_end(arguments);
    }
    return -1;
}

static int add_edge(struct reader *reader, uint64_t from, uint64_t to)
{
    struct graph *graph = reader->graph;
    if (graph->count == reader->capacity) {
        size_t capacity = reader->capacity ? 2 * reader->capacity : 4096;
        pair_t *edges = realloc(graph->edges, capacity * sizeof *edges);
        if (!edges)
            return fail(reader, "no memory for more than %zu edges; use a smaller graph",
                        graph->count);
        graph->edges = edges;
        reader->capacity = capacity;
    }
    graph->edges[graph->count++] = pair_make((uint32_t)from, (uint32_t)to);
    return 0;
}

/* Next line into text: 1, or 0 at the end of the file, or -1. */
static int next_line(struct reader *reader)
{
    if (!fgets(reader->text, sizeof reader->text, reader->file))
        return ferror(reader->file) ? fail(reader, "cannot be read: %s", strerror(errno)) : 0;
    reader->line++;
    size_t length = strlen(reader->text);
    if (length + 1 == sizeof reader->text && reader->text[length - 1] != '\n')
        return fail(reader, "line longer than %zu characters; is this a text file?",
                    sizeof reader->text - 2);
    return 1;
}

/* Next line that has more than blanks and a comment; the comment is cut off. */
static int next_entry(struct reader *reader)
{
    for (;;) {
        int status = next_line(reader);
        if (status <= 0)
            return status;
        reader->text[strcspn(reader->text, "#%\r\n")] = '\0';
        if (reader->text[strspn(reader->text, " \t")] != '\0')
            return 1;
    }
}

/* Reads a number of digits only (strtoull alone would take signs and wrap them) that a blank or the
 * end follows. */
static bool take_number(const char **cursor, uint64_t *number)
{
    const char *text = *cursor + strspn(*cursor, " \t");
    if (!isdigit((unsigned char)*text))
        return false;
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    if (errno || (*end != '\0' && *end != ' ' && *end != '\t'))
        return false;
    *cursor = end;
    return true;
}

static bool at_end(const char *cursor)
{
    return cursor[strspn(cursor, " \t")] == '\0';
}

static int read_edge_list(struct reader *reader)
{
    for (;;) {
        int status = next_entry(reader);
        if (status <= 0)
            return status;
        const char *cursor = reader->text;
        uint64_t from, to;
        if (!take_number(&cursor, &from) || !take_number(&cursor, &to) || !at_end(cursor))
            return fail(reader,
                        "\"%.40s\" is not an edge; write two vertex numbers, \"u v\" (comments "
                        "start with # or %%)",
                        reader->text);
        if (from > VERTEX_MAX || to > VERTEX_MAX)
            return fail(reader,
                        "vertex %" PRIu64
                        " is too large; renumber the vertices within 0 .. %" PRIu32,
                        from > to ? from : to, VERTEX_MAX);
        if (add_edge(reader, from, to) != 0)
            return -1;
    }
}

/* The banner of a Matrix Market file: sets whether entries carry a value, and whether each stands
 * for both directions. */
static int read_banner(struct reader *reader, bool *valued, bool *symmetric)
{
    char object[32] = "", format[32] = "", field[32] = "", symmetry[32] = "";
    if (sscanf(reader->text, "%*s %31s %31s %31s %31s", object, format, field, symmetry) != 4)
        return fail(reader, "incomplete Matrix Market banner; expected \"%%%%MatrixMarket matrix "
                            "coordinate FIELD SYMMETRY\"");
    if (strcasecmp(object, "matrix") != 0 || strcasecmp(format, "coordinate") != 0)
        return fail(reader,
                    "Matrix Market \"%s %s\" is not a sparse matrix; use a file in \"matrix "
                    "coordinate\" format",
                    object, format);
    *valued = strcasecmp(field, "pattern") != 0;
    if (*valued && strcasecmp(field, "real") != 0 && strcasecmp(field, "integer") != 0)
        return fail(
            reader,
            "field \"%s\" is not supported; use a matrix with pattern, real or integer entries",
            field);
    *symmetric = strcasecmp(symmetry, "symmetric") == 0;
    if (!*symmetric && strcasecmp(symmetry, "general") != 0)
        return fail(reader, "symmetry \"%s\" is not supported; use a general or symmetric matrix",
                    symmetry);
    return 0;
}

static int read_size(struct reader *reader, uint64_t *nodes, uint64_t *entries)
{
    int status = next_entry(reader);
    if (status < 0)
        return -1;
    const char *cursor = reader->text;
    uint64_t columns;
    if (status == 0 || !take_number(&cursor, nodes) || !take_number(&cursor, &columns) ||
        !take_number(&cursor, entries) || !at_end(cursor))
        return fail(
            reader,
            "the size line \"rows columns entries\" is missing or wrong; is the file complete?");
    if (*nodes != columns)
        return fail(reader,
                    "%" PRIu64 " rows and %" PRIu64 " columns; a graph needs a square matrix",
                    *nodes, columns);
    if (*nodes > VERTEX_MAX)
        return fail(reader, "%" PRIu64 " rows are too many; at most %" PRIu32 " are supported",
                    *nodes, VERTEX_MAX);
    return 0;
}

static int read_matrix_entry(struct reader *reader, uint64_t nodes, bool valued, bool symmetric)
{
    const char *cursor = reader->text;
    uint64_t row, column;
    if (!take_number(&cursor, &row) || !take_number(&cursor, &column) || at_end(cursor) == valued)
        return fail(reader, "\"%.40s\" is not an entry; expected \"row column%s\"", reader->text,
                    valued ? " value" : "");
    if (row < 1 || row > nodes || column < 1 || column > nodes)
        return fail(reader,
                    "entry (%" PRIu64 ", %" PRIu64
                    ") is outside the matrix; rows and columns count from 1 to %" PRIu64,
                    row, column, nodes);
    if (add_edge(reader, row, column) != 0)
        return -1;
    return symmetric && row != column ? add_edge(reader, column, row) : 0;
}

/* Every stored entry is an edge, whatever its value; vertices keep the numbers of the file. */
static int read_matrix(struct reader *reader)
{
    bool valued = false, symmetric = false;
    uint64_t nodes = 0, entries = 0, found = 0;
    if (read_banner(reader, &valued, &symmetric) != 0 || read_size(reader, &nodes, &entries) != 0)
        return -1;
    reader->graph->nodes = nodes;
    for (;;) {
        int status = next_entry(reader);
        if (status < 0)
            return -1;
        if (status == 0)
            break;
        if (found++ == entries)
            return fail(reader,
                        "more entries than the %" PRIu64 " announced; is the size line right?",
                        entries);
        if (read_matrix_entry(reader, nodes, valued, symmetric) != 0)
            return -1;
    }
    if (found < entries)
        return fail(reader,
                    "the file ends after %" PRIu64 " of %" PRIu64 " entries; fetch it again", found,
                    entries);
    return 0;
}

static int compare_pairs(const void *a, const void *b)
{
    pair_t x = *(const pair_t *)a, y = *(const pair_t *)b;
    return (x > y) - (x < y);
}

static int compare_vertices(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void sort_edges(struct graph *graph)
{
    if (graph->count == 0)
        return;
    qsort(graph->edges, graph->count, sizeof *graph->edges, compare_pairs);
    size_t kept = 1;
    for (size_t i = 1; i < graph->count; i++)
        if (graph->edges[i] != graph->edges[kept - 1])
            graph->edges[kept++] = graph->edges[i];
    graph->count = kept;
}

/* All vertices that occur, ascending, each once; NULL when memory is short. */
static uint32_t *list_vertices(const struct graph *graph, size_t *count)
{
    uint32_t *vertices = malloc((2 * graph->count + 1) * sizeof *vertices);
    if (!vertices)
        return NULL;
    for (size_t i = 0; i < graph->count; i++) {
        vertices[2 * i] = pair_from(graph->edges[i]);
        vertices[2 * i + 1] = pair_to(graph->edges[i]);
    }
    qsort(vertices, 2 * graph->count, sizeof *vertices, compare_vertices);
    *count = 0;
    for (size_t i = 0; i < 2 * graph->count; i++)
        if (*count == 0 || vertices[i] != vertices[*count - 1])
            vertices[(*count)++] = vertices[i];
    return vertices;
}

static int read_any(struct reader *reader)
{
    int status = next_line(reader);
    if (status < 0)
        return -1;
    if (status > 0 && strncasecmp(reader->text, "%%MatrixMarket", 14) == 0) {
        if (read_matrix(reader) != 0)
            return -1;
        sort_edges(reader->graph);
        return 0;
    }
    rewind(reader->file);
    reader->line = 0;
    if (read_edge_list(reader) != 0)
        return -1;
    sort_edges(reader->graph);
    size_t count;
    uint32_t *vertices = list_vertices(reader->graph, &count);
    if (!vertices)
        return fail(reader, "no memory to number the vertices; use a smaller graph");
    free(vertices);
    reader->graph->nodes = count;
    return 0;
}

int graph_read(struct graph *graph, const char *path, char *error, size_t capacity)
{
    *graph = (struct graph){0};
    struct reader reader = {.path = path, .error = error, .error_size = capacity, .graph = graph};
    reader.file = fopen(path, "r");
    if (!reader.file)
        return fail(&reader,
                    "cannot be opened: %s; name a readable edge list or Matrix Market file",
                    strerror(errno));
    int status = read_any(&reader);
    fclose(reader.file);
    if (status != 0)
        graph_clear(graph);
    return status;
}

void graph_clear(struct graph *graph)
{
    free(graph->edges);
    *graph = (struct graph){0};
}

/* A graph with vertices 0 .. count-1 for searching: neighbours of i are to[first[i]] .. to[first[i
 * + 1] - 1]. */
struct search {
    size_t count;
    const uint32_t *vertices; /* their numbers in the file */
    size_t *first;
    uint32_t *to;
    uint64_t *seen;  /* start + 1 of the last search that reached the vertex */
    uint32_t *queue; /* vertices in the order in which the search reached them */
};

static uint32_t position(const uint32_t *vertices, size_t count, uint32_t vertex)
{
    const uint32_t *found = bsearch(&vertex, vertices, count, sizeof vertex, compare_vertices);
    return (uint32_t)(found - vertices);
}

static void index_edges(struct search *search, const struct graph *graph)
{
    for (size_t i = 0; i < graph->count; i++) {
        search->first[position(search->vertices, search->count, pair_from(graph->edges[i])) + 1]++;
        search->to[i] = position(search->vertices, search->count, pair_to(graph->edges[i]));
    }
    for (size_t i = 0; i < search->count; i++)
        search->first[i + 1] += search->first[i];
}

/* Appends to the queue what one edge leads to from `vertex` and was not reached before. */
static size_t reach(struct search *search, size_t start, uint32_t vertex, size_t tail,
                    struct closure *closure)
{
    for (size_t i = search->first[vertex]; i < search->first[vertex + 1]; i++) {
        uint32_t next = search->to[i];
        if (search->seen[next] == start + 1)
            continue;
        search->seen[next] = start + 1;
        search->queue[tail++] = next;
        closure->paths++;
        closure->checksum += hash64(pair_make(search->vertices[start], search->vertices[next]));
    }
    return tail;
}

/* The start itself counts as reached only if a cycle leads back to it: a path has at least one
 * edge. */
static void search_from(struct search *search, size_t start, struct closure *closure)
{
    uint64_t length = 0;
    size_t head = 0, tail = reach(search, start, (uint32_t)start, 0, closure);
    while (head < tail) {
        length++;
        for (size_t level = tail; head < level; head++)
            tail = reach(search, start, search->queue[head], tail, closure);
    }
    if (length > closure->iterations)
        closure->iterations = length;
}

int graph_closure(const struct graph *graph, struct closure *closure)
{
    *closure = (struct closure){0};
    size_t count;
    uint32_t *vertices = list_vertices(graph, &count);
    if (!vertices)
        return -1;
    struct search search = {.count = count, .vertices = vertices};
    search.first = calloc(count + 1, sizeof *search.first);
    search.to = malloc((graph->count + 1) * sizeof *search.to);
    search.seen = calloc(count + 1, sizeof *search.seen);
    search.queue = malloc((count + 1) * sizeof *search.queue);
    bool ready = search.first && search.to && search.seen && search.queue;
    if (ready) {
        index_edges(&search, graph);
        for (size_t start = 0; start < count; start++)
            search_from(&search, start, closure);
    }
    free(search.queue);
    free(search.seen);
    free(search.to);
    free(search.first);
    free(vertices);
    return ready ? 0 : -1;
}
