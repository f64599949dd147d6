/* SPDX-License-Identifier: BSD-3-Clause */
/* test_segment.c: memory shared by processes: offered, made, opened by another process, given out
 * in pieces and found by key. */
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <setjmp.h>

#include <cmocka.h>

#include "shm/segment_header.h"

/* Of the system that these tests pretend to have; 0: as it is. */
static long page;

long __real_sysconf(int name);
long __wrap_sysconf(int name);
long __wrap_sysconf(int name)
{
    return page > 0 && name == _SC_PAGESIZE ? page : __real_sysconf(name);
}

void *__real_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t from);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t from);
void *__wrap_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t from)
{
    return page > 0 && from % page != 0 ? MAP_FAILED
                                        : __real_mmap(at, bytes, protection, flags, fd, from);
}

static struct shunt_segment made(struct shunt_segment_offer *offer)
{
    struct shunt_segment segment;
    *offer = shunt_segment_offer();
    assert_true(offer->bytes > 0);
    assert_true(shunt_segment_create(&segment, offer));
    return segment;
}

static void pieces_do_not_overlap(void **state)
{
    enum { COUNT = 64 };
    struct shunt_segment_offer offer;
    struct shunt_segment segment = made(&offer);
    shunt_piece pieces[COUNT];
    (void)state;
    for (int i = 0; i < COUNT; i++) {
        const size_t bytes = (size_t)(i + 1) * 1000;
        pieces[i] = shunt_segment_take(&segment, bytes);
        assert_true(pieces[i] != 0 && pieces[i] % 4096 == 0);
        memset(segment.at + pieces[i], i, bytes);
    }
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < (i + 1) * 1000; k++)
            assert_int_equal(segment.at[pieces[i] + (shunt_piece)k], i);
    shunt_segment_close(&segment);
}

static void what_is_given_back_is_given_out_again(void **state)
{
    struct shunt_segment_offer offer;
    struct shunt_segment segment = made(&offer);
    (void)state;
    const size_t sizes[] = {100, 5000, 1 << 20};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
        const shunt_piece first = shunt_segment_take(&segment, sizes[s]);
        for (int i = 0; i < 5000; i++) {
            shunt_segment_give(&segment, first, sizes[s]);
            assert_true(shunt_segment_take(&segment, sizes[s]) == first);
            segment.at[first + sizes[s] - 1] =
                1; /* backed, whatever became of its memory meanwhile */
        }
    }
    shunt_segment_close(&segment);
}

/* A large piece, mapped for as long as it takes to write to all of it. */
static shunt_piece filled(struct shunt_segment *segment, size_t bytes, int value)
{
    const shunt_piece piece = shunt_segment_take_far(segment, bytes);
    char *at = shunt_segment_map(segment, piece, bytes);
    assert_true(piece != 0 && at);
    memset(at, value, bytes);
    shunt_segment_unmap(at, bytes);
    return piece;
}

/* Of large pieces as much memory stays as is told, and no more. */
static void what_is_given_back_keeps_some_memory(void **state)
{
    enum { PIECES = 40, BYTES = 1 << 20, BLOCK = 512 };
    struct shunt_segment_offer offer;
    struct shunt_segment segment = made(&offer);
    struct stat used, left;
    shunt_piece pieces[PIECES];
    (void)state;
    for (int i = 0; i < PIECES; i++)
        pieces[i] = filled(&segment, BYTES, i);
    assert_int_equal(fstat(segment.fd, &used), 0);
    assert_true(used.st_blocks * BLOCK >= (off_t)PIECES * BYTES);
    for (int i = 0; i < PIECES; i++)
        shunt_segment_give(&segment, pieces[i], BYTES);
    assert_int_equal(fstat(segment.fd, &left), 0);
    assert_int_equal((used.st_blocks - left.st_blocks) * BLOCK,
                     (off_t)PIECES * BYTES - SHUNT_SEGMENT_KEPT);
    for (int i = 0; i < PIECES; i++) /* again, and all of it can be used */
        pieces[i] = filled(&segment, BYTES, i);
    assert_int_equal(fstat(segment.fd, &left), 0);
    assert_true(left.st_blocks == used.st_blocks);
    shunt_segment_close(&segment);
}

static void another_process_finds_it(void **state)
{
    struct shunt_segment_offer offer;
    struct shunt_segment segment = made(&offer);
    (void)state;
    const shunt_piece piece = shunt_segment_take(&segment, 4096);
    strcpy(segment.at + piece + SHUNT_PIECE_HEAD, "hello");
    shunt_segment_show(&segment, piece, 42, 1);
    const pid_t child = fork();
    if (child == 0) {
        struct shunt_segment joined;
        if (!shunt_segment_join(&joined, &offer) || shunt_segment_found(&joined, 41) != 0)
            _exit(1);
        const shunt_piece found = shunt_segment_found(&joined, 42);
        if (found == 0 || strcmp(joined.at + found + SHUNT_PIECE_HEAD, "hello") != 0 ||
            shunt_segment_found(&joined, 42) != 0)
            _exit(2);
        strcpy(joined.at + found + SHUNT_PIECE_HEAD, "seen");
        shunt_segment_give(&joined, found, 4096);
        shunt_segment_close(&joined);
        _exit(0);
    }
    int status = -1;
    assert_true(waitpid(child, &status, 0) == child && WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_string_equal(segment.at + piece + SHUNT_PIECE_HEAD, "seen");
    assert_true(shunt_segment_take(&segment, 4096) == piece);
    shunt_segment_close(&segment);
}

/* Bytes of address space that this process has, and whether core files contain what is mapped at
 * an address. */
static size_t address_space(void)
{
    FILE *file = fopen("/proc/self/statm", "re");
    size_t pages = 0;
    assert_true(file && fscanf(file, "%zu", &pages) == 1);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static bool is_dumped(const char *at)
{
    FILE *file = fopen("/proc/self/smaps", "re");
    char line[512];
    uintptr_t first, last;
    bool here = false, dumped = false, known = false;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &first, &last) == 2)
            here = (uintptr_t)at >= first && (uintptr_t)at < last;
        else if (here && strncmp(line, "VmFlags:", 8) == 0) {
            known = true;
            dumped = !strstr(line, " dd");
        }
    }
    fclose(file);
    assert_true(known);
    return dumped;
}

/* A process maps what it uses, and core files have nothing of it. */
static void little_is_set_aside(void **state)
{
    enum { BYTES = 1 << 20, SMALL = 20 << 20 };
    struct shunt_segment_offer offer;
    const size_t before = address_space();
    struct shunt_segment segment = made(&offer), joined;
    (void)state;
    assert_true(shunt_segment_join(&joined, &offer));
    assert_true(address_space() - before < 2 * (size_t)SMALL);
    const shunt_piece piece = filled(&segment, BYTES, 5);
    char *at = shunt_segment_map(&joined, piece, BYTES);
    assert_non_null(at);
    assert_true(at[0] == 5 && at[BYTES - 1] == 5);
    assert_true(address_space() - before < 2 * (size_t)SMALL + BYTES);
    assert_false(is_dumped(segment.at));
    assert_false(is_dumped(at));
    shunt_segment_unmap(at, BYTES);
    shunt_segment_close(&joined);
    shunt_segment_close(&segment);
    assert_true(address_space() <= before + BYTES);
}

/* Everybody finds the piece of a key, and the last one takes it off the list. */
static void pieces_are_found_by_their_keys(void **state)
{
    struct shunt_segment_offer offer;
    struct shunt_segment segment = made(&offer);
    enum { KEY = 7, FINDERS = 2, PIECES = 3 };
    shunt_piece pieces[PIECES];
    (void)state;
    for (int i = 0; i < PIECES; i++) {
        pieces[i] = shunt_segment_take(&segment, 4096);
        shunt_segment_show(&segment, pieces[i], (uint64_t)KEY + (uint64_t)i, FINDERS);
    }
    shunt_segment_hide(&segment, pieces[2]);
    for (int i = 0; i < PIECES; i++)
        for (int finder = 0; finder <= FINDERS; finder++)
            assert_true(shunt_segment_found(&segment, (uint64_t)KEY + (uint64_t)i) ==
                        (i == 2 || finder == FINDERS ? 0 : pieces[i]));
    shunt_segment_close(&segment);
}

/* Another object under the same number is not taken for it. */
static void a_stranger_is_noticed(void **state)
{
    struct shunt_segment_offer offer, wrong;
    struct shunt_segment segment = made(&offer), joined;
    (void)state;
    wrong = offer;
    wrong.nonce++;
    assert_false(shunt_segment_join(&joined, &wrong));
    wrong = offer;
    wrong.bytes += 4096;
    assert_false(shunt_segment_join(&joined, &wrong));
    wrong = offer;
    wrong.fd = 0;
    assert_false(shunt_segment_join(&joined, &wrong));
    shunt_segment_close(&segment);
}

static void memory_is_found_under_a_name(void **state)
{
    struct shunt_segment_offer offer = shunt_segment_offer();
    struct shunt_segment segment, joined;
    (void)state;
    assert_true(shunt_segment_create_named(&segment, &offer));
    assert_true(shunt_segment_join_named(&joined, &offer));
    shunt_segment_forget_name(&offer);
    const shunt_piece piece = shunt_segment_take(&segment, 100);
    segment.at[piece] = 7;
    assert_int_equal(joined.at[piece], 7);
    shunt_segment_close(&joined);
    assert_false(shunt_segment_join_named(&joined, &offer));
    shunt_segment_close(&segment);
}

/* The application closes all its files, and opens another under our number: that one is neither
 * grown nor closed. */
static void a_descriptor_that_was_taken_away_is_left_alone(void **state)
{
    struct shunt_segment_offer offer;
    struct shunt_segment segment = made(&offer);
    struct stat before, after;
    char name[] = "/tmp/shunt-segment.XXXXXX";
    (void)state;
    const int file = mkstemp(name);
    assert_true(file >= 0 && unlink(name) == 0 && dup2(file, segment.fd) == segment.fd);
    assert_int_equal(fstat(file, &before), 0);
    const shunt_piece piece = shunt_segment_take(&segment, 100000);
    assert_true(shunt_segment_take_far(&segment, 100000) == 0); /* it cannot be mapped */
    if (piece != 0) /* the system can be asked for memory without the descriptor */
        memset(segment.at + piece, 1, 100000);
    shunt_segment_give(&segment, piece, 100000);
    assert_int_equal(fstat(file, &after), 0);
    assert_true(before.st_size == after.st_size && before.st_blocks == after.st_blocks);
    const int number = segment.fd;
    shunt_segment_close(&segment);
    assert_true(fcntl(number, F_GETFD) >= 0);
    close(number);
    close(file);
}

/* Files may not grow: less memory is an answer, none as well, and no signal comes. */
static void where_files_may_not_grow_there_is_less_memory_or_none(void **state)
{
    const pid_t child = fork();
    (void)state;
    if (child == 0) {
        const struct rlimit small = {1 << 20, 1 << 20}, none = {0, 0};
        struct shunt_segment segment;
        setrlimit(RLIMIT_FSIZE, &small);
        struct shunt_segment_offer offer = shunt_segment_offer();
        if (offer.bytes != 1 << 20 || !shunt_segment_create(&segment, &offer))
            _exit(1);
        if (shunt_segment_take_far(&segment, 1 << 18) == 0 ||
            shunt_segment_take_far(&segment, 1 << 20) != 0)
            _exit(2);
        setrlimit(RLIMIT_FSIZE, &none);
        if (shunt_segment_take(&segment, 1 << 16) == 0)
            _exit(3); /* it has its size already */
        offer.bytes = 1 << 20;
        struct shunt_segment second;
        if (shunt_segment_create_named(&second, &offer) || shunt_segment_offer().bytes != 0)
            _exit(4);
        _exit(0);
    }
    int status = -1;
    assert_true(waitpid(child, &status, 0) == child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* A process starts with room for 64 descriptors, and more of them cost it tens of milliseconds. */
static void the_descriptor_has_a_number_that_costs_nothing(void **state)
{
    enum { SMALL = 64, LOW = 32 };
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        const int first = shunt_segment_offer().fd;
        if (first < LOW || first >= SMALL)
            _exit(1);
        for (int fd = LOW; fd < SMALL; fd++)
            if (dup2(STDOUT_FILENO, fd) != fd)
                _exit(2);
        close(LOW + 1);
        if (shunt_segment_offer().fd != LOW + 1)
            _exit(3);
        struct shunt_segment segment, joined; /* in one process: the number is in use */
        close(LOW + 2);
        const struct shunt_segment_offer offer = shunt_segment_offer();
        if (!shunt_segment_create(&segment, &offer) || !shunt_segment_join(&joined, &offer))
            _exit(5);
        if (segment.fd >= SMALL || joined.fd >= SMALL)
            _exit(6);
        _exit(shunt_segment_offer().fd < SMALL ? 4 : 0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* In a process of its own: how large pages are is looked up once. */
static void pages_may_be_large(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        struct shunt_segment_offer offer;
        page = 65536;
        struct shunt_segment segment = made(&offer);
        const shunt_piece near = shunt_segment_take(&segment, 100),
                          far[] = {shunt_segment_take_far(&segment, 5000),
                                   shunt_segment_take_far(&segment, 70000)};
        if (near == 0 || near % 65536 != 0)
            _exit(1);
        for (int i = 0; i < 2; i++)
            if (far[i] == 0 || !shunt_segment_map(&segment, far[i], 5000))
                _exit(2 + i);
        shunt_segment_close(&segment);
        _exit(0);
    }
    int status = -1;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

/* A process that was killed while it held the lock: nobody waits for it. */
static void a_lock_that_nobody_gives_back_is_an_answer(void **state)
{
    struct shunt_segment_offer offer;
    struct shunt_segment segment = made(&offer);
    const shunt_piece piece = shunt_segment_take(&segment, 100);
    (void)state;
    assert_true(shunt_segment_lock(shunt_segment_header(&segment)));
    assert_int_equal(shunt_segment_take(&segment, 100), 0);
    shunt_segment_give(&segment, piece, 100);
    shunt_segment_close(&segment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pages_may_be_large),
        cmocka_unit_test(a_lock_that_nobody_gives_back_is_an_answer),
        cmocka_unit_test(pieces_do_not_overlap),
        cmocka_unit_test(what_is_given_back_is_given_out_again),
        cmocka_unit_test(what_is_given_back_keeps_some_memory),
        cmocka_unit_test(little_is_set_aside),
        cmocka_unit_test(another_process_finds_it),
        cmocka_unit_test(pieces_are_found_by_their_keys),
        cmocka_unit_test(a_stranger_is_noticed),
        cmocka_unit_test(memory_is_found_under_a_name),
        cmocka_unit_test(a_descriptor_that_was_taken_away_is_left_alone),
        cmocka_unit_test(the_descriptor_has_a_number_that_costs_nothing),
        cmocka_unit_test(where_files_may_not_grow_there_is_less_memory_or_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
