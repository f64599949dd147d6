/* SPDX-License-Identifier: BSD-3-Clause */
/* text.c: what the subcommands share with the measuring program, which needs no table: messages,
 * collected text, figures for people, the program's folder. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/size.h"
#include "tools/common/tool.h"

void shunt_tool_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("shunt: ", stderr);
    shunt_tool_put_format(stderr, format, arguments);
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

void shunt_tool_put_labelled(const char *label, const char *string)
{
    printf("%-10s ", label);
    shunt_tool_put(stdout, string);
    putchar('\n');
}

void shunt_tool_put_format(FILE *stream, const char *format, va_list arguments)
{
    char *text = NULL;
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    shunt_tool_put(stream, text ? text : "?");
    free(text);
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

void shunt_seconds_print(double seconds, char *text, size_t capacity)
{
    struct shunt_log_text printed = {.bytes = text, .capacity = capacity - 1};
    shunt_log_text_seconds(&printed, seconds);
    text[printed.used] = '\0';
}

/* Three digits, as times have them. */
void shunt_joules_print(double joules, char *text, size_t capacity)
{
    static const char *const units[] = {"nJ", "uJ", "mJ", "J", "kJ"};
    const int last = (int)(sizeof units / sizeof units[0]) - 1;
    int unit = 0;
    double value = joules * 1e9;
    if (isnan(joules)) {
        snprintf(text, capacity, "-");
        return;
    }
    if (!(joules > 0)) {
        snprintf(text, capacity, "0 J");
        return;
    }
    for (; unit < last && value >= 999.5; unit++)
        value /= 1000;
    snprintf(text, capacity, "%.*f %s",
             value < 9.995   ? 2
             : value < 99.95 ? 1
                             : 0,
             value, units[unit]);
}

void shunt_volume_print(int64_t bytes, char *text, size_t capacity)
{
    if (bytes == INT64_MAX)
        snprintf(text, capacity, ">8 EiB");
    else
        shunt_bytes_print((uint64_t)bytes, text, capacity);
}
