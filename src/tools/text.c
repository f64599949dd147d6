/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: what the subcommands share with the measuring program, which needs no table: messages,
 * collected text, the program's folder. */
#include <stdarg.h>
#include <stdlib.h>
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

int shunt_tool_no_memory(void)
{
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

int shunt_tool_write(struct shunt_log_text *text, FILE *stream)
{
    const bool complete = !text->cut;
    if (complete) {
        fwrite(text->bytes, 1, text->used, stream); /* an error stays in the stream */
        fputc('\n', stream);
    } else {
        shunt_tool_no_memory();
    }
    free(text->bytes);
    *text = (struct shunt_log_text){.grows = true};
    return complete ? SHUNT_EXIT_OK : SHUNT_EXIT_IO;
}

char *shunt_tool_clean(const char *string)
{
    struct shunt_log_text text = {.grows = true};
    shunt_log_text_whole(&text, string);
    shunt_log_text_put(&text, "", 1); /* its end */
    if (!text.cut)
        return text.bytes;
    free(text.bytes);
    return NULL;
}

void shunt_tool_fit(const char *string, char *text, size_t capacity)
{
    struct shunt_log_text printed = {.bytes = text, .capacity = capacity - 1};
    shunt_log_text_plain(&printed, string);
    text[printed.used] = '\0';
}

void shunt_tool_put(FILE *stream, const char *string)
{
    char *clean = shunt_tool_clean(string);
    fputs(clean ? clean : "?", stream);
    free(clean);
}

int shunt_tool_width(const char *text)
{
    int width = 0;
    for (; *text != '\0'; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
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
