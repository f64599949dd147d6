/* SPDX-License-Identifier: BSD-3-Clause */
/* test_files.c: decision files that cannot be read, and files that include others. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cmocka.h>

#include "decision_files.h"
#include "route/parse.h"

/* `expected` comes after the folder. */
static void file_is_bad(const char *name, const char *expected)
{
    struct shunt_diagnostics diagnostics = {0};
    char line[512];
    assert_null(shunt_parse_file(path_of(name), &diagnostics));
    assert_int_equal(diagnostics.count, 1);
    snprintf(line, sizeof line, "%s%s%s", expected[0] == '/' ? "" : folder,
             expected[0] == '/' ? "" : "/", expected);
    assert_string_equal(diagnostics.text[0], line);
    shunt_diagnostics_clear(&diagnostics);
}

static void files_that_cannot_be_read(void **state)
{
    (void)state;
    write_text("empty.cfg", "");
    write_file("binary.cfg",
               "\x7f"
               "ELF\0",
               5);
    assert_int_equal(mkdir(path_of("folder.cfg"), 0700), 0);
    file_is_bad("missing.cfg", "missing.cfg: cannot be read: No such file or directory");
    file_is_bad("folder.cfg", "folder.cfg: cannot be read: is a directory");
    file_is_bad("empty.cfg", "empty.cfg: cannot be read: is empty");
    file_is_bad("binary.cfg", "binary.cfg: cannot be read: is not a text file: it holds NUL bytes");
    write_text("secret.cfg", HEAD);
    assert_int_equal(chmod(path_of("secret.cfg"), 0), 0);
    if (access(path_of("secret.cfg"), R_OK) != 0) /* root reads everything */
        file_is_bad("secret.cfg", "secret.cfg: cannot be read: Permission denied");
    /* Nobody writes into the pipe: opening it must not wait. */
    assert_int_equal(mkfifo(path_of("pipe.cfg"), 0600), 0);
    assert_int_equal(symlink("/dev/zero", path_of("device.cfg")), 0);
    const int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%.100s", path_of("socket.cfg"));
    assert_int_equal(bind(listener, (const struct sockaddr *)&address, sizeof address), 0);
    file_is_bad("pipe.cfg", "pipe.cfg: cannot be read: is a pipe; it must be a regular file");
    file_is_bad("device.cfg", "/dev/zero: cannot be read: is a device; it must be a regular file");
    file_is_bad("socket.cfg", "socket.cfg: cannot be read: is a socket; it must be a regular file");
    close(listener);
    char *large = malloc((4 << 20) + 1);
    assert_non_null(large);
    memset(large, ' ', (4 << 20) + 1);
    write_file("large.cfg", large, (4 << 20) + 1);
    free(large);
    file_is_bad("large.cfg",
                "large.cfg: cannot be read: is larger than 4 MiB: not a decision file");
}

static void includes_are_relative_to_the_including_file(void **state)
{
    (void)state;
    struct shunt_diagnostics diagnostics = {0};
    assert_int_equal(mkdir(path_of("sub"), 0700), 0);
    write_text("top.cfg",
               "schema = 1;\nalltoallv = (\n@include \"sub/rules.cfg\"\n,\n{ id = \"own\"; " NATIVE
               " } );");
    write_text("sub/rules.cfg",
               "\n{ id = \"first\"; " NATIVE " },\n  @include \"more.cfg\" # here\n");
    write_text("sub/more.cfg", "{ id = \"second\"; " NATIVE " }"); /* no newline at the end */
    struct shunt_table *table = shunt_parse_file(path_of("top.cfg"), &diagnostics);
    expect(&diagnostics, (const char *const[]){NULL}, 1);
    assert_non_null(table);
    assert_int_equal(table->rule_count[SHUNT_OP_ALLTOALLV], 3);
    static const char *const names[] = {"sub/rules.cfg", "sub/more.cfg", "top.cfg"};
    static const int lines[] = {2, 1, 5};
    for (size_t i = 0; i < 3; i++) {
        assert_string_equal(shunt_table_string(table, table->rules[i].file), path_of(names[i]));
        assert_int_equal(table->rules[i].line, lines[i]);
    }
    free(table);
}

static void includes_that_fail(void **state)
{
    (void)state;
    char expected[512];
    write_text("top.cfg", "schema = 1;\n@include \"missing.cfg\"\n");
    snprintf(expected, sizeof expected,
             "top.cfg:2: included file %s/missing.cfg cannot be read: No such file or directory",
             folder);
    file_is_bad("top.cfg", expected);
    write_text("self.cfg", "@include \"self.cfg\"\n");
    file_is_bad("self.cfg", "self.cfg:1: too many files are included: does one include itself?");
    write_text("outer.cfg", "schema = 1;\n@include \"inner.cfg\"\n");
    write_text("inner.cfg", "# one\n\npolcy = 3;\n");
    file_is_bad("outer.cfg", "inner.cfg:3: unknown key \"polcy\" (did you mean \"policy\"?)");
    write_text("open.cfg", "schema = 1;\nalltoall = (\n@include \"close.cfg\"\n");
    write_text("close.cfg", "{ " NATIVE " }\n]\n");
    file_is_bad("open.cfg", "close.cfg:2: \"]\" does not close the \"(\" of line 2");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FOLDER(files_that_cannot_be_read),
        WITH_FOLDER(includes_are_relative_to_the_including_file),
        WITH_FOLDER(includes_that_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
