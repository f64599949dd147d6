#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The unit tests under valgrind: no invalid access, no use of undefined values, nothing lost.
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"

[ "$SHUNT_TEST_FULL" = 1 ] ||
    skip "valgrind takes minutes: SHUNT_TEST_FULL=1 make check TESTS=tests/unit/memcheck.sh"
need_command valgrind
[ -x tests/unit/test_table ] || skip "the unit tests were not built (cmocka is missing)"
# Forked children and their signals are the subject of the tests of the log's files; errors of
# children count as well. Simulations of fewer ranks, and every seventh number of them: under
# valgrind they take fifty times as long, and their code is the same for all sizes.
SHUNT_TEST_RANKS=20
SHUNT_TEST_THIN=7
export SHUNT_TEST_RANKS SHUNT_TEST_THIN
for program in tests/unit/test_*; do
    case $program in
    *.sh | *.log | *.trs | *.o | *.c | *.h) continue ;;
    esac
    [ -x "$program" ] || continue
    case $program in
    */test_arithmetic)
        echo "left out: $program: valgrind has neither traps nor flags of floating point"
        continue
        ;;
    esac
    if valgrind --quiet --leak-check=full --show-leak-kinds=definite \
        --errors-for-leak-kinds=definite --error-exitcode=9 --child-silent-after-fork=yes \
        "$program" >"$program.memcheck.log" 2>&1; then
        pass "valgrind finds nothing in $program"
    else
        failed "valgrind finds something in $program"
        tail -n 60 "$program.memcheck.log"
    fi
    rm -f "$program.memcheck.log"
done
finish
