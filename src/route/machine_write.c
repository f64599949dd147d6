/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_write.c: a machine description as a file, or as a group of a decision file. */
#include <inttypes.h>
#include <string.h>

#include "base/size.h"
#include "route/decimal.h"
#include "route/machine.h"
#include "route/machine_keys.h"
#include "route/quote.h"

/* As it stands in a file; "" where only leaving the key out says it. */
static void print_value(const struct shunt_machine *machine, const struct shunt_machine_key *key,
                        char *text, size_t capacity)
{
    const void *value = (const char *)machine + key->offset;
    const char *word = NULL;
    int64_t size;
    text[0] = '\0';
    switch (key->kind) {
    case SHUNT_MACHINE_REAL:
        shunt_decimal_print(*(const double *)value, -key->power, text, capacity);
        break;
    case SHUNT_MACHINE_COUNT:
        snprintf(text, capacity, "%" PRId32, *(const int32_t *)value);
        break;
    case SHUNT_MACHINE_SIZE:
        size = *(const int64_t *)value;
        if (size < INT64_MAX) {
            text[0] = '"';
            const int length = shunt_size_print(size, text + 1, capacity - 2);
            memcpy(text + 1 + length, "\"", 2);
        }
        break;
    case SHUNT_MACHINE_FLAG:
        snprintf(text, capacity, "%s", *(const bool *)value ? "true" : "false");
        break;
    case SHUNT_MACHINE_WORD:
        word = shunt_machine_word_of(machine, key);
        snprintf(text, capacity, "\"%s\"", word ? word : "");
        break;
    }
}

/* One group in one line, or a line per key with what it means. */
static void write_keys(FILE *stream, const struct shunt_machine *machine, const char *group,
                       bool lines)
{
    const char *indent = group[0] != '\0' ? "    " : "  ";
    for (size_t i = 0; shunt_machine_key(i); i++) {
        const struct shunt_machine_key *key = shunt_machine_key(i);
        char text[64], setting[128];
        if (!shunt_machine_key_within(key, group))
            continue;
        print_value(machine, key, text, sizeof text);
        if (text[0] == '\0')
            continue;
        snprintf(setting, sizeof setting, "%s = %s;", shunt_machine_key_word(key), text);
        if (lines)
            fprintf(stream, "%s%-24s # %s\n", indent, setting, key->meaning);
        else
            fprintf(stream, "%s ", setting);
    }
}

static void write_groups(FILE *stream, const struct shunt_machine *machine, bool lines)
{
    for (size_t g = 0; shunt_machine_group(g); g++) {
        const struct shunt_machine_group *group = shunt_machine_group(g);
        if (group->name[0] != '\0' && lines)
            fprintf(stream, "  %s = { # %s\n", group->name, group->meaning);
        else if (group->name[0] != '\0')
            fprintf(stream, "%s = { ", group->name);
        write_keys(stream, machine, group->name, lines);
        if (group->name[0] != '\0')
            fputs(lines ? "  };\n" : "}; ", stream);
    }
}

static void write_texts(FILE *stream, const struct shunt_machine *machine, const char *before,
                        const char *after)
{
    fprintf(stream, "%sname = ", before);
    shunt_quote_write(stream, machine->name);
    fprintf(stream, ";%s", after);
    if (machine->library[0] == '\0')
        return;
    fprintf(stream, "%slibrary = ", before);
    shunt_quote_write(stream, machine->library);
    fprintf(stream, ";%s", after);
}

void shunt_machine_write_group(FILE *stream, const struct shunt_machine *machine)
{
    fputs("{ ", stream);
    write_texts(stream, machine, "", " ");
    write_groups(stream, machine, false);
    putc('}', stream);
}

void shunt_machine_write(FILE *stream, const struct shunt_machine *machine)
{
    fputs("# A machine as Shunt's cost model sees it: shunt-machine(5).\n"
          "schema = 1;\n"
          "model = {\n",
          stream);
    write_texts(stream, machine, "  ", "\n");
    write_groups(stream, machine, true);
    fputs("};\n", stream);
}
