/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: appends to a line of bounded or growing size. */
#include <stdlib.h>
#include <string.h>

#include "base/size.h"
#include "log/text.h"

static bool grow(struct shunt_log_text *text, size_t count)
{
    if (count <= text->capacity - text->used)
        return true;
    if (!text->grows)
        return false;
    size_t capacity = text->capacity < 4096 ? 4096 : text->capacity;
    while (capacity - text->used < count)
        capacity *= 2;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes)
        return false;
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void shunt_log_text_put(struct shunt_log_text *text, const char *bytes, size_t count)
{
    if (!grow(text, count)) {
        text->cut = true;
        count = text->capacity - text->used;
    }
    if (count > 0)
        memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
}

void shunt_log_text_string(struct shunt_log_text *text, const char *string)
{
    shunt_log_text_put(text, string, strlen(string));
}

void shunt_log_text_unsigned(struct shunt_log_text *text, uint64_t value)
{
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    shunt_log_text_put(text, digits + at, sizeof digits - at);
}

void shunt_log_text_fixed(struct shunt_log_text *text, double value, int digits)
{
    uint64_t unit = 1;
    for (int i = 0; i < digits; i++)
        unit *= 10;
    const double scaled = value * (double)unit + 0.5;
    uint64_t units = 0;
    if (scaled >= 18446744073709551615.0)
        units = UINT64_MAX;
    else if (scaled > 0)
        units = (uint64_t)scaled;
    shunt_log_text_unsigned(text, units / unit);
    if (digits == 0)
        return;
    char fraction[10] = ".";
    uint64_t rest = units % unit;
    for (int i = digits; i > 0; i--, rest /= 10)
        fraction[i] = (char)('0' + rest % 10);
    shunt_log_text_put(text, fraction, (size_t)digits + 1);
}

void shunt_log_text_nanoseconds(struct shunt_log_text *text, int64_t nanoseconds, int digits)
{
    const uint64_t unit = 1000000000;
    const uint64_t value = nanoseconds < 0 ? 0 - (uint64_t)nanoseconds : (uint64_t)nanoseconds;
    char fraction[10] = ".";
    uint64_t rest = value % unit;
    if (nanoseconds < 0)
        shunt_log_text_put(text, "-", 1);
    shunt_log_text_unsigned(text, value / unit);
    for (int i = 9; i > 0; i--, rest /= 10)
        fraction[i] = (char)('0' + rest % 10);
    shunt_log_text_put(text, fraction, (size_t)digits + 1);
}

void shunt_log_text_hexadecimal(struct shunt_log_text *text, uint64_t value)
{
    char digits[16];
    for (int i = 15; i >= 0; i--, value >>= 4)
        digits[i] = "0123456789abcdef"[value & 15];
    shunt_log_text_put(text, digits, sizeof digits);
}

void shunt_log_text_count(struct shunt_log_text *text, uint64_t value)
{
    uint64_t unit = 1;
    while (value / unit >= 1000)
        unit *= 1000;
    shunt_log_text_unsigned(text, value / unit);
    for (unit /= 1000; unit > 0; unit /= 1000) {
        char group[4] = ",";
        uint64_t rest = value / unit % 1000;
        for (int i = 3; i > 0; i--, rest /= 10)
            group[i] = (char)('0' + rest % 10);
        shunt_log_text_put(text, group, sizeof group);
    }
}

void shunt_log_text_percent(struct shunt_log_text *text, double part, double whole)
{
    double percent = whole > 0 ? 100 * part / whole : 0;
    if (percent > 0 && percent < 0.05)
        shunt_log_text_put(text, "<", 1);
    if (percent > 0)
        percent = percent < 0.1 ? 0.1 : percent;
    if (percent < 100 && percent > 99.9)
        percent = 99.9;
    shunt_log_text_fixed(text, percent, 1);
    shunt_log_text_put(text, "%", 1);
}

/* Three significant digits in the first unit that needs no more than three before the point. */
void shunt_log_text_seconds(struct shunt_log_text *text, double seconds)
{
    static const char *const units[] = {" ns", " us", " ms", " s"};
    int unit = 0;
    if (!(seconds > 0)) {
        shunt_log_text_string(text, "0 s");
        return;
    }
    double value = seconds * 1e9;
    for (; unit < 3 && value >= 999.5; unit++)
        value /= 1000;
    shunt_log_text_fixed(text, value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0);
    shunt_log_text_string(text, units[unit]);
}

void shunt_log_text_bytes(struct shunt_log_text *text, uint64_t bytes)
{
    char printed[32];
    shunt_bytes_print(bytes, printed, sizeof printed);
    shunt_log_text_string(text, printed);
}

void shunt_log_text_pad(struct shunt_log_text *text, size_t start, size_t width)
{
    while (text->used - start < width && !text->cut)
        shunt_log_text_put(text, " ", 1);
}

/* Length of the well-formed UTF-8 sequence at `s` (RFC 3629: no overlong form, no surrogate, at
 * most U+10FFFF), or 0. */
static size_t utf8_length(const unsigned char *s)
{
    if (s[0] < 0x80)
        return 1;
    if (s[0] >= 0xc2 && s[0] <= 0xdf)
        return (s[1] & 0xc0) == 0x80 ? 2 : 0;
    if (s[0] >= 0xe0 && s[0] <= 0xef) {
        const unsigned char low = s[0] == 0xe0 ? 0xa0 : 0x80, high = s[0] == 0xed ? 0x9f : 0xbf;
        return s[1] >= low && s[1] <= high && (s[2] & 0xc0) == 0x80 ? 3 : 0;
    }
    if (s[0] >= 0xf0 && s[0] <= 0xf4) {
        const unsigned char low = s[0] == 0xf0 ? 0x90 : 0x80, high = s[0] == 0xf4 ? 0x8f : 0xbf;
        return s[1] >= low && s[1] <= high && (s[2] & 0xc0) == 0x80 && (s[3] & 0xc0) == 0x80 ? 4
                                                                                             : 0;
    }
    return 0;
}

/* Of a sequence of two or three bytes. */
static unsigned code_of(const unsigned char *s, size_t length)
{
    return length == 2 ? (s[0] & 0x1fu) << 6 | (s[1] & 0x3fu)
                       : (s[0] & 0xfu) << 12 | (s[1] & 0x3fu) << 6 | (s[2] & 0x3fu);
}

/* Whether the character of `length` bytes at `s` is a control (U+0080 to U+009F), or is not seen or
 * changes the direction of what follows: terminals obey it, and people are misled. */
static bool obeyed(const unsigned char *s, size_t length)
{
    static const struct {
        unsigned low, high;
    } ranges[] = {{0x80, 0x9f},     {0x61c, 0x61c},   {0x200b, 0x200f},
                  {0x2028, 0x202e}, {0x2060, 0x206f}, {0xfeff, 0xfeff}};
    const unsigned code = length == 2 || length == 3 ? code_of(s, length) : 0;
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (code >= ranges[i].low && code <= ranges[i].high)
            return true;
    return false;
}

static void put_hex(struct shunt_log_text *text, const char *prefix, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    const char digits[2] = {hex[byte >> 4], hex[byte & 15]};
    shunt_log_text_string(text, prefix);
    shunt_log_text_put(text, digits, 2);
}

/* How many of the bytes at `s` are printable ASCII that needs no escape; `most` at most. */
static size_t plain_length(const unsigned char *s, size_t most, bool json)
{
    size_t length = 0;
    while (length < most && s[length] >= 0x20 && s[length] < 0x7f &&
           !(json && (s[length] == '"' || s[length] == '\\')))
        length++;
    return length;
}

static void put_obeyed(struct shunt_log_text *text, const unsigned char *s, size_t length,
                       bool json)
{
    const unsigned code = code_of(s, length);
    if (json) {
        put_hex(text, "\\u", (unsigned char)(code >> 8));
        put_hex(text, "", (unsigned char)code);
    }
    for (size_t i = 0; i < length && !json; i++)
        put_hex(text, "\\x", s[i]);
}

/* One character, which is no printable ASCII; of how many bytes. */
static size_t put_odd(struct shunt_log_text *text, const unsigned char *s, bool json)
{
    const size_t length = utf8_length(s);
    if (length == 0 && json)
        shunt_log_text_string(text, "\\ufffd");
    else if (length == 0 || *s < 0x20 || *s == 0x7f)
        put_hex(text, json ? "\\u00" : "\\x", *s);
    else if (json && (*s == '"' || *s == '\\'))
        shunt_log_text_put(text, *s == '"' ? "\\\"" : "\\\\", 2);
    else if (obeyed(s, length))
        put_obeyed(text, s, length, json);
    else
        shunt_log_text_put(text, (const char *)s, length);
    return length == 0 ? 1 : length;
}

static void put_foreign(struct shunt_log_text *text, const char *string, size_t most, bool json)
{
    const size_t start = text->used;
    const unsigned char *s = (const unsigned char *)string;
    while (*s != '\0') {
        const size_t used = text->used - start;
        if (used > most || text->cut) {
            shunt_log_text_string(text, "...");
            return;
        }
        const size_t plain = plain_length(s, most - used + 1, json);
        shunt_log_text_put(text, (const char *)s, plain);
        s += plain;
        if (plain == 0)
            s += put_odd(text, s, json);
    }
}

void shunt_log_text_plain(struct shunt_log_text *text, const char *string)
{
    put_foreign(text, string, SHUNT_LOG_STRING_MAX, false);
}

void shunt_log_text_whole(struct shunt_log_text *text, const char *string)
{
    put_foreign(text, string, SIZE_MAX - 1, false);
}

void shunt_log_text_escaped(struct shunt_log_text *text, const char *string, size_t most)
{
    put_foreign(text, string, most, true);
}
