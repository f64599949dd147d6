/* SPDX-License-Identifier: BSD-3-Clause */
/* Waiting, on a library of our own: when each request is done, with which error and how many bytes,
 * is up to the test. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "comm/comm.h"
#include "comm/wait.h"
#include "log/log.h"
#include "process/process.h"

enum { MOST = 200, ENDLESS = 1 << 30 };

/* What the library does with request number i; the handle is i + 1. */
static struct {
    int polls; /* without result, of all requests together, until it is done */
    int error, bytes;
    int done;
} message[MOST];
static int polls, yields, most_together;
static int refusals; /* calls of MPI_Testsome, then of MPI_Test, that fail without a look at the
                        requests */
static int test_refusals;
static double watchdog;
static char said[512];

struct shunt_pmpi shunt_pmpi;

const struct shunt_settings *shunt_process_settings(void)
{
    static const struct shunt_settings settings = {.log = SHUNT_LOG_SUMMARY};
    return &settings;
}

int64_t shunt_process_watchdog(void)
{
    return (int64_t)(1e9 * watchdog);
}

const char *shunt_comm_describe(struct shunt_comm *comm)
{
    (void)comm;
    return "of a test";
}

void shunt_log_say(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(said, sizeof said, format, args);
    va_end(args);
}

int __wrap_sched_yield(void);
int __wrap_sched_yield(void)
{
    yields++;
    return 0;
}

static int due(MPI_Request request)
{
    assert_true(request >= 1 && request <= MOST);
    assert_false(message[request - 1].done);
    return polls >= message[request - 1].polls;
}

static int complete(MPI_Request *request, MPI_Status *status)
{
    const int number = *request - 1;
    message[number].done = 1;
    *request = MPI_REQUEST_NULL;
    memset(status, 0xff, sizeof *status);
    memcpy(status, &message[number].bytes, sizeof message[number].bytes); /* its first field */
    return message[number].error;
}

static int fake_test(MPI_Request *request, int *done, MPI_Status *status)
{
    if (test_refusals > 0) {
        test_refusals--;
        return MPI_ERR_NO_MEM;
    }
    *done = *request == MPI_REQUEST_NULL || due(*request);
    polls += !*done;
    return *done && *request != MPI_REQUEST_NULL ? complete(request, status) : MPI_SUCCESS;
}

static int fake_testsome(int count, MPI_Request requests[], int *done, int which[],
                         MPI_Status statuses[])
{
    int errors[MOST], failed = 0;
    most_together = count > most_together ? count : most_together;
    if (refusals > 0) {
        refusals--;
        return MPI_ERR_NO_MEM;
    }
    *done = 0;
    for (int i = count - 1; i >= 0; i--) { /* in no particular order */
        if (!due(requests[i]))
            continue;
        which[*done] = i;
        errors[*done] = complete(&requests[i], &statuses[*done]);
        failed |= errors[(*done)++] != MPI_SUCCESS;
    }
    for (int i = 0; failed && i < *done; i++)
        statuses[i].MPI_ERROR = errors[i];
    polls += *done == 0;
    return failed ? MPI_ERR_IN_STATUS : MPI_SUCCESS;
}

static int fake_get_count(const MPI_Status *status, MPI_Datatype type, int *count)
{
    assert_int_equal(type, MPI_BYTE);
    memcpy(count, status, sizeof *count);
    return MPI_SUCCESS;
}

static int fake_error_class(int code, int *class)
{
    *class = code;
    return MPI_SUCCESS;
}

static int fresh(void **state)
{
    (void)state;
    memset(message, 0, sizeof message);
    for (int i = 0; i < MOST; i++)
        message[i].bytes = 8;
    polls = yields = most_together = refusals = test_refusals = 0;
    watchdog = 0;
    said[0] = '\0';
    shunt_pmpi.Test = fake_test;
    shunt_pmpi.Testsome = fake_testsome;
    shunt_pmpi.Get_count = fake_get_count;
    shunt_pmpi.Error_class = fake_error_class;
    return 0;
}

/* Waits for requests 0..count-1, of ranks 1000 and up; all are done then. */
static int wait_for(int count, bool oversubscribed, const bool *full)
{
    struct shunt_comm comm = {
        .size = 2000, .waiter.oversubscribed = oversubscribed, .diag.doing = "test"};
    MPI_Request requests[MOST];
    int peers[MOST] = {0};
    for (int i = 0; i < count; i++) {
        requests[i] = i + 1;
        peers[i] = 1000 + i;
    }
    const int status = shunt_wait_all(&comm, count, requests, peers, full);
    for (int i = 0; i < count; i++) {
        assert_true(message[i].done);
        assert_int_equal(requests[i], MPI_REQUEST_NULL);
    }
    return status;
}

/* The last posted is done first: one request after another would poll 200 times as often. */
static void all_open_requests_are_polled_together(void **state)
{
    (void)state;
    static const int counts[] = {0, 1, 2, 63, 64, 65, 128, 129, MOST};
    for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
        fresh(NULL);
        for (int i = 0; i < counts[c]; i++)
            message[i].polls = counts[c] - i;
        assert_int_equal(wait_for(counts[c], true, NULL), MPI_SUCCESS);
        assert_int_equal(polls, counts[c]);
        assert_true(most_together <= 64);
    }
}

static void the_processor_is_yielded_after_every_fourth_idle_poll(void **state)
{
    (void)state;
    wait_for(100, true, NULL);
    assert_int_equal(yields, 0);
    fresh(NULL);
    message[3].polls = 5;
    message[7].polls = 9;
    wait_for(20, true, NULL);
    assert_int_equal(yields, 2);
    fresh(NULL);
    message[3].polls = 5;
    wait_for(20, false, NULL);
    assert_int_equal(yields, 0);
    fresh(NULL);
    message[0].polls = 5;
    wait_for(1, true, NULL);
    assert_int_equal(yields, 1);
    fresh(NULL);
    message[0].polls = 3;
    wait_for(1, true, NULL);
    assert_int_equal(yields, 0);
}

static void requests_that_are_done_already_are_left_alone(void **state)
{
    (void)state;
    struct shunt_comm comm = {.size = 8, .diag.doing = "test"};
    MPI_Request requests[] = {MPI_REQUEST_NULL, 5, MPI_REQUEST_NULL, 9, MPI_REQUEST_NULL};
    message[4].polls = 3;
    message[8].error = MPI_ERR_TRUNCATE;
    assert_int_equal(shunt_wait_all(&comm, 5, requests, NULL, NULL), MPI_ERR_TRUNCATE);
    assert_true(message[4].done && message[8].done);
    MPI_Request none[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    assert_int_equal(shunt_wait_all(&comm, 2, none, NULL, NULL), MPI_SUCCESS);
}

/* That of the first request, in whatever order they fail; the others are done all the same. */
static void the_first_error_is_returned(void **state)
{
    (void)state;
    for (int count = 1; count <= MOST; count += 33) {
        fresh(NULL);
        for (int i = 0; i < count; i++)
            message[i].polls = count - i;
        message[count - 1].error = MPI_ERR_OTHER;
        message[count / 2].error = MPI_ERR_TRUNCATE;
        assert_int_equal(wait_for(count, true, NULL), MPI_ERR_TRUNCATE);
    }
    fresh(NULL);
    message[0].polls = 1;
    message[1].error = MPI_ERR_TRUNCATE;
    message[1].polls = message[2].polls = 2; /* together with one that is good */
    assert_int_equal(wait_for(3, true, NULL), MPI_ERR_TRUNCATE);
}

static void a_library_that_cannot_poll_is_asked_one_by_one(void **state)
{
    (void)state;
    for (int i = 0; i < 90; i++)
        message[i].polls = i % 7;
    refusals = 1;
    assert_int_equal(wait_for(90, true, NULL), MPI_ERR_NO_MEM);
    fresh(NULL);
    refusals = 1;
    test_refusals = 40;
    assert_int_equal(wait_for(90, true, NULL), MPI_ERR_NO_MEM);
    fresh(NULL);
    test_refusals = 3;
    message[0].polls = 2;
    assert_int_equal(wait_for(1, true, NULL), MPI_ERR_NO_MEM);
}

static void a_request_that_can_never_be_tested_ends_the_waiting(void **state)
{
    (void)state;
    struct shunt_comm comm = {.size = 8, .diag.doing = "test"};
    MPI_Request requests[] = {1, 2};
    refusals = test_refusals = ENDLESS;
    assert_int_equal(shunt_wait_all(&comm, 2, requests, NULL, NULL), MPI_ERR_NO_MEM);
}

static void no_bytes_where_there_must_be_some_are_an_error(void **state)
{
    (void)state;
    bool full[MOST] = {false};
    for (int count = 1; count <= 80; count += 79) {
        fresh(NULL);
        message[count / 2].bytes = 0;
        assert_int_equal(wait_for(count, true, full), MPI_SUCCESS);
        fresh(NULL);
        full[count / 2] = true;
        assert_int_equal(wait_for(count, true, full), MPI_SUCCESS);
        fresh(NULL);
        message[count / 2].bytes = 0;
        assert_int_equal(wait_for(count, true, full), MPI_ERR_OTHER);
        fresh(NULL);
        message[count / 2].bytes = 0;
        message[count / 2].error = MPI_ERR_TRUNCATE; /* its own error tells more */
        assert_int_equal(wait_for(count, true, full), MPI_ERR_TRUNCATE);
        full[count / 2] = false;
    }
}

static void the_watchdog_names_a_rank_that_is_awaited(void **state)
{
    (void)state;
    for (int count = 1; count <= 100; count += 99) {
        fresh(NULL);
        watchdog = 1e-9;
        message[count - 1].polls = 100000;
        wait_for(count, false, NULL);
        char wanted[64];
        snprintf(wanted, sizeof wanted, "waiting for rank %d", 1000 + count - 1);
        assert_non_null(strstr(said, wanted));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(all_open_requests_are_polled_together, fresh),
        cmocka_unit_test_setup(the_processor_is_yielded_after_every_fourth_idle_poll, fresh),
        cmocka_unit_test_setup(requests_that_are_done_already_are_left_alone, fresh),
        cmocka_unit_test_setup(the_first_error_is_returned, fresh),
        cmocka_unit_test_setup(a_library_that_cannot_poll_is_asked_one_by_one, fresh),
        cmocka_unit_test_setup(a_request_that_can_never_be_tested_ends_the_waiting, fresh),
        cmocka_unit_test_setup(no_bytes_where_there_must_be_some_are_an_error, fresh),
        cmocka_unit_test_setup(the_watchdog_names_a_rank_that_is_awaited, fresh),
    };
    return cmocka_run_group_tests_name("wait", tests, NULL, NULL);
}
