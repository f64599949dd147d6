#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Ranks that fork: children that execute another program, leave at once or run exit handlers write
# no summary and do not hang.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need "$build/plain" "the program of this test"

job 4 -genv SHUNT_LOG summary "$build/plain" children
if [ "$status" -ne 7 ] || ! grep -q '^ranks 4 wrong 0$' "$work/out"; then
    fail "status $status, expected 7" "$work/out" "$work/err"
elif [ "$(said 'summary')" -ne 1 ]; then
    fail "$(said 'summary') summaries, expected 1" "$work/err"
elif [ "$(said 'summary of rank 0 of 4: routed .* of 20 calls ')" -ne 1 ]; then
    fail "the summary does not have the 20 calls of rank 0" "$work/err"
else
    pass "forked children add no summary on stderr"
fi

# A file per process: as many as ranks, each with one summary.
job 4 -genv SHUNT_LOG summary -genv SHUNT_LOG_FILE "$work/log.%r.%p" "$build/plain" children
set -- "$work"/log.*
if [ $# -eq 4 ] && [ "$(cat "$@" | grep -c 'summary of rank')" -eq 4 ]; then
    pass "forked children make no file"
else
    fail "$# files, expected 4 with one summary each" "$@" "$work/err"
fi
finish
