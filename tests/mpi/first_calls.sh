#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Threads whose first calls coincide, threads that use a communicator's error handler while it is set up, and first calls of one rank that the
# library rejects.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

slow=$programs/slow.so
for force in alltoall=bruck,alltoallv=parlogna alltoall=shared-segment,alltoallv=shared-segment ""; do
    # shellcheck disable=SC2086 # words are wanted
    set -- ${force:+-genv SHUNT_FORCE $force}
    for between in "" "$slow"; do
        bad=0
        for i in 1 2 3 4 5; do
            [ "$bad" -eq 0 ] || break
            job_run "${lib:+$lib:}${between:+$between:}$yield" 60 "$@" -n 3 "$programs/coincide"
            [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out" || bad=$i
        done
        if [ "$bad" -eq 0 ]; then
            pass "first calls of two threads at once${between:+, slowly}, ${force:-built-in table}"
        else
            fail "first calls of two threads at once${between:+, slowly}, ${force:-built-in table}"
        fi
    done
    job 90 "$@" -n 3 "$programs/handlers"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "error handlers during the set-up, ${force:-built-in table}"
    else
        fail "error handlers during the set-up, ${force:-built-in table}"
    fi
done

# Calls before set-up, with the first announcement, and those that come with set-up.
for when in 0 2 14 15 16 17; do
    for where in "" world; do
        job 30 -n 3 "$programs/astray" $when $where
        if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
            pass "a rejected call of one rank before call $when${where:+ on MPI_COMM_WORLD}"
        else
            fail "a rejected call of one rank before call $when${where:+ on MPI_COMM_WORLD}"
        fi
    done
done
finish
