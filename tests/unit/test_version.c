/* SPDX-License-Identifier: BSD-3-Clause */
/* test_version.c: what MPI libraries say of themselves, made short. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "pmpi/version.h"

static void known_libraries_are_named_with_their_version(void **unused)
{
    (void)unused;
    static const char *const cases[][2] = {
        {"MPICH Version:\t4.0.2\nMPICH Release date:\tThu Apr  7 12:34:45 CDT 2022\n",
         "MPICH 4.0.2"},
        {"MVAPICH2 Version      :\t2.3.7\nMVAPICH2 Release date : Wed March 02", "MVAPICH2 2.3.7"},
        {"MPI VERSION    : CRAY MPICH version 8.1.27.26 (ANL base 3.4a2)\nMPI BUILD INFO : x",
         "CRAY MPICH version 8.1.27.26 (ANL base 3.4a2)"},
        {"Intel(R) MPI Library 2021.9 for Linux* OS\n",
         "Intel(R) MPI Library 2021.9 for Linux* OS"},
        {"Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4, repo rev: v4.1.4, May 26, 2022",
         "Open MPI 4.1.4"},
        {"Version: 7", "7"},
        {"", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[SHUNT_PMPI_VERSION_MAX];
        shunt_pmpi_version_print(cases[i][0], text, sizeof text);
        assert_string_equal(text, cases[i][1]);
    }
}

static void a_long_text_is_cut(void **unused)
{
    char told[4096], text[SHUNT_PMPI_VERSION_MAX];
    (void)unused;
    memset(told, 'x', sizeof told - 1);
    told[sizeof told - 1] = '\0';
    shunt_pmpi_version_print(told, text, sizeof text);
    assert_int_equal(strlen(text), sizeof text - 1);
    shunt_pmpi_version_print("MPICH Version: 4.0.2", text, 6);
    assert_string_equal(text, "MPICH");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_libraries_are_named_with_their_version),
        cmocka_unit_test(a_long_text_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
