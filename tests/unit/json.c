/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c: a small reader of JSON, for tests of what is written. */
#include <string.h>

#include "json.h"

struct reader {
    const char *at, *end;
};

static bool value(struct reader *reader);

static bool take(struct reader *reader, char byte)
{
    if (reader->at == reader->end || *reader->at != byte)
        return false;
    reader->at++;
    return true;
}

static void space(struct reader *reader)
{
    while (reader->at < reader->end && strchr(" \t\r\n", *reader->at) && *reader->at != '\0')
        reader->at++;
}

static bool word(struct reader *reader, const char *text)
{
    const size_t length = strlen(text);
    if ((size_t)(reader->end - reader->at) < length || memcmp(reader->at, text, length) != 0)
        return false;
    reader->at += length;
    return true;
}

static bool escape(struct reader *reader)
{
    if (!take(reader, 'u')) {
        if (reader->at == reader->end || *reader->at == '\0' || !strchr("\"\\/bfnrt", *reader->at))
            return false;
        reader->at++;
        return true;
    }
    for (int i = 0; i < 4; i++) {
        if (reader->at == reader->end || *reader->at == '\0' ||
            !strchr("0123456789abcdefABCDEF", *reader->at))
            return false;
        reader->at++;
    }
    return true;
}

/* One character by decoding it: independent of how the code under test checks UTF-8. */
static bool character(struct reader *reader)
{
    static const unsigned long smallest[] = {0, 0x80, 0x800, 0x10000};
    const unsigned char first = (unsigned char)*reader->at++;
    const int more = first < 0x80       ? 0
                     : first >> 5 == 6  ? 1
                     : first >> 4 == 14 ? 2
                     : first >> 3 == 30 ? 3
                                        : -1;
    if (more < 0 || first < 0x20 || reader->end - reader->at < more)
        return false;
    unsigned long code = more == 0 ? first : first & (0x3fu >> more);
    for (int i = 0; i < more; i++, reader->at++) {
        if (((unsigned char)*reader->at & 0xc0) != 0x80)
            return false;
        code = code << 6 | ((unsigned char)*reader->at & 0x3f);
    }
    return code >= smallest[more] && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
}

static bool string(struct reader *reader)
{
    if (!take(reader, '"'))
        return false;
    while (reader->at < reader->end && *reader->at != '"')
        if (!(take(reader, '\\') ? escape(reader) : character(reader)))
            return false;
    return take(reader, '"');
}

static bool digits(struct reader *reader)
{
    const char *start = reader->at;
    while (reader->at < reader->end && *reader->at >= '0' && *reader->at <= '9')
        reader->at++;
    return reader->at > start;
}

static bool number(struct reader *reader)
{
    (void)take(reader, '-');
    if (!take(reader, '0') && !digits(reader))
        return false;
    if (take(reader, '.') && !digits(reader))
        return false;
    if (!take(reader, 'e') && !take(reader, 'E'))
        return true;
    if (!take(reader, '+'))
        (void)take(reader, '-');
    return digits(reader);
}

static bool member(struct reader *reader, char close)
{
    space(reader);
    if (close == '}') {
        if (!string(reader))
            return false;
        space(reader);
        if (!take(reader, ':'))
            return false;
        space(reader);
    }
    if (!value(reader))
        return false;
    space(reader);
    return true;
}

static bool members(struct reader *reader, char close)
{
    space(reader);
    if (take(reader, close))
        return true;
    do {
        if (!member(reader, close))
            return false;
    } while (take(reader, ','));
    return take(reader, close);
}

static bool value(struct reader *reader)
{
    if (take(reader, '{'))
        return members(reader, '}');
    if (take(reader, '['))
        return members(reader, ']');
    if (reader->at < reader->end && *reader->at == '"')
        return string(reader);
    return word(reader, "true") || word(reader, "false") || word(reader, "null") || number(reader);
}

bool json_valid(const char *bytes, size_t count)
{
    struct reader reader = {bytes, bytes + count};
    return value(&reader) && reader.at == reader.end;
}
