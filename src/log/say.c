/* SPDX-License-Identifier: BSD-3-Clause */
/* say.c: lines for the user. No lock: works in forked children and before the log is open. */
#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/hash.h"
#include "log/log.h"
#include "log/output.h"
#include "log/text.h"

#define SAID_MAX 128

/* Hashes of what was said; 0: free. */
static _Atomic uint64_t said[SAID_MAX];

enum news { KNOWN, NEW, TOO_MANY };

static enum news remember(const char *bytes, size_t count)
{
    const uint64_t hash = shunt_hash_bytes(SHUNT_HASH_EMPTY, bytes, count) | 1;
    for (int i = 0; i < SAID_MAX; i++) {
        uint64_t seen = 0;
        if (atomic_compare_exchange_strong(&said[i], &seen, hash))
            return i < SAID_MAX - 1 ? NEW : TOO_MANY;
        if (seen == hash)
            return KNOWN;
    }
    return KNOWN;
}

static void put_one_line(struct shunt_log_text *text, const char *message)
{
    for (; *message != '\0'; message++)
        shunt_log_text_put(text, (unsigned char)*message < ' ' ? " " : message, 1);
}

void shunt_log_say(const char *format, ...)
{
    const int saved = errno;
    char message[1024], line[1100];
    struct shunt_log_text text = {.bytes = line, .capacity = sizeof line - 1};
    struct shunt_log_output output;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);

    const enum news news = remember(message, strlen(message));
    shunt_log_text_string(&text, "shunt: ");
    if (news == TOO_MANY)
        shunt_log_text_string(&text, "too many different messages: further ones are left out");
    else
        put_one_line(&text, message);
    line[text.used++] = '\n';
    shunt_log_output_stderr(&output);
    if (news != KNOWN)
        (void)shunt_log_output_write(&output, line, text.used);
    errno = saved;
}
