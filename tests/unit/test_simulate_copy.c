/* SPDX-License-Identifier: BSD-3-Clause */
/* The memcpy that scripts/simulate preloads, here in place of the library's: bytes arrive whatever
 * their number and place, and zeros take no memory where there were zeros. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

enum { PAGE = 4096, BEFORE = 16, BEHIND = 16, LARGE = 64 << 20 };

/* Called through a pointer, so that the compiler copies nothing by itself. */
static void *(*volatile copy)(void *restrict, const void *restrict, size_t) = memcpy;

static void bytes_arrive_and_no_others(void **unused)
{
    static unsigned char from[3 * PAGE], to[3 * PAGE];
    (void)unused;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (unsigned char)(i * 7 + i / 251);
    static const size_t lengths[] = {0, 1, 63, 64, 65, PAGE - 1, PAGE, PAGE + 1, 2 * PAGE - 3};
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        for (size_t at = BEFORE; at < BEFORE + 3 * 5; at += 5) {
            const size_t end = at + lengths[l];
            memset(to, 0, sizeof to);
            to[at] = from[3]; /* some are right before */
            assert_ptr_equal(copy(to + at, from + 3, lengths[l]), to + at);
            if (lengths[l] > 0)
                assert_memory_equal(to + at, from + 3, lengths[l]);
            for (size_t i = end > at ? end : at + 1; i < end + BEHIND; i++)
                assert_int_equal(to[i], 0);
            for (size_t i = 0; i < at; i++)
                assert_int_equal(to[i], 0);
        }
    }
}

/* Bytes of memory that this process has. */
static long resident(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%*d %ld", &pages), 1);
    fclose(file);
    return pages * PAGE;
}

static char *fresh(void)
{
    char *at = mmap(NULL, LARGE, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(at, MAP_FAILED);
    return at;
}

/* Whether memory that is read and was never written takes none: most systems have one page of zeros
 * for all of it. */
static bool reading_is_free(void)
{
    volatile const char *at = fresh();
    const long before = resident();
    for (long i = 0; i < LARGE; i += PAGE)
        (void)at[i];
    const long more = resident() - before;
    munmap((void *)(uintptr_t)at, LARGE);
    return more <= LARGE / 64;
}

static void zeros_take_no_memory(void **unused)
{
    (void)unused;
    if (!reading_is_free()) {
        print_message("not tried: on this system memory that is only read takes as much\n");
        skip();
    }
    char *from = fresh(), *to = fresh();
    from[LARGE / 2] = 1;
    const long before = resident();
    copy(to + 5, from, LARGE - 5);
    assert_int_equal(to[LARGE / 2 + 5], 1);
    const long more = resident() - before;
    assert_true(more >= 0 && more <= LARGE / 64);
    munmap(from, LARGE);
    munmap(to, LARGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bytes_arrive_and_no_others),
                                       cmocka_unit_test(zeros_take_no_memory)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
