/* SPDX-License-Identifier: BSD-3-Clause */
/* test_program.c: executable files, also such as are cut off or wrong. */
#include <elf.h>
#include <link.h>
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

#include "tools/run/program.h"

#define SIZE_MOST (4 << 20)

static char path[] = "/tmp/shunt-test-program.XXXXXX";
static unsigned char own[SIZE_MOST];
static size_t own_size;

static int begin(void **unused)
{
    (void)unused;
    FILE *file = fopen("/proc/self/exe", "rb");
    own_size = file ? fread(own, 1, sizeof own, file) : 0;
    if (file)
        fclose(file);
    const int fd = mkstemp(path);
    if (fd < 0 || fchmod(fd, 0700) != 0)
        return -1;
    return close(fd);
}

static int end(void **unused)
{
    (void)unused;
    return unlink(path);
}

static enum shunt_program look_at(const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    return shunt_program_look(path);
}

static void programs_are_told_apart(void **unused)
{
    (void)unused;
    assert_true(own_size > sizeof(ElfW(Ehdr)) && own_size < sizeof own);
    assert_int_equal(look_at(own, own_size), SHUNT_PROGRAM_DYNAMIC);
    assert_int_equal(look_at("#!/bin/sh\n", 10), SHUNT_PROGRAM_OTHER);
    assert_int_equal(look_at("", 0), SHUNT_PROGRAM_OTHER);
    assert_int_equal(shunt_program_look("/nonexistent/program"), SHUNT_PROGRAM_NONE);
    assert_int_equal(shunt_program_look("/"), SHUNT_PROGRAM_NONE);
    assert_int_not_equal(shunt_program_look("sh"), SHUNT_PROGRAM_NONE);
    assert_int_equal(shunt_program_look(""), SHUNT_PROGRAM_NONE);
}

/* Nothing outside of the file is read, whatever its offsets say (under sanitizers, or by luck). */
static void files_that_are_cut_off_are_read_to_their_end(void **unused)
{
    (void)unused;
    for (size_t size = 1; size < own_size; size += size < 4096 ? 61 : own_size / 64)
        (void)look_at(own, size);
}

static void wrong_offsets_lead_nowhere(void **unused)
{
    static const uint64_t values[] = {1, UINT32_MAX, UINT64_MAX, UINT64_MAX - 7, UINT64_MAX / 2};
    unsigned char *wrong = malloc(own_size);
    assert_non_null(wrong);
    (void)unused;
    for (size_t v = 0; v < sizeof values / sizeof values[0]; v++) {
        /* The header and the parts behind it, word by word. */
        for (size_t at = 16; at + 8 <= 1024; at += 8) {
            memcpy(wrong, own, own_size);
            memcpy(wrong + at, &values[v], sizeof values[v]);
            (void)look_at(wrong, own_size);
        }
        /* The sections. */
        const ElfW(Ehdr) *header = (const void *)own;
        for (size_t at = header->e_shoff; at + 8 <= own_size; at += 8) {
            memcpy(wrong, own, own_size);
            memcpy(wrong + at, &values[v], sizeof values[v]);
            (void)look_at(wrong, own_size);
        }
    }
    free(wrong);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(programs_are_told_apart),
        cmocka_unit_test(files_that_are_cut_off_are_read_to_their_end),
        cmocka_unit_test(wrong_offsets_lead_nowhere),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
