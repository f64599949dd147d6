#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The unit tests under valgrind: no invalid access, no use of undefined values, nothing lost.
command -v valgrind >/dev/null || {
    echo "SKIP: valgrind is not installed"
    exit 77
}
[ -x tests/unit/test_table ] || {
    echo "SKIP: the unit tests were not built (cmocka is missing)"
    exit 77
}
# Forked children and their signals are the subject of the tests of the log's files; errors of children count as well.
# Simulations of fewer ranks, and every seventh number of them: under valgrind they take fifty times as long, and their code is the same for
# all sizes.
SHUNT_TEST_RANKS=20
SHUNT_TEST_THIN=7
export SHUNT_TEST_RANKS SHUNT_TEST_THIN
status=0
for program in tests/unit/test_*; do
    case $program in
    *.sh | *.log | *.trs | *.o | *.c | *.h) continue ;;
    esac
    [ -x "$program" ] || continue
    if valgrind --quiet --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite --error-exitcode=9 \
        --child-silent-after-fork=yes "$program" >"$program.memcheck.log" 2>&1; then
        echo "PASS: $program"
    else
        echo "FAIL: $program"
        tail -n 60 "$program.memcheck.log"
        status=1
    fi
    rm -f "$program.memcheck.log"
done
exit $status
