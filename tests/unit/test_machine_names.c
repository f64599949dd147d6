/* SPDX-License-Identifier: BSD-3-Clause */
/* test_machine_names.c: machine descriptions are found by their names; those that come with Shunt
 * are good. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "decision_files.h"
#include "descriptions.h"
#include "route/machine.h"
#include "route/machine_keys.h"

/* The user's decision files are in the folder of the test. */
static void use_folder(void)
{
    assert_int_equal(setenv("XDG_CONFIG_HOME", folder, 1), 0);
    char path[300];
    snprintf(path, sizeof path, "%s/shunt", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/shunt/machines", folder);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void machines_are_found_by_name(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_machine machine;
    use_folder();
    write_text("shunt/machines/here.cfg", MODEL("processors = 3;"));
    write_text("there.cfg", MODEL("processors = 4;"));
    assert_true(shunt_machine_find(&machine, "here", &diagnostics));
    assert_int_equal(machine.processors, 3);
    assert_string_equal(machine.name, "here");
    assert_true(shunt_machine_find(&machine, path_of("there.cfg"), &diagnostics));
    assert_int_equal(machine.processors, 4);
    /* That of the user comes before the one that is installed. */
    assert_true(shunt_machine_find(&machine, "hoefler-moor-2014", &diagnostics));
    assert_int_equal(machine.processors, 0);
    write_text("shunt/machines/hoefler-moor-2014.cfg", MODEL("processors = 5;"));
    assert_true(shunt_machine_find(&machine, "hoefler-moor-2014", &diagnostics));
    assert_int_equal(machine.processors, 5);
    assert_int_equal(diagnostics.count, 0);
}

static void unknown_names_are_told(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_machine machine;
    char *names, expected[1024];
    use_folder();
    write_text("shunt/machines/alpha.cfg", MODEL(""));
    write_text("shunt/machines/theta-like.cfg", MODEL("")); /* installed too: listed once */
    write_text("shunt/machines/no-config", MODEL(""));
    names = shunt_machine_names();
    assert_non_null(names);
    assert_int_equal(strncmp(names, "alpha, ", 7), 0);
    assert_non_null(strstr(names, "hoefler-moor-2014"));
    assert_null(strstr(names, "no-config"));
    const char *first = strstr(names, "theta-like");
    assert_non_null(first);
    assert_null(strstr(first + 1, "theta-like"));
    assert_false(shunt_machine_find(&machine, "aplha", &diagnostics));
    snprintf(expected, sizeof expected,
             "no machine description is called \"aplha\" (did you mean \"alpha\"?): there are %s "
             "(\"shunt machine\" makes one of this machine)",
             names);
    assert_int_equal(diagnostics.count, 1);
    assert_string_equal(diagnostics.text[0], expected);
    assert_false(shunt_machine_find(&machine, "", &diagnostics));
    assert_int_equal(diagnostics.count, 2);
    assert_false(shunt_machine_find(&machine, path_of("missing.cfg"), &diagnostics));
    snprintf(expected, sizeof expected, "%s: cannot be read: No such file or directory",
             path_of("missing.cfg"));
    assert_int_equal(diagnostics.count, 3);
    assert_string_equal(diagnostics.text[2], expected);
    shunt_diagnostics_clear(&diagnostics);
    free(names);
}

static struct shunt_table *table_with(const char *model, struct shunt_diagnostics *diagnostics)
{
    char text[512];
    snprintf(text, sizeof text, HEAD "machine = { name = \"m\";\nmodel = %s; };", model);
    write_text("site.cfg", text);
    return shunt_parse_file(path_of("site.cfg"), diagnostics);
}

/* By its name, beside the decision file or elsewhere, by a path, or as a group: the same table. */
static void tables_name_descriptions(void **state)
{
    (void)state;
    static const char *const spellings[] = {"\"beside\"", "\"here.cfg\"", "\"./here.cfg\"",
                                            "{ name = \"x\"; " LEAST " }"};
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_table *first = NULL;
    char path[300];
    use_folder();
    snprintf(path, sizeof path, "%s/machines", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    write_text("machines/beside.cfg", MODEL("name = \"x\";"));
    write_text("here.cfg", MODEL("name = \"x\";"));
    write_text("shunt/machines/beside.cfg", MODEL("name = \"other\";"));
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        struct shunt_table *table = table_with(spellings[i], &diagnostics);
        assert_non_null(table);
        assert_int_equal(table->modelled, 1);
        assert_string_equal(table->model.name, "x");
        assert_true(shunt_table_valid(table, table->bytes));
        if (first)
            assert_int_equal(table->fingerprint, first->fingerprint);
        else
            first = table;
        if (table != first)
            free(table);
    }
    struct shunt_table *paper = table_with("\"hoefler-moor-2014\"", &diagnostics);
    assert_non_null(paper);
    assert_int_not_equal(paper->fingerprint, first->fingerprint);
    free(paper);
    free(first);
}

static void unknown_descriptions_of_tables_are_told(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    char expected[1024];
    use_folder();
    write_text("shunt/machines/alpha.cfg", MODEL("turn_us = -1;"));
    char *names = shunt_machine_names();
    assert_null(table_with("\"alpa\"", &diagnostics));
    snprintf(expected, sizeof expected,
             "%s:3: machine.model: no machine description is called \"alpa\" (did you mean "
             "\"alpha\"?): there are %s (\"shunt machine\" makes one of this machine)",
             path_of("site.cfg"), names);
    assert_string_equal(diagnostics.text[0], expected);
    /* What is wrong with it is told with its own place. */
    assert_null(table_with("\"alpha\"", &diagnostics));
    assert_int_equal(diagnostics.count, 2);
    snprintf(expected, sizeof expected, "%s:4: model: turn_us: -1 is negative",
             path_of("shunt/machines/alpha.cfg"));
    assert_string_equal(diagnostics.text[1], expected);
    shunt_diagnostics_clear(&diagnostics);
    free(names);
}

/* The description of the paper's machine is what the model has of it. */
static void the_papers_machine_is_installed(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    struct shunt_machine machine, paper, clean;
    use_folder();
    shunt_machine_paper(&paper);
    shunt_machine_copy(&clean, &paper);
    assert_true(shunt_machine_find(&machine, "hoefler-moor-2014", &diagnostics));
    assert_same(&machine, &clean);
}

/* Every description that is installed can be read, bears the name of its file, and says in what a
 * message between nodes differs from one within. */
static void installed_descriptions_are_good(void **state)
{
    (void)state;
    size_t count = 0;
    use_folder();
    char *names = shunt_machine_names(), *rest = names;
    assert_non_null(names);
    for (char *name; (name = strsep(&rest, ", ")); count += name[0] != '\0') {
        struct shunt_diagnostics diagnostics = {0};
        struct shunt_machine machine;
        if (name[0] == '\0')
            continue;
        const bool found = shunt_machine_find(&machine, name, &diagnostics);
        for (size_t i = 0; i < diagnostics.count; i++)
            print_error("%s\n", diagnostics.text[i]);
        assert_true(found);
        assert_string_equal(machine.name, name);
        assert_true(machine.library[0] != '\0');
        assert_true(machine.link[SHUNT_LEVEL_INSIDE].latency <=
                    machine.link[SHUNT_LEVEL_BETWEEN].latency);
        goes_round(&machine);
    }
    free(names);
    assert_true(count >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(tables_name_descriptions),
        WITH_FOLDER(unknown_descriptions_of_tables_are_told),
        WITH_FOLDER(machines_are_found_by_name),
        WITH_FOLDER(unknown_names_are_told),
        WITH_FOLDER(the_papers_machine_is_installed),
        WITH_FOLDER(installed_descriptions_are_good),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
