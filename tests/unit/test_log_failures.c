/* SPDX-License-Identifier: BSD-3-Clause */
/* test_log_failures.c: what can go wrong with the files of the log. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "log/output.h"
#include "log_child.h"

static int failing_rank;

static void no_directory(void)
{
    struct shunt_log_options bad = options();
    bad.file = "/nonexistent/shunt/log";
    bad.world_rank = failing_rank;
    bad.json = true;
    shunt_log_open(&bad);
    calls(5);
    shunt_log_close();
}

static void without_its_folder_the_summary_goes_to_stderr(void **unused)
{
    (void)unused;
    in_child(no_directory);
    const char *text = contents(error_path);
    assert_int_equal(
        occurrences(text, "cannot open the log /nonexistent/shunt/log: No such file or directory"),
        1);
    assert_int_equal(occurrences(text, "shunt: summary of rank 0 of 4: routed 5 of 5 calls "), 1);
    assert_int_equal(occurrences(text, "shunt: #"), 0);
    unlink(error_path);
    failing_rank = 3;
    in_child(no_directory);
    failing_rank = 0;
    assert_string_equal(contents(error_path), "");
}

static void disk_full(void)
{
    struct shunt_log_options full = options();
    full.file = "/dev/full";
    shunt_log_open(&full);
    calls(2000);
    shunt_log_flush();
    calls(2000);
    shunt_log_close();
}

static void a_full_disk_is_said_once(void **unused)
{
    (void)unused;
    in_child(disk_full);
    const char *text = contents(error_path);
    assert_int_equal(occurrences(text, "cannot write the log /dev/full: No space left on device"),
                     1);
    assert_int_equal(occurrences(text, "cannot"), 1);
    assert_int_equal(
        occurrences(text, "shunt: summary of rank 0 of 4: routed 4,000 of 4,000 calls "), 1);
}

static void closed_pipe(void)
{
    int ends[2];
    struct shunt_log_options plain = options();
    plain.file = NULL;
    if (pipe(ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0)
        _exit(1);
    close(ends[0]);
    shunt_log_open(&plain);
    shunt_log_say("nobody reads this");
    calls(2000);
    shunt_log_close();
    sigset_t pending;
    sigpending(&pending);
    if (sigismember(&pending, SIGPIPE))
        _exit(2);
}

static void a_closed_pipe_does_not_end_the_program(void **unused)
{
    (void)unused;
    in_child(closed_pipe);
}

static void fifo_without_reader(void)
{
    if (mkfifo(log_path, 0600) != 0)
        _exit(1);
    open_log();
    calls(3);
    shunt_log_close();
}

static void a_pipe_without_reader_is_not_waited_for(void **unused)
{
    (void)unused;
    in_child(fifo_without_reader);
    assert_int_equal(occurrences(contents(error_path), "cannot open the log"), 1);
}

static void file_limit(void)
{
    const struct rlimit limit = {10000, 10000};
    setrlimit(RLIMIT_FSIZE, &limit);
    open_log();
    calls(2000);
    shunt_log_close();
}

static void a_limit_of_file_sizes_does_not_end_the_program(void **unused)
{
    (void)unused;
    in_child(file_limit);
    assert_int_equal(occurrences(contents(error_path), "File too large"), 1);
    assert_int_equal(occurrences(contents(error_path), " of 2,000 calls "), 1);
}

/* A program that closes all descriptors and gets the number of the log for a file of its own. */
static void descriptors_closed(void)
{
    open_log();
    call(1);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    const int fd = open("/dev/null", O_RDWR);
    char other[96];
    snprintf(other, sizeof(other), "%s.other", log_path);
    for (int i = fd; i < 64; i = open(other, O_RDWR | O_CREAT, 0600))
        ;
    shunt_log_flush();
    shunt_log_close();
    struct stat status;
    if (stat(other, &status) != 0 || status.st_size != 0)
        _exit(1);
    unlink(other);
}

static void a_file_that_got_the_number_of_the_log_is_left_alone(void **unused)
{
    (void)unused;
    in_child(descriptors_closed);
    assert_int_equal(occurrences(contents(error_path), "cannot write the log"), 1);
    assert_int_equal(occurrences(contents(error_path), "shunt: summary"), 1);
}

static void without_stderr(void)
{
    close(STDERR_FILENO);
    open_log();
    call(1);
    (void)!write(STDERR_FILENO, "stray\n", 6);
    shunt_log_close();
}

static void without_stderr_nothing_strays_into_the_log(void **unused)
{
    (void)unused;
    in_child(without_stderr);
    assert_int_equal(occurrences(contents(log_path), "stray"), 0);
    assert_int_equal(occurrences(contents(log_path), "shunt: #"), 1);
}

#define TEST(name) cmocka_unit_test_teardown(name, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(without_its_folder_the_summary_goes_to_stderr),
        TEST(a_full_disk_is_said_once),
        TEST(a_closed_pipe_does_not_end_the_program),
        TEST(a_pipe_without_reader_is_not_waited_for),
        TEST(a_limit_of_file_sizes_does_not_end_the_program),
        TEST(a_file_that_got_the_number_of_the_log_is_left_alone),
        TEST(without_stderr_nothing_strays_into_the_log),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
