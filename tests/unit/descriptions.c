/* SPDX-License-Identifier: BSD-3-Clause */
/* descriptions.c: machine descriptions, read, written and compared. */
#include "descriptions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "decision_files.h"

struct shunt_machine read_good(const char *text)
{
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_machine machine;
    const bool read = shunt_machine_read_text(&machine, text, "t.cfg", &diagnostics);
    for (size_t i = 0; i < diagnostics.count; i++)
        print_error("%s\n", diagnostics.text[i]);
    assert_true(read);
    assert_int_equal(diagnostics.count, 0);
    return machine;
}

void assert_same(const struct shunt_machine *a, const struct shunt_machine *b)
{
    assert_memory_equal(a, b, sizeof *a);
}

char *written(const struct shunt_machine *machine)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    assert_non_null(stream);
    shunt_machine_write(stream, machine);
    assert_int_equal(fclose(stream), 0);
    return text;
}

void goes_round(const struct shunt_machine *machine)
{
    char *text = written(machine);
    const struct shunt_machine again = read_good(text);
    assert_same(&again, machine);
    char *twice = written(&again);
    assert_string_equal(twice, text);
    free(twice);
    free(text);
}
