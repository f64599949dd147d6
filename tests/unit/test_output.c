/* SPDX-License-Identifier: BSD-3-Clause */
/* test_output.c: files that are whole or not there. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/output.h"

/* Each test in a new folder, which is empty but for what the test leaves. */
static char folder[] = "/tmp/shunt-output.XXXXXX";

static int enter(void **unused)
{
    (void)unused;
    strcpy(folder + sizeof folder - 7, "XXXXXX");
    umask(022);
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave(void **unused)
{
    (void)unused;
    DIR *all = opendir(".");
    for (struct dirent *one = all ? readdir(all) : NULL; one; one = readdir(all))
        if (unlink(one->d_name) != 0 && one->d_name[0] != '.')
            rmdir(one->d_name);
    if (all)
        closedir(all);
    return chdir("/") == 0 && rmdir(folder) == 0 ? 0 : -1;
}

static int files(void)
{
    int count = 0;
    DIR *all = opendir(".");
    for (struct dirent *one = all ? readdir(all) : NULL; one; one = readdir(all))
        count += one->d_name[0] != '.';
    if (all)
        closedir(all);
    return count;
}

static void make(const char *name, const char *text, mode_t mode)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    assert_int_equal(chmod(name, mode), 0);
}

static void expect(const char *name, const char *text, mode_t mode)
{
    char found[64] = "";
    struct stat status;
    FILE *file = fopen(name, "r");
    assert_non_null(file);
    assert_int_equal(fstat(fileno(file), &status), 0);
    found[fread(found, 1, sizeof found - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(found, text);
    assert_int_equal(status.st_mode & 07777, mode);
}

static void a_file_gets_its_name_at_the_end(void **unused)
{
    (void)unused;
    struct shunt_output output;
    assert_int_equal(shunt_output_open(&output, "a"), 0);
    fputs("new", output.stream);
    fflush(output.stream);
    assert_int_not_equal(access("a", F_OK), 0);
    assert_int_equal(strncmp(strrchr(output.part, '/') ? "" : output.part, "a.", 2), 0);
    expect(output.part, "new", 0644);
    assert_int_equal(shunt_output_close(&output, true), 0);
    expect("a", "new", 0644);
    assert_int_equal(files(), 1);
    assert_int_equal(shunt_output_put("a", "other", 5), 0);
    expect("a", "other", 0644);
    assert_int_equal(shunt_output_close(&output, true), 0); /* it is not open */
    assert_int_equal(files(), 1);
}

static void what_is_not_whole_leaves_the_old_one(void **unused)
{
    (void)unused;
    struct shunt_output output;
    char part[PATH_MAX];
    make("a", "old", 0600);
    assert_int_equal(shunt_output_open(&output, "a"), 0);
    fputs("new", output.stream);
    shunt_output_drop(&output);
    expect("a", "old", 0600);
    assert_int_equal(files(), 1);
    assert_int_equal(shunt_output_open(&output, "a"), 0);
    fputs("new", output.stream);
    snprintf(part, sizeof part, "%s", output.part);
    assert_int_equal(shunt_output_close(&output, false), 0);
    expect("a", "old", 0600);
    expect(part, "new", 0600);
}

static void mode_and_owner_stay(void **unused)
{
    (void)unused;
    struct stat status;
    make("a", "old", 0640);
    if (geteuid() == 0)
        assert_int_equal(chown("a", 12345, 23456), 0);
    assert_int_equal(shunt_output_put("a", "new", 3), 0);
    expect("a", "new", 0640);
    assert_int_equal(stat("a", &status), 0);
    if (geteuid() == 0) {
        assert_int_equal(status.st_uid, 12345);
        assert_int_equal(status.st_gid, 23456);
    }
    if (geteuid() != 0) { /* whom modes do not keep from anything */
        assert_int_equal(chmod("a", 0400), 0);
        assert_int_equal(shunt_output_put("a", "x", 1), EACCES);
        expect("a", "new", 0400);
    }
}

static void links_to_files_stay(void **unused)
{
    (void)unused;
    struct stat status;
    assert_int_equal(mkdir("far", 0755), 0);
    make("far/a", "old", 0644);
    assert_int_equal(symlink("far/a", "link"), 0);
    assert_int_equal(shunt_output_put("link", "new", 3), 0);
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    expect("far/a", "new", 0644);
    assert_int_equal(symlink("nowhere", "dangling"), 0);
    assert_int_equal(shunt_output_put("dangling", "new", 3), ENOENT);
    assert_int_not_equal(access("nowhere", F_OK), 0);
    assert_int_equal(files(), 3);
    unlink("far/a");
}

/* What somebody put where the new file could be. */
static void nothing_planted_is_written_to(void **unused)
{
    (void)unused;
    struct shunt_output output;
    make("victim", "mine", 0644);
    assert_int_equal(symlink("victim", "a.part"), 0);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(shunt_output_open(&output, "a"), 0);
        assert_string_not_equal(output.part, "a.part");
        fputs("new", output.stream);
        assert_int_equal(shunt_output_close(&output, true), 0);
    }
    expect("victim", "mine", 0644);
    expect("a", "new", 0644);
}

static void what_is_no_file_is_written_as_it_is(void **unused)
{
    (void)unused;
    char text[8] = "";
    struct stat status;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    const pid_t child = fork();
    if (child == 0)
        _exit(shunt_output_put("pipe", "new", 3));
    FILE *file = fopen("pipe", "r");
    assert_non_null(file);
    assert_int_equal(fread(text, 1, sizeof text, file), 3);
    fclose(file);
    int ended = -1;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    assert_int_equal(stat("pipe", &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
    assert_int_equal(shunt_output_put("/dev/null", "new", 3), 0);
    assert_int_equal(shunt_output_put("/dev/full", "new", 3), ENOSPC);
    make("out", "", 0644);
    assert_non_null(file = fopen("out", "r+"));
    char name[32];
    snprintf(name, sizeof name, "/dev/fd/%d", fileno(file));
    assert_int_equal(shunt_output_put(name, "new", 3), 0);
    assert_int_equal(fread(text, 1, sizeof text, file), 3); /* it is this very file */
    fclose(file);
    assert_int_equal(shunt_output_put(".", "new", 3), EISDIR);
    assert_int_equal(files(), 2);
}

static void a_file_that_may_not_grow_leaves_the_old_one(void **unused)
{
    (void)unused;
    static char many[100000];
    make("a", "old", 0644);
    const pid_t child = fork();
    if (child == 0) {
        const struct rlimit limit = {10000, 10000};
        signal(SIGXFSZ, SIG_IGN);
        if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
            _exit(1);
        _exit(shunt_output_put("a", many, sizeof many) == EFBIG ? 0 : 2);
    }
    int ended = -1;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_int_equal(ended, 0);
    expect("a", "old", 0644);
    assert_int_equal(files(), 1);
}

static void long_names_have_room(void **unused)
{
    (void)unused;
    char name[NAME_MAX + 1];
    memset(name, 'n', NAME_MAX);
    name[NAME_MAX] = '\0';
    assert_int_equal(shunt_output_put(name, "new", 3), 0);
    expect(name, "new", 0644);
}

int main(void)
{
#define ALONE(test) cmocka_unit_test_setup_teardown(test, enter, leave)
    const struct CMUnitTest tests[] = {
        ALONE(a_file_gets_its_name_at_the_end),
        ALONE(what_is_not_whole_leaves_the_old_one),
        ALONE(mode_and_owner_stay),
        ALONE(links_to_files_stay),
        ALONE(nothing_planted_is_written_to),
        ALONE(what_is_no_file_is_written_as_it_is),
        ALONE(a_file_that_may_not_grow_leaves_the_old_one),
        ALONE(long_names_have_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
