#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Barriers in shared memory once more, by threads under the thread sanitizer. A futex is a system
# call that it does not follow, so atomics alone must order everything.
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"

compiler=${CC:-gcc}
flags="-std=gnu11 -g -O1 -fsanitize=thread"
echo 'int main(void) { return 0; }' >"$work/probe.c"
# shellcheck disable=SC2086 # a list of words, here and below
if ! $compiler $flags -o "$work/probe" "$work/probe.c" -lcmocka 2>/dev/null || ! "$work/probe"; then
    skip "$compiler has no thread sanitizer here, or cmocka is missing"
fi
# shellcheck disable=SC2086
$compiler $flags -D_GNU_SOURCE -I"$top/src" -o "$work/test_barrier" \
    "$top/tests/unit/test_barrier.c" "$top/src/shm/barrier.c" "$top/src/shm/signal.c" \
    -lcmocka -lpthread || exit 1
check "the thread sanitizer finds no race in barriers" \
    env TSAN_OPTIONS=halt_on_error=1 "$work/test_barrier"
finish
