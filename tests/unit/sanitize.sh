#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The unit tests of the tables and of the schedules once more, under the address and
# undefined-behaviour sanitizers. Exit status: 0 good, 1 a test failed, 77 not possible here.
set -u
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
compiler=${SANITIZE_CC:-${CC:-gcc}}

flags="-std=gnu11 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"
flags="$flags ${LIBCONFIG_CPPFLAGS:-}"
echo 'int main(void) { return 0; }' >"$work/probe.c"
# shellcheck disable=SC2086 # lists of words, here and below
if ! $compiler $flags -o "$work/probe" "$work/probe.c" -lcmocka 2>/dev/null || ! "$work/probe"; then
    skip "$compiler has no sanitizers, or cmocka is missing"
fi
[ -f src/route/builtin.c ] || skip "src/route/builtin.c is not built: run this through make check"

set -- src/route/builtin.c
for file in "$top"/src/base/*.c "$top"/src/route/*.c "$top"/src/algorithms/*.c "$top"/src/events/*.c \
    "$top"/src/schedule/*.c "$top"/src/model/*.c; do
    case $file in */module.c | */builtin.c) ;; *) set -- "$@" "$file" ;; esac
done
mkdir "$work/objects"
# The descriptions of machines that are installed are those of the sources.
for place in SYSCONFDIR BINDIR LIBDIR LIBEXECDIR; do
    echo "#define SHUNT_$place \"/nowhere\""
done >"$work/places.h"
echo "#define SHUNT_PKGDATADIR \"$top/conf\"" >>"$work/places.h"
for file in "$@"; do
    # shellcheck disable=SC2086
    $compiler $flags -D_GNU_SOURCE -include "$work/places.h" -I"$top/src" -c -o \
        "$work/objects/$(basename "$(dirname "$file")")-$(basename "$file").o" "$file" || exit 1
done
# What the tests share.
for file in decision_files rules maps descriptions radices simulate; do
    # shellcheck disable=SC2086
    $compiler $flags -D_GNU_SOURCE -I"$top/src" -c -o "$work/objects/$file.o" \
        "$top/tests/unit/$file.c" || exit 1
done
# sanitized TEST: builds and runs it.
sanitized()
{
    # shellcheck disable=SC2086
    $compiler $flags -D_GNU_SOURCE -I"$top/src" -o "$work/test_$1" "$top/tests/unit/test_$1.c" \
        "$work"/objects/*.o ${LIBCONFIG_LIBS:--lconfig} -lcmocka -lm &&
        "$work/test_$1"
}
# Fewer of everything: instrumented code is slow, and with the sanitizer's memory a list that grows
# is copied each time, so that times say less of many rules.
SHUNT_TEST_THIN=7
export SHUNT_TEST_THIN
for test in table force settings map map_model map_time findings coverage write parse files search \
    hostlist machine machine_names layout schedule shapes radix; do
    sanitized "$test" || exit 1
done

# Barriers in shared memory, by threads. A futex is a system call that the thread sanitizer does not
# follow; atomics alone must order everything.
thread="-std=gnu11 -g -O1 -fsanitize=thread"
# shellcheck disable=SC2086
if $compiler $thread -o "$work/probe" "$work/probe.c" 2>/dev/null && "$work/probe"; then
    $compiler $thread -D_GNU_SOURCE -I"$top/src" -o "$work/test_barrier" \
        "$top/tests/unit/test_barrier.c" "$top/src/shm/barrier.c" \
        "$top/src/shm/signal.c" \
        -lcmocka -lpthread || exit 1
    TSAN_OPTIONS=halt_on_error=1 "$work/test_barrier" || exit 1
else
    echo "$compiler has no thread sanitizer here: test_barrier is run without it"
fi
