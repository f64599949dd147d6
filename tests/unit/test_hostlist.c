/* SPDX-License-Identifier: BSD-3-Clause */
/* test_hostlist.c: which hosts a pattern such as "node[01-64]" names, and which can name none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "route/hostlist.h"

static void names(bool expected, const char *text, const char *host)
{
    if (shunt_hostlist_names(text, host) != expected)
        print_error("%s against %s\n", text, host);
    assert_int_equal(shunt_hostlist_names(text, host), expected);
}

static void host_lists_name_the_hosts_they_say(void **state)
{
    (void)state;
    static const struct {
        const char *text, *in[4], *out[5];
    } cases[] = {
        {"node[001-064,100]",
         {"node001", "node010", "node064", "node100"},
         {"node1", "node065", "node0001", "node", "node0100"}},
        {"node[8-12]", {"node8", "node9", "node12"}, {"node08", "node7", "node13", "node1"}},
        {"n[98-102]x", {"n98x", "n102x"}, {"n98", "n098x", "n103x"}},
        {"r[1-2]n[01-16]", {"r1n01", "r2n16"}, {"r3n01", "r1n1", "r1n17", "r12n01"}},
        {"[1-2][3-4]", {"13", "24"}, {"1", "33", "134"}},
        {"[1,3]-gpu", {"1-gpu", "3-gpu"}, {"2-gpu", ",-gpu"}},
        {"a,node[1-3,7],b*", {"a", "node7", "b", "bcd"}, {"node4", "ab", ",", "a,node7"}},
        {"rack?-[1-10]*",
         {"racka-1", "racka-10.x", "rackb-2-12"},
         {"rack-1", "racka-x", "racka-12"}},
        {"*[1-64]", {"n1", "node64", "x-9"}, {"n65", "n", "n064"}},
        /* As in the shell. */
        {"login[12]", {"login1", "login2"}, {"login12", "login3"}},
        {"n[!3-5]", {"n1", "n9"}, {"n4"}},
        {"n[ab1-3]", {"na", "n2"}, {"n4", "n-"}},
        {"n[[:digit:]]", {"n4"}, {"nn", "n44"}},
        {"n[]1-3]", {"n1"}, {"n4"}},
        {"n\\[1-3]", {"n[1-3]"}, {"n1"}},
        {"node*", {"node", "node1.example.org"}, {"nod", "anode"}},
        {"", {""}, {"a"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (size_t j = 0; j < 4 && cases[i].in[j]; j++)
            names(true, cases[i].text, cases[i].in[j]);
        for (size_t j = 0; j < 5 && cases[i].out[j]; j++)
            names(false, cases[i].text, cases[i].out[j]);
    }
}

/* Patterns whose parts can be laid on a name in very many ways. */
static void host_lists_take_no_time(void **state)
{
    (void)state;
    char host[256], text[512], *at = text;
    memset(host, '1', sizeof host - 1);
    host[sizeof host - 1] = '\0';
    for (int i = 0; i < 60; i++)
        at += sprintf(at, "[1-9]1*");
    strcpy(at, "x");
    const clock_t begin = clock();
    names(false, text, host);
    assert_true((double)(clock() - begin) / CLOCKS_PER_SEC <
                5); /* a millisecond; there are some 10^40 ways */
}

static void impossible(const char *text, const char *expected)
{
    char reason[160] = "";
    assert_int_equal(shunt_hostlist_possible(text, reason, sizeof reason), !expected);
    assert_string_equal(reason, expected ? expected : "");
}

static void hosts_that_cannot_be_are_found(void **state)
{
    (void)state;
    impossible("node[001-064,100],login*,a.b-c_d,n[!a-c]?,[]a],x[[:alpha:]]", NULL);
    impossible("login{1,2}",
               "braces are not understood: write \"login[1,2]\", or one string per name");
    impossible("a[1-", "its \"[\" is never closed");
    impossible("a,,b", "a name is empty");
    impossible("", "a name is empty");
    impossible("node 1", "no host name has a \" \"");
    impossible("node\\d+", "no host name has a \"+\"");
    impossible("n\xc3\xb6", "no host name has a byte 0xc3");
    impossible("n[5-3]", "the range 5-3 is empty");
    impossible("n[1-3,064-001]", "the range 064-001 is empty");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(host_lists_name_the_hosts_they_say),
        cmocka_unit_test(host_lists_take_no_time),
        cmocka_unit_test(hosts_that_cannot_be_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
