#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Every fault of tests/faults/list can be put into the sources as they are, and the tests that are
# expected to notice it are there. Whether they do, scripts/faults finds out in half an hour or so.
# shellcheck source-path=SCRIPTDIR source=../common.sh
# shellcheck disable=SC2317 # check calls functions
. "$(dirname "$0")/../common.sh"

need_command bash
faults=$top/scripts/faults

if "$faults" --check >"$work/out" 2>&1; then
    pass "every fault can be put in: $("$faults" --list | grep -c .)"
else
    fail "a fault cannot be put in, or its test is gone" "$work/out"
fi

# A fault whose text is gone, or there twice, is told with its file.
mkdir -p "$work/tree/scripts" "$work/tree/tests/faults" "$work/tree/src"
cp "$faults" "$work/tree/scripts/faults"
echo 'return a < b;' >"$work/tree/src/a.c"
: >"$work/tree/tests/t.sh"
refused()
{
    printf 'fault too much\nfile src/a.c\n-%s\n+x\ntest %s\n' "$1" "$2" \
        >"$work/tree/tests/faults/list"
    refused_status=0
    "$work/tree/scripts/faults" --check >"$work/out" 2>&1 || refused_status=$?
    [ "$refused_status" -eq 2 ] && grep -q "fault 1 (too much)" "$work/out" &&
        grep -q "$3" "$work/out"
}
check "text that is not there is an error" refused 'a <= b' tests/t.sh 'src/a.c does not have'
check "text that is there twice is an error" refused 'r' tests/t.sh 'src/a.c has its old text twice'
check "a test that is not there is an error" refused 'a < b' tests/u.sh 'there is no tests/u.sh'
check "a fault without a test is an error" refused 'a < b' '' 'lacks file, old text or test'
printf 'fault good\nfile src/a.c\n-a < b\n+a > b\ntest tests/t.sh\n' >"$work/tree/tests/faults/list"
check "and one that can be put in is none" "$work/tree/scripts/faults" --check
finish
