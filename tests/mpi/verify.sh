#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# SHUNT_VERIFY notices a result that is not the library's, names rank, call, algorithm and block,
# and the program goes on.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
[ "$native" = 0 ] || skip "there is nothing to verify without the library"

for algorithm in spread-out parlogna:radix=2 parlinna-coalesced:radix=2:batch_size=1 \
    shared-segment peer-read; do
    job 60 -genv SHUNT_FORCE "alltoallv=$algorithm" -genv SHUNT_VERIFY 1 -n 4 "$programs/overlap"
    if [ "$job_status" -eq 0 ] && grep -q "SHUNT_VERIFY: rank 0, call 1, alltoallv by ${algorithm%%:*}: byte 0 of the block from rank" "$work/out"; then
        pass "a wrong block is noticed, $algorithm"
    else
        fail "a wrong block goes unnoticed, $algorithm"
    fi
    if [ "$(grep -c '^rank [0-3] holds the block of rank 3$' "$work/out")" -eq 4 ]; then
        pass "the library's result is kept, $algorithm"
    else
        fail "the library's result is not kept, $algorithm"
    fi
    job 60 -genv SHUNT_FORCE "alltoallv=$algorithm" -genv SHUNT_VERIFY 1 -n 4 "$programs/steady"
    if [ "$job_status" -eq 0 ] && ! grep -q SHUNT_VERIFY "$work/out"; then
        pass "right results are not complained about, $algorithm"
    else
        fail "right results are complained about, $algorithm"
    fi
done
finish
