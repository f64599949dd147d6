/* SPDX-License-Identifier: BSD-3-Clause */
/* make_builtin.c: run by the build, on conf/default.cfg: writes the C source of the built-in table
 * (route/builtin.h). Not installed. */
#include <stdio.h>
#include <stdlib.h>

#include "route/parse.h"

static void write_source(const struct shunt_table *table)
{
    const unsigned char *bytes = (const unsigned char *)table;
    puts("/* Made from conf/default.cfg by src/tools/make_builtin.c. */\n"
         "#include \"route/builtin.h\"\n\n"
         "static const _Alignas(struct shunt_table) unsigned char bytes[] = {");
    for (uint64_t i = 0; i < table->bytes; i++)
        printf("%u,%s", bytes[i], i % 32 == 31 ? "\n" : "");
    puts("};\n\n"
         "const struct shunt_table *shunt_builtin_table(void)\n{\n"
         "    return (const struct shunt_table *)(const void *)bytes;\n}");
}

/* The whole text of a file that the build has just named: a few kilobytes. */
static char *read_text(const char *path)
{
    enum { SIZE = 1 << 20 };
    char *text = malloc(SIZE);
    FILE *file = fopen(path, "r");
    const size_t length = text && file ? fread(text, 1, SIZE, file) : SIZE;
    const int failed = !file || ferror(file);
    if (file)
        fclose(file);
    if (failed || length >= SIZE) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

int main(int argc, char **argv)
{
    struct shunt_diagnostics diagnostics = {0};
    char *text = argc == 2 ? read_text(argv[1]) : NULL;
    if (!text) {
        fprintf(stderr, "make_builtin: %s cannot be read\n", argc == 2 ? argv[1] : "no file");
        return 1;
    }
    struct shunt_table *table = shunt_parse_text(text, "built-in", &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        fprintf(stderr, "%s\n", diagnostics.text[i]);
    if (table)
        write_source(table);
    const int status = !table || fflush(stdout) != 0 || ferror(stdout);
    free(table);
    free(text);
    shunt_diagnostics_clear(&diagnostics);
    return status;
}
