/* SPDX-License-Identifier: BSD-3-Clause */
/* decision_files.c: a folder with decision files, and what is said about them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "decision_files.h"

void expect(const struct shunt_diagnostics *diagnostics, const char *const *expected, size_t most)
{
    for (size_t i = 0; i < most && expected[i]; i++) {
        assert_true(i < diagnostics->count);
        assert_string_equal(diagnostics->text[i], expected[i]);
    }
    size_t count = 0;
    while (count < most && expected[count])
        count++;
    for (size_t i = count; i < diagnostics->count; i++)
        print_error("not expected: %s\n", diagnostics->text[i]);
    assert_int_equal(diagnostics->count, count);
}

/* A folder for files, made anew for each test. */
char folder[64];

int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/shunt-parse-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

int remove_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

const char *path_of(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

void write_file(const char *name, const char *text, size_t length)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

void write_text(const char *name, const char *text)
{
    write_file(name, text, strlen(text));
}
