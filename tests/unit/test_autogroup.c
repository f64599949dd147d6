/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests of communicator/autogroup.h: which control groups have a share of the processors. */
#include "communicator/autogroup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[] = "/tmp/shunt-cgroups-XXXXXX";

static void make(const char *path, bool folder)
{
    char name[256];
    snprintf(name, sizeof name, "%s/%s", root, path);
    if (folder) {
        assert_int_equal(mkdir(name, 0700), 0);
        return;
    }
    FILE *file = fopen(name, "we");
    assert_non_null(file);
    fclose(file);
}

static int set_up(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(root));
    make("user.slice", true);
    make("job", true);
    make("job/step_0", true);
    make("job/step_0/cpu.weight", false);
    return 0;
}

static int tear_down(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", root);
    return system(command); /* NOLINT(cert-env33-c): of a name that this program has made */
}

static void test_shares(void **state)
{
    static const struct {
        const char *text;
        bool has;
    } cases[] = {
        {"", false},
        {"0::/\n", false},
        {"0::/user.slice\n", false},
        {"0::/job\n", false},
        {"0::/job/step_0\n", true},
        {"0::/job/step_0", true}, /* cut off */
        {"0::/nothing\n", false},
        {"4:memory:/a\n3:cpuset:/b\n2:cpuacct:/c\n1:cpu:/\n0::/\n", false},
        {"4:memory:/a\n1:cpu:/job\n0::/\n", true},
        {"5:cpu,cpuacct:/job\n", true},
        {"5:cpuacct,cpu:/job\n", true},
        {"5:cpuacct,cpuset:/job\n", false},
        {"5:cpu,cpuacct:/\n", false},
        {"9:name=cpu:/job\n", false},
        {"1\n:\n::\n0:\n:::\n", false},
        {"1:cpu:/\n0::/job/step_0\n", true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (shunt_autogroup_has_share(cases[i].text, root) != cases[i].has)
            fail_msg("\"%s\": %d expected", cases[i].text, cases[i].has);
}

static void test_this_process(void **state)
{
    (void)state;
    const bool first = shunt_autogroup_alone();
    assert_int_equal(shunt_autogroup_alone(), first);
    if (getsid(0) != getpid())
        assert_false(first); /* others of its session run when it yields */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shares),
        cmocka_unit_test(test_this_process),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
