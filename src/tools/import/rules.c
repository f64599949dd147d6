/* SPDX-License-Identifier: BSD-3-Clause */
/* rules.c: the rules as they are read, and what is told about lines. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "tools/import/import.h"

__attribute__((format(printf, 4, 0))) static void add(struct shunt_import *import,
                                                      struct shunt_diagnostics *list, int line,
                                                      const char *format, va_list arguments)
{
    char text[512], *clean;
    vsnprintf(text, sizeof text, format, arguments);
    clean = shunt_tool_clean(text);
    shunt_diagnostics_add(list, "%s:%d: %s", import->file, line, clean ? clean : "");
    free(clean);
}

void shunt_import_problem(struct shunt_import *import, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(import, &import->problems, line, format, arguments);
    va_end(arguments);
}

void shunt_import_note(struct shunt_import *import, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(import, &import->notes, line, format, arguments);
    va_end(arguments);
}

struct shunt_import_where shunt_import_all(void)
{
    const struct shunt_range any = {0, INT64_MAX};
    return (struct shunt_import_where){
        .ranks = any, .nodes = any, .ppn = any, .block = any, .total = any};
}

bool shunt_import_narrow(struct shunt_range *range, int64_t low, int64_t high)
{
    range->low = range->low > low ? range->low : low;
    range->high = range->high < high ? range->high : high;
    return range->low <= range->high;
}

void shunt_import_value_clear(struct shunt_import_value *value)
{
    for (size_t i = 0; i < value->count; i++)
        shunt_import_value_clear(&value->child[i]);
    free(value->child);
    free(value->key);
    free(value->text);
    *value = (struct shunt_import_value){0};
}

const struct shunt_import_value *shunt_import_member(const struct shunt_import_value *object,
                                                     const char *key)
{
    for (size_t i = 0; object->kind == SHUNT_IMPORT_OBJECT && i < object->count; i++)
        if (strcmp(object->child[i].key, key) == 0)
            return &object->child[i];
    return NULL;
}
