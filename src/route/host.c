/* SPDX-License-Identifier: BSD-3-Clause */
/* host.c: see host.h. */
#include "route/host.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define ORDINARY "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-_"

void shunt_host_pattern(const char *host, char *pattern, size_t capacity)
{
    size_t length = strcspn(host, "."), used = 0;
    const size_t whole = length;
    while (length > 0 && strchr("0123456789", host[length - 1]))
        length--;
    const bool number = length < whole && length > 0;
    if (length == 0)
        length = strlen(host);
    bool named = false;
    for (size_t i = 0; i < length && used + 2 < capacity; i++) {
        /* What could mean something else in a pattern is matched by an asterisk. */
        const bool ordinary = strchr(ORDINARY, host[i]);
        named = named || (ordinary && !strchr(".-_", host[i]));
        if (ordinary || used == 0 || pattern[used - 1] != '*')
            pattern[used++] = ordinary ? host[i] : '*';
    }
    if (number && (used == 0 || pattern[used - 1] != '*'))
        pattern[used++] = '*';
    pattern[named ? used : 0] = '\0';
}

void shunt_host_machine(const char *pattern, char *name, size_t capacity)
{
    size_t used = 0;
    for (const char *at = pattern; *at != '\0' && used + 1 < capacity; at++) {
        if (!strchr("*.-_", *at))
            name[used++] = *at;
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    }
    while (used > 0 && name[used - 1] == '-')
        used--;
    name[used] = '\0';
    if (used == 0)
        snprintf(name, capacity, "site");
}
