/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * scan.c: one pass over the tokens of a decision file, before libconfig sees them. It copies the
 * text without comments and with includes in place, reports what libconfig would report badly or
 * not at all, and mends it where the meaning is clear.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "route/literal.h"
#include "route/parse.h"
#include "route/scan.h"

/* libconfig's parser and its clean-up recurse; our language needs a depth of 4. */
#define DEPTH_LIMIT 16
#define INCLUDE_DEPTH_LIMIT 8
#define INCLUDE_LIMIT 256
/* libconfig compares each name with all before it in the group; ours have some 20. */
#define GROUP_LIMIT 256

struct bracket {
    char open;
    int names; /* within it, not deeper */
    uint32_t file;
    int line;
};

struct scan {
    struct shunt_source *source;
    struct shunt_diagnostics *diagnostics;
    bool includes;
    struct bracket brackets[DEPTH_LIMIT];
    int names; /* outside of all brackets */
    int depth;
    char last; /* the last token: its character, 's' string, 'v' other value, 'n' name; ';' at the
                  start */
    size_t last_put; /* where it begins in the text */
    int include_depth, included;
};

/* One file being read. */
struct reader {
    struct scan *scan;
    const char *at;
    const char *path; /* as it was named: includes are beside that name */
    uint32_t file;
    int line;
    bool fresh; /* only white space so far on this line */
};

static void read_file(struct scan *scan, const char *text, const char *path, const char *name);

static const char *file_name(const struct reader *reader)
{
    const struct shunt_source *source = reader->scan->source;
    return reader->file < source->file_count ? source->files[reader->file] : "";
}

#define DIAGNOSTIC(reader, format, ...)                                                            \
    shunt_diagnostics_add((reader)->scan->diagnostics, "%s:%d: " format, file_name(reader),        \
                          (reader)->line, __VA_ARGS__)

static void put(struct reader *reader, const char *text, size_t length)
{
    shunt_source_put(reader->scan->source, text, length);
}

/* Copies a token and remembers its kind. */
static void put_token(struct reader *reader, char kind, const char *text, size_t length)
{
    reader->scan->last = kind;
    reader->scan->last_put = reader->scan->source->length;
    put(reader, text, length);
}

static char innermost(const struct scan *scan)
{
    return scan->depth > 0 ? scan->brackets[scan->depth - 1].open : '{';
}

/* libconfig 1.5 leaks a string that comes where its grammar has none, so it must not see one. */
static bool string_expected(struct reader *reader)
{
    const struct scan *scan = reader->scan;
    bool element = innermost(scan) != '{' && strchr("([,", scan->last) != NULL;
    if (element || strchr("=:s", scan->last))
        return true;
    DIAGNOSTIC(reader, "%s",
               "a string where none is expected: is \"=\" or a comma missing before it?");
    scan->source->broken = true;
    return false;
}

static void put_quoted(struct reader *reader, const char *text, size_t length)
{
    if (!string_expected(reader))
        return;
    put_token(reader, 's', "\"", 1);
    put(reader, text, length);
    put(reader, "\"", 1);
}

static void newline(struct reader *reader)
{
    put(reader, "\n", 1);
    reader->line++;
    reader->fresh = true;
}

static void skip_comment(struct reader *reader)
{
    int line = reader->line;
    if (reader->at[0] == '#' || reader->at[1] == '/') {
        reader->at += strcspn(reader->at, "\n");
        return;
    }
    for (reader->at += 2; *reader->at != '\0'; reader->at++) {
        if (reader->at[0] == '*' && reader->at[1] == '/') {
            reader->at += 2;
            put(reader, " ", 1);
            return;
        }
        if (*reader->at == '\n')
            newline(reader);
    }
    reader->line = line;
    DIAGNOSTIC(reader, "%s", "the comment that begins here is never closed");
    reader->scan->source->broken = true;
}

/* Nothing in this language spans lines, so a string ends with its line at the latest. */
static void read_string(struct reader *reader)
{
    const char *begin = reader->at++;
    while (*reader->at != '"' && *reader->at != '\n' && *reader->at != '\0')
        reader->at +=
            reader->at[0] == '\\' && reader->at[1] != '\n' && reader->at[1] != '\0' ? 2 : 1;
    if (*reader->at == '"') {
        reader->at++;
        if (string_expected(reader))
            put_token(reader, 's', begin, (size_t)(reader->at - begin));
        return;
    }
    DIAGNOSTIC(reader, "%s", "the quotes opened in this line are not closed");
    /* Its words may be the rest of the rule: what follows cannot be trusted. */
    reader->scan->source->broken = true;
}

/* Folder of the including file, with its slash, and the name. NULL when memory is short. */
static char *include_path(const struct reader *reader, const char *name, size_t length)
{
    const char *slash = strrchr(reader->path, '/');
    size_t folder = *name != '/' && slash ? (size_t)(slash - reader->path) + 1 : 0;
    char *path = malloc(folder + length + 1);
    if (!path)
        return NULL;
    memcpy(path, reader->path, folder);
    memcpy(path + folder, name, length);
    path[folder + length] = '\0';
    return path;
}

static void include(struct reader *reader, const char *name, size_t length)
{
    struct scan *scan = reader->scan;
    if (!scan->includes) {
        DIAGNOSTIC(reader, "%s", "@include is not possible in a text without a folder");
        return;
    }
    if (scan->include_depth == INCLUDE_DEPTH_LIMIT || scan->included == INCLUDE_LIMIT) {
        DIAGNOSTIC(reader, "%s", "too many files are included: does one include itself?");
        scan->source->broken = true;
        return;
    }
    char *path = include_path(reader, name, length);
    char *full = path ? shunt_parse_name(path) : NULL;
    char where[SHUNT_WHERE_MAX];
    snprintf(where, sizeof where, "%s:%d", file_name(reader), reader->line);
    char *text = full ? shunt_source_load(full, where, scan->diagnostics) : NULL;
    if (text) {
        scan->included++;
        scan->include_depth++;
        read_file(scan, text, path, full);
        scan->include_depth--;
        put(reader, "\n", 1);
        shunt_source_at(scan->source, reader->file, reader->line);
    } else {
        scan->source->unreadable = true;
    }
    free(text);
    free(full);
    free(path);
}

/* `@include "file"`, which stands at the beginning of a line. */
static void read_directive(struct reader *reader, bool fresh)
{
    static const char word[] = "@include";
    const bool is_word = strncmp(reader->at, word, sizeof word - 1) == 0;
    const char *name = reader->at + (is_word ? sizeof word - 1 : 0);
    name += strspn(name, " \t");
    size_t length = *name == '"' ? strcspn(name + 1, "\"\\\n") : 0;
    if (!is_word || !fresh || length == 0 || name[1 + length] != '"') {
        DIAGNOSTIC(reader, "%s", "\"@\" begins only a line like @include \"file\"");
        reader->at += strcspn(reader->at, "\n");
        return;
    }
    reader->at = name + length + 2;
    include(reader, name + 1, length);
}

/* A word or number where only quotes make a value of it. */
static void quote(struct reader *reader, const char *text, size_t length)
{
    DIAGNOSTIC(reader, "%.*s needs quotes: \"%.*s\"", (int)(length < 60 ? length : 60), text,
               (int)(length < 60 ? length : 60), text);
    put_quoted(reader, text, length);
}

static void read_number(struct reader *reader)
{
    const char *begin = reader->at;
    size_t length = strspn(begin + 1, SHUNT_LITERAL_NUMBER) + 1;
    const size_t spaced = shunt_literal_spaced(begin);
    char plain[32];
    reader->at += spaced > 0 ? spaced : length;
    if (spaced > 0) {
        quote(reader, begin, spaced);
        return;
    }
    switch (shunt_literal_classify(begin, length, plain, sizeof plain)) {
    case SHUNT_LITERAL_GOOD:
        put_token(reader, 'v', begin, length);
        break;
    case SHUNT_LITERAL_WORD:
        quote(reader, begin, length);
        break;
    case SHUNT_LITERAL_LARGE:
        /* libconfig 1.5 would take it modulo 2^32, silently. */
        DIAGNOSTIC(reader, "%s is too large for a plain number: write \"%s\" or %sL", plain, plain,
                   plain);
        put_token(reader, 'v', plain, strlen(plain));
        put(reader, "L", 1);
        break;
    case SHUNT_LITERAL_HUGE:
        DIAGNOSTIC(reader, "%.*s is too large", (int)(length < 60 ? length : 60), begin);
        put_token(reader, 'v', "0", 1);
        break;
    }
}

static bool value_expected(const struct scan *scan)
{
    return scan->last == '=' || scan->last == ':' || innermost(scan) != '{';
}

static void put_name(struct reader *reader, const char *text, size_t length)
{
    struct scan *scan = reader->scan;
    int *names = scan->depth > 0 ? &scan->brackets[scan->depth - 1].names : &scan->names;
    put_token(reader, 'n', text, length);
    if (++*names <= GROUP_LIMIT)
        return;
    DIAGNOSTIC(reader, "more than %d names in one group: not a decision file", GROUP_LIMIT);
    scan->source->broken = true;
}

static void read_name(struct reader *reader)
{
    const char *begin = reader->at;
    size_t length = strspn(begin, SHUNT_LITERAL_NAME);
    bool value = value_expected(reader->scan);
    if (value && begin[length] == '(' && strcspn(begin + length, ")\n") < 8 &&
        begin[length + strcspn(begin + length, ")\n")] == ')')
        length += strcspn(begin + length, ")") + 1; /* sqrt(P) */
    reader->at += length;
    if (!value)
        put_name(reader, begin, length);
    else if ((length == 4 && strncasecmp(begin, "true", 4) == 0) ||
             (length == 5 && strncasecmp(begin, "false", 5) == 0))
        put_token(reader, 'v', begin, length);
    else
        quote(reader, begin, length);
}

static void open_bracket(struct reader *reader, char c)
{
    struct scan *scan = reader->scan;
    if (scan->depth == DEPTH_LIMIT) {
        DIAGNOSTIC(reader, "%s", "brackets are nested too deeply");
        scan->source->broken = true;
        return;
    }
    if (c == '{' && scan->last == '}' && innermost(scan) == '(') {
        DIAGNOSTIC(reader, "%s", "a comma is missing between two rules: \"}, {\"");
        put(reader, ",", 1);
    }
    scan->brackets[scan->depth++] = (struct bracket){c, 0, reader->file, reader->line};
    put_token(reader, c, &c, 1);
}

static void close_bracket(struct reader *reader, char c)
{
    struct scan *scan = reader->scan;
    char open = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (scan->depth == 0) {
        DIAGNOSTIC(reader, "\"%c\" closes nothing", c);
        scan->source->broken = true;
        return;
    }
    const struct bracket *bracket = &scan->brackets[--scan->depth];
    if (bracket->open != open) {
        DIAGNOSTIC(reader, "\"%c\" does not close the \"%c\" of line %d", c, bracket->open,
                   bracket->line);
        scan->source->broken = true;
        return;
    }
    if (scan->last == ',' && c != '}') {
        DIAGNOSTIC(reader, "trailing comma before \"%c\"", c);
        scan->source->text[scan->last_put] = ' ';
    }
    put_token(reader, c, &c, 1);
}

static void read_mark(struct reader *reader)
{
    char c = *reader->at++;
    char last = reader->scan->last;
    if (c == ';' && (last == ';' || last == '{'))
        DIAGNOSTIC(reader, "%s", "needless \";\"");
    else
        put_token(reader, c, &c, 1);
}

/* Runs of bytes beyond ASCII count as one: a typographic quote is three. */
static void read_stray(struct reader *reader)
{
    unsigned char c = (unsigned char)*reader->at++;
    if (c > ' ' && c < 0x7f) {
        DIAGNOSTIC(reader, "unexpected \"%c\"", c);
        return;
    }
    if (c < 0x80) {
        DIAGNOSTIC(reader, "unexpected byte 0x%02x", c);
        return;
    }
    DIAGNOSTIC(reader,
               "unexpected byte 0x%02x outside of quotes and comments (are the quotes plain ones?)",
               c);
    while ((unsigned char)*reader->at >= 0x80)
        reader->at++;
}

static void read_token(struct reader *reader)
{
    char c = *reader->at;
    bool fresh = reader->fresh;
    reader->fresh = false;
    if (c == '#' || (c == '/' && (reader->at[1] == '/' || reader->at[1] == '*')))
        skip_comment(reader);
    else if (c == '"')
        read_string(reader);
    else if (c == '@')
        read_directive(reader, fresh);
    else if (c != '\0' && strchr("([{", c) != NULL)
        open_bracket(reader, *reader->at++);
    else if (strchr(")]}", c) != NULL)
        close_bracket(reader, *reader->at++);
    else if (strchr(";,=:", c))
        read_mark(reader);
    else if (strchr("0123456789", c) ||
             (strchr("+-.", c) && reader->at[1] != '\0' && strchr("0123456789.", reader->at[1])))
        read_number(reader);
    else if (strchr(SHUNT_LITERAL_NAME_BEGIN, c))
        read_name(reader);
    else
        read_stray(reader);
}

static void read_file(struct scan *scan, const char *text, const char *path, const char *name)
{
    struct reader reader = {.scan = scan, .at = text, .path = path, .line = 1, .fresh = true};
    reader.file = shunt_source_add_file(scan->source, name);
    shunt_source_at(scan->source, reader.file, 1);
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) /* byte order mark */
        reader.at += 3;
    while (*reader.at != '\0' && !scan->source->broken) {
        if (*reader.at == '\n') {
            newline(&reader);
            reader.at++;
        } else if (strchr(" \t\r\f", *reader.at)) {
            put(&reader, " ", 1);
            reader.at++;
        } else {
            read_token(&reader);
        }
        if (shunt_diagnostics_full(scan->diagnostics))
            scan->source->broken = true;
    }
}

static void scan_all(struct shunt_source *source, const char *text, const char *path,
                     const char *name, bool includes, struct shunt_diagnostics *diagnostics)
{
    struct scan scan = {
        .source = source, .diagnostics = diagnostics, .includes = includes, .last = ';'};
    read_file(&scan, text, path, name);
    if (source->broken || scan.depth == 0)
        return;
    const struct bracket *bracket = &scan.brackets[scan.depth - 1];
    shunt_diagnostics_add(diagnostics, "%s:%d: the \"%c\" opened here is never closed",
                          source->files[bracket->file], bracket->line, bracket->open);
    source->broken = true;
}

void shunt_scan_text(struct shunt_source *source, const char *text, const char *name,
                     struct shunt_diagnostics *diagnostics)
{
    *source = (struct shunt_source){0};
    scan_all(source, text, name, name, strchr(name, '/'), diagnostics);
    if (!source->text)
        shunt_source_put(source, "", 0);
}

void shunt_scan_file(struct shunt_source *source, const char *path, const char *name,
                     struct shunt_diagnostics *diagnostics)
{
    *source = (struct shunt_source){.broken = true, .unreadable = true};
    char *text = shunt_source_load(name, name, diagnostics);
    if (!text)
        return;
    /* A name without folder lies in the working directory; its includes do, too. */
    *source = (struct shunt_source){0};
    scan_all(source, text, path, name, true, diagnostics);
    if (!source->text)
        shunt_source_put(source, "", 0);
    free(text);
}
