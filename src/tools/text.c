/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: what the subcommands share with the measuring program, which needs no table: messages,
 * JSON, the program's folder. */
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include "tools/tool.h"

void shunt_tool_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("shunt: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void shunt_tool_json(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *at = (const unsigned char *)text; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(stream, "\\%c", *at);
        else if (*at < ' ')
            fprintf(stream, "\\u%04x", *at);
        else
            fputc(*at, stream);
    }
    fputc('"', stream);
}

bool shunt_tool_folder(char *folder, size_t capacity)
{
    ssize_t length = readlink("/proc/self/exe", folder, capacity - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return true;
}
