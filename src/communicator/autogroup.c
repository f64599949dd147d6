/* SPDX-License-Identifier: BSD-3-Clause */
/* autogroup.c: see autogroup.h, and sched(7) and cgroups(7) for what the files have. */
#include "communicator/autogroup.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 4096 };

/* Whether a list with commas names it. */
static bool has_word(const char *list, size_t length, const char *word)
{
    const size_t size = strlen(word);
    for (size_t at = 0; at + size <= length; at++)
        if (strncmp(list + at, word, size) == 0 && (at == 0 || list[at - 1] == ',') &&
            (at + size == length || list[at + size] == ','))
            return true;
    return false;
}

/* Of version 2 a group has a share where it has this file. */
static bool has_weight(const char *root, const char *path, size_t length)
{
    char name[TEXT];
    const int size = snprintf(name, sizeof name, "%s%.*s/cpu.weight", root, (int)length, path);
    return size > 0 && size < TEXT && access(name, F_OK) == 0;
}

/* "NUMBER:CONTROLLERS:PATH"; without controllers it is of version 2. */
static bool line_has_share(const char *line, size_t length, const char *root)
{
    const char *end = line + length, *controllers = memchr(line, ':', length),
               *path = controllers ? memchr(controllers + 1, ':', (size_t)(end - controllers - 1))
                                   : NULL;
    if (!path || end - path <= 2) /* ":/" is the root, which all share */
        return false;
    if (path == controllers + 1)
        return has_weight(root, path + 1, (size_t)(end - path - 1));
    return has_word(controllers + 1, (size_t)(path - controllers - 1), "cpu");
}

bool shunt_autogroup_has_share(const char *cgroups, const char *root)
{
    while (*cgroups != '\0') {
        const size_t length = strcspn(cgroups, "\n");
        if (line_has_share(cgroups, length, root))
            return true;
        cgroups += length + (cgroups[length] == '\n');
    }
    return false;
}

static bool read_text(const char *path, char text[TEXT])
{
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t length = file >= 0 ? read(file, text, TEXT - 1) : -1;
    if (file >= 0)
        close(file);
    text[length > 0 ? length : 0] = '\0';
    return length > 0;
}

static bool alone;

static void look(void)
{
    char text[TEXT];
    alone = getsid(0) == getpid() && read_text("/proc/sys/kernel/sched_autogroup_enabled", text) &&
            text[0] == '1' && read_text("/proc/self/cgroup", text) &&
            !shunt_autogroup_has_share(text, "/sys/fs/cgroup");
}

bool shunt_autogroup_alone(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, look);
    return alone;
}
