#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job in which one rank runs without the library goes on: the others wait for it when they first
# have something to say to each other, rank 0 or 1 says so with all that is needed to find out why
# (communicator, its size, number of the call, host, process, the question about LD_PRELOAD), and
# after a while they go on without Shunt.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

[ "$native" != 1 ] || skip "there is nothing to test without the library"

# run_case "first rank"|"last rank": which rank has no library.
run_case()
{
    with=$(preload "$lib")
    without=$(preload)
    if [ "$1" = "first rank" ]; then
        set -- "$1" "$without" "$with" 1 3
    else
        set -- "$1" "$with" "$without" 3 1
    fi
    ends 0 "$MPIEXEC" -genv SHUNT_WATCHDOG 0.1 \
        -genv SHUNT_FORCE alltoall=parlogna:radix=2,alltoallv=parlogna:radix=2 \
        -n "$4" -env LD_PRELOAD "$2" "$programs/steady" : -n "$5" -env LD_PRELOAD "$3" \
        "$programs/steady"
    if [ "$job_status" -eq 0 ]; then
        pass "the $1 runs without the library, and the job goes on"
    else
        fail "the $1 runs without the library, and the job does not go on"
    fi
    line=$(grep -m 1 'has been waiting' "$work/out")
    if [ "$(grep -c 'rank [01] .* has been waiting' "$work/out")" -le 2 ] &&
        ! grep -q 'rank [23] .* has been waiting' "$work/out"; then
        pass "one rank says so, and rank 1 for the case that rank 0 is the one that is missing"
    else
        fail "the $1 runs without the library: too many ranks say so"
    fi
    case $line in
    "shunt: rank "*" (process "*" on $(uname -n)) "*"call 1 "*MPI_COMM_WORLD*" 4 ranks"*LD_PRELOAD*) pass \
        "that the $1 runs without the library is told: $line" ;;
    *) fail "$1 runs without the library: the message must name communicator, size and call, and ask about LD_PRELOAD" ;;
    esac
}

run_case "first rank"
run_case "last rank"
finish
