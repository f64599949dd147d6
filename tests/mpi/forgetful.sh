#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What a program does to itself after MPI_Init changes no setting: a rank that clears its
# environment decides as the others do, and one without descriptors has the table that needs none.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

passed()
{
    [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"
}

# The built-in table of several nodes needs no memory that ranks share.
hosts="-genv MPIR_CVAR_NUM_CLIQUES 2 -genv UCX_TLS sysv,self"
for setting in "SHUNT_FORCE alltoall=bruck:radix=2,alltoallv=parlogna:radix=2" "SHUNT_WARMUP 3" \
    "SHUNT_FORCE alltoall=peer-read,alltoallv=peer-read"; do
    rm -f "$work"/*.jsonl
    # shellcheck disable=SC2086 # words are wanted
    job 60 -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/%r.jsonl" -genv $setting -n 4 \
        "$programs/forgetful" environment
    if ! passed; then
        fail "rank 0 clears its environment: $setting"
    elif [ "$native" != 1 ] && ! { [ "$(records . . "$work/0.jsonl")" -eq 200 ] &&
        agreed "$work"/[0-3].jsonl; }; then
        fail "rank 0 clears its environment, and its settings are gone: $setting"
    else
        pass "rank 0 clears its environment, and its settings stay: $setting"
    fi
done

# shellcheck disable=SC2086
job 60 $hosts -n 4 "$programs/forgetful" descriptors
if passed && ! grep -q 'shunt' "$work/out"; then
    pass "without descriptors nothing is said that was not asked for"
else
    fail "without descriptors, and without a log"
fi
# shellcheck disable=SC2086
job 60 $hosts -genv SHUNT_LOG start -n 4 "$programs/forgetful" descriptors
if passed && { [ "$native" = 1 ] || grep -q '^shunt [0-9.]*: built-in' "$work/out"; }; then
    pass "without descriptors the built-in table is used"
else
    fail "without descriptors the built-in table is not used"
fi
finish
