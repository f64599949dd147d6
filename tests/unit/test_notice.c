/* SPDX-License-Identifier: BSD-3-Clause */
/* test_notice.c: notices arrive, from this process and from others, and nowhere else. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/notice.h"

static void a_notice_of_another_process_arrives(void **unused)
{
    char address[SHUNT_NOTICE_ADDRESS_MAX];
    int status = -1;
    (void)unused;
    const int descriptor = shunt_notice_make(address);
    assert_true(descriptor >= 0);
    assert_false(shunt_notice_given(descriptor, SHUNT_NOTICE_LOADED));
    const pid_t child = fork();
    if (child == 0) {
        close(descriptor); /* as after execve */
        shunt_notice_give(address, SHUNT_NOTICE_CALLED);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_true(shunt_notice_given(descriptor, SHUNT_NOTICE_CALLED));
    assert_false(shunt_notice_given(descriptor, SHUNT_NOTICE_LOADED));
    close(descriptor);
}

static void many_notices_are_one(void **unused)
{
    char address[SHUNT_NOTICE_ADDRESS_MAX];
    (void)unused;
    const int descriptor = shunt_notice_make(address);
    for (int i = 0; i < 3; i++)
        shunt_notice_give(address, SHUNT_NOTICE_LOADED);
    assert_true(shunt_notice_given(descriptor, SHUNT_NOTICE_LOADED));
    assert_false(shunt_notice_given(descriptor, SHUNT_NOTICE_CALLED));
    close(descriptor);
}

/* The numbers of process and descriptor are in use again: what is there now stays as it was. */
static void whoever_came_after_is_left_alone(void **unused)
{
    char address[SHUNT_NOTICE_ADDRESS_MAX], other[SHUNT_NOTICE_ADDRESS_MAX], name[32];
    (void)unused;
    const int first = shunt_notice_make(address);
    close(first);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_int_equal(dup2(fileno(file), first), first);
    errno = ERANGE;
    shunt_notice_give(address, SHUNT_NOTICE_LOADED);
    assert_int_equal(errno, ERANGE);
    assert_int_equal(lseek(first, 0, SEEK_END), 0);
    close(first);
    const int second = shunt_notice_make(other); /* another memory under the same number */
    snprintf(name, sizeof name, "%d.%d.", (int)getpid(), second);
    assert_int_equal(strncmp(other, name, strlen(name)), 0);
    shunt_notice_give(address, SHUNT_NOTICE_LOADED);
    assert_false(shunt_notice_given(second, SHUNT_NOTICE_LOADED));
    close(second);
    fclose(file);
}

static void an_address_that_is_none_does_no_harm(void **unused)
{
    static const char *const addresses[] = {
        "", "x", "1", "1.2", "1.2.", "-1.-1.0", "1.2.0123456789"};
    (void)unused;
    for (size_t i = 0; i < sizeof addresses / sizeof addresses[0]; i++)
        shunt_notice_give(addresses[i], SHUNT_NOTICE_CALLED);
    assert_false(shunt_notice_given(-1, SHUNT_NOTICE_CALLED));
}

static void what_was_said_is_known_until_the_list_is_full(void **unused)
{
    (void)unused;
    char list[SHUNT_TOLD_MAX] = "", sentence[32];
    int kept = 0;
    assert_false(shunt_told_has(NULL, "a"));
    assert_false(shunt_told_has(list, "a"));
    shunt_told_add(list, "a");
    shunt_told_add(list, "b");
    assert_true(shunt_told_has(list, "a") && shunt_told_has(list, "b"));
    assert_false(shunt_told_has(list, "c"));
    for (int i = 0; i < 200; i++) {
        snprintf(sentence, sizeof sentence, "sentence %d", i);
        shunt_told_add(list, sentence);
        kept += shunt_told_has(list, sentence);
    }
    assert_true(kept > 50 && kept < 200 && strlen(list) < sizeof list);
    assert_true(shunt_told_has(list, "a"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_notice_of_another_process_arrives),
        cmocka_unit_test(many_notices_are_one),
        cmocka_unit_test(whoever_came_after_is_left_alone),
        cmocka_unit_test(an_address_that_is_none_does_no_harm),
        cmocka_unit_test(what_was_said_is_known_until_the_list_is_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
