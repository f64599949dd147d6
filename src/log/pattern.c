/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern.c: names of log files. */
#include <errno.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "log/output.h"
#include "log/text.h"

/* A value becomes part of one path component: it must not open directories, and as ".." not leave
 * the folder. */
static void put_component(struct shunt_log_text *text, const char *value)
{
    if (*value == '.') {
        shunt_log_text_put(text, "_", 1);
        value++;
    }
    for (; *value != '\0'; value++)
        shunt_log_text_put(text, *value == '/' ? "_" : value, 1);
}

static void put_job(struct shunt_log_text *text)
{
    const char *job = shunt_environment_job();
    if (job)
        put_component(text, job);
    else
        shunt_log_text_unsigned(
            text,
            (uint64_t)
                getppid()); /* the launcher's process on this host: equal for the ranks there */
}

static void put_host(struct shunt_log_text *text)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0 || host[0] == '\0')
        strcpy(host, "localhost");
    put_component(text, host);
}

static void put_step(struct shunt_log_text *text)
{
    const char *step = shunt_environment_step();
    put_component(text, step ? step : "x");
}

static bool put_sequence(struct shunt_log_text *text, char letter, int rank)
{
    switch (letter) {
    case 'j':
        put_job(text);
        return true;
    case 'h':
        put_host(text);
        return true;
    case 'r':
        if (rank >= 0)
            shunt_log_text_unsigned(text, (uint64_t)rank);
        else
            shunt_log_text_put(text, "x", 1);
        return true;
    case 'p':
        shunt_log_text_unsigned(text, (uint64_t)getpid());
        return true;
    case 's':
        put_step(text);
        return true;
    case 't':
        shunt_log_text_unsigned(text, (uint64_t)shunt_environment_restarts());
        return true;
    case '%':
        shunt_log_text_put(text, "%", 1);
        return true;
    default:
        return false;
    }
}

int shunt_log_path(const char *pattern, int rank, char *path, size_t capacity, char *unknown)
{
    struct shunt_log_text text = {.bytes = path, .capacity = capacity - 1};
    *unknown = '\0';
    for (const char *p = pattern; *p != '\0'; p++) {
        if (*p == '%' && put_sequence(&text, p[1], rank)) {
            p++;
            continue;
        }
        if (*p == '%')
            *unknown = p[1] != '\0' ? p[1] : '%';
        shunt_log_text_put(&text, p, 1);
    }
    path[text.used] = '\0';
    return text.cut ? ENAMETOOLONG : 0;
}

bool shunt_log_path_is_own(const char *pattern)
{
    for (const char *p = strchr(pattern, '%'); p && p[1] != '\0'; p = strchr(p + 2, '%'))
        if (p[1] == 'r' || p[1] == 'p')
            return true;
    return false;
}
