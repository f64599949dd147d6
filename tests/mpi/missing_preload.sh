#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A job in which one rank runs without the library cannot end: the others wait for it. They must say
# so, with all that is needed to find out why: communicator, its size, number of the call, and the
# question about LD_PRELOAD.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

[ "$native" != 1 ] || skip "there is nothing to test without the library"

# run_case "first rank"|"last rank": which rank has no library. Starts the job, waits for the
# message, stops the job.
run_case()
{
    : >"$work/out"
    job_line="$MPIEXEC ... ($1 without LD_PRELOAD)"
    job_status=-
    with=$(preload "$lib")
    without=$(preload)
    if [ "$1" = "first rank" ]; then
        set -- "$1" "$without" "$with" 1 3
    else
        set -- "$1" "$with" "$without" 3 1
    fi
    timeout -k 5 40 "$MPIEXEC" -genv SHUNT_WATCHDOG 0.5 \
        -genv SHUNT_FORCE alltoall=parlogna:radix=2,alltoallv=parlogna:radix=2 \
        -n "$4" -env LD_PRELOAD "$2" "$programs/steady" : -n "$5" -env LD_PRELOAD "$3" \
        "$programs/steady" >"$work/out" 2>&1 </dev/null &
    job=$!
    waited=0
    while [ $waited -lt 600 ] && kill -0 $job 2>/dev/null && ! grep -q LD_PRELOAD "$work/out"; do
        sleep 0.05
        waited=$((waited + 1))
    done
    kill $job 2>/dev/null
    wait $job
    job_status=$?
    line=$(grep LD_PRELOAD "$work/out" | head -n 1)
    case $line in
    "shunt: "*"waiting for "*"call 1 "*MPI_COMM_WORLD*" 4 ranks"*LD_PRELOAD*) pass \
        "that the $1 runs without the library is told: $line" ;;
    *) fail "$1 runs without the library: the message must name communicator, size and call, and ask about LD_PRELOAD" ;;
    esac
}

run_case "first rank"
run_case "last rank"
finish
