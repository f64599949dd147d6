/* SPDX-License-Identifier: BSD-3-Clause */
/* When the log is written, and by whom: buffering, forks, processes, threads; what the application
 * may not notice. */
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "log_child.h"

/* Counted by the linker's --wrap. */
static _Atomic long allocations;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size)
{
    allocations++;
    return __real_malloc(size);
}
void *__wrap_calloc(size_t count, size_t size)
{
    allocations++;
    return __real_calloc(count, size);
}
void *__wrap_realloc(void *old, size_t size)
{
    allocations++;
    return __real_realloc(old, size);
}

static void buffered(void)
{
    open_log();
    call(1);
    if (contents(log_path)[0] != '\0')
        _exit(1);
    shunt_log_flush();
    if (occurrences(contents(log_path), "\n") != 2) /* and the first line */
        _exit(2);
    calls(1200);
    const char *text = contents(log_path);
    if (strlen(text) < 40000 || text[strlen(text) - 1] != '\n')
        _exit(3);
    kill(getpid(), SIGKILL);
}

static void whole_lines_are_written_when_the_buffer_is_full(void **unused)
{
    (void)unused;
    const int status = status_of(start(buffered));
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    const char *text = contents(log_path);
    assert_true(strlen(text) > 40000);
    assert_int_equal(text[strlen(text) - 1], '\n');
}

static void one_second(void)
{
    const struct timespec pause = {1, 50000000};
    open_log();
    call(1);
    nanosleep(&pause, NULL);
    call(2);
    kill(getpid(), SIGKILL);
}

static void lines_are_written_after_a_second(void **unused)
{
    (void)unused;
    (void)status_of(start(one_second));
    assert_int_equal(occurrences(contents(log_path), "shunt: #"), 2);
}

static void forking(void)
{
    open_log();
    call(1);
    shunt_log_passed("MPI_Ialltoall");
    const pid_t child = fork();
    if (child == 0) {
        open_log();
        call(2);
        shunt_log_rule_known("a.cfg", 5, "", "alltoall");
        shunt_log_flush();
        shunt_log_close();
        _exit(0);
    }
    if (status_of(child) != 0)
        _exit(1);
    call(3);
    shunt_log_close();
}

static void children_write_nothing_into_the_log(void **unused)
{
    (void)unused;
    in_child(forking);
    const char *text = contents(log_path);
    assert_int_equal(occurrences(text, "shunt: #"), 2);
    assert_int_equal(occurrences(text, "shunt: summary"), 1);
    assert_int_equal(occurrences(text, " of 2 calls "), 1);
    assert_int_equal(occurrences(text, "never used"), 0);
}

enum { WRITERS = 4, LINES = 2000 };

static void write_many(void)
{
    open_json();
    calls(LINES);
    shunt_log_flush();
}

static void processes_share_a_file_line_by_line(void **unused)
{
    (void)unused;
    pid_t child[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        child[i] = start(write_many);
    for (int i = 0; i < WRITERS; i++)
        assert_int_equal(status_of(child[i]), 0);
    assert_int_equal(json_lines(log_path), WRITERS * (1 + LINES)); /* each its own first one */
}

static void *thread_body(void *unused)
{
    (void)unused;
    for (uint64_t i = 1; i <= LINES; i++) {
        call(i);
        shunt_log_passed("MPI_Alltoallw");
        shunt_log_say("threads");
    }
    return NULL;
}

static void threads(void)
{
    pthread_t thread[WRITERS];
    open_log();
    for (int i = 0; i < WRITERS; i++)
        pthread_create(&thread[i], NULL, thread_body, NULL);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(thread[i], NULL);
    shunt_log_close();
}

static void threads_lose_no_call(void **unused)
{
    (void)unused;
    in_child(threads);
    const char *text = contents(log_path);
    assert_int_equal(occurrences(text, "shunt: #"), WRITERS * LINES);
    assert_int_equal(occurrences(text, " of 8,000 calls "), 1);
    assert_int_equal(occurrences(text, "MPI_Alltoallw 8,000\n"), 1);
    assert_string_equal(contents(error_path), "shunt: threads\n");
}

static void quiet(void)
{
    open_log();
    call(1);
    const long before = allocations;
    errno = EDOM;
    calls(5000);
    shunt_log_passed("MPI_Alltoallw");
    shunt_log_flush();
    if (allocations != before || errno != EDOM)
        _exit(1);
    shunt_log_close();
    shunt_log_say("%s", "closed");
    if (errno != EDOM)
        _exit(2);
}

/* errno as before; no allocation once a kind of call is known. */
static void a_call_leaves_errno_alone_and_allocates_nothing(void **unused)
{
    (void)unused;
    in_child(quiet);
}

static void leave_from_handler(int unused)
{
    (void)unused;
    exit(0); /* what this test is about: NOLINT(bugprone-signal-handler,cert-sig30-c) */
}

static void interrupted(void)
{
    const struct itimerval soon = {.it_value = {.tv_usec = 1000}};
    open_log();
    call(1);
    atexit(shunt_log_close);
    signal(SIGALRM, leave_from_handler);
    setitimer(ITIMER_REAL, &soon, NULL);
    for (;;)
        call(2);
}

/* A handler that ends the program, as many have for SIGTERM, mostly comes in the middle of a call:
 * no deadlock. */
static void exit_in_a_handler_is_no_deadlock(void **unused)
{
    (void)unused;
    alarm(60); /* would end this test */
    for (int i = 0; i < 20; i++)
        in_child(interrupted);
    alarm(0);
}

static void say(void)
{
    shunt_log_say("one %d", 1);
    shunt_log_say("one %d", 1);
    shunt_log_say("two\nlines");
    for (int i = 0; i < 500; i++)
        shunt_log_say("flood %d", i);
}

static void words_are_said_once_and_not_without_end(void **unused)
{
    (void)unused;
    in_child(say);
    const char *text = contents(error_path);
    assert_ptr_equal(strstr(text, "shunt: one 1\nshunt: two lines\nshunt: flood 0\n"), text);
    assert_int_equal(occurrences(text, "\n"), 128);
    assert_int_equal(occurrences(text, "too many different messages"), 1);
}

static void twice(void)
{
    write_ten();
    write_ten();
}

static void a_log_can_be_opened_again(void **unused)
{
    (void)unused;
    in_child(twice);
    assert_int_equal(occurrences(contents(log_path), " of 10 calls "), 2);
}

#define TEST(name) cmocka_unit_test_teardown(name, remove_files)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(whole_lines_are_written_when_the_buffer_is_full),
        TEST(lines_are_written_after_a_second),
        TEST(children_write_nothing_into_the_log),
        TEST(processes_share_a_file_line_by_line),
        TEST(threads_lose_no_call),
        TEST(a_call_leaves_errno_alone_and_allocates_nothing),
        TEST(words_are_said_once_and_not_without_end),
        TEST(a_log_can_be_opened_again),
        TEST(exit_in_a_handler_is_no_deadlock),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
