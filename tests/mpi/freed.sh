#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Communicators that one rank frees while others of it are in use: in a stretch of native calls, and
# in an error handler; also that one itself.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# freed WHAT WARM-UP ARGUMENT...: of the program, with 4 ranks; WARM-UP: as it comes without.
freed()
{
    freed_what=$1
    freed_warmup=$2
    shift 2
    job 60 -n 4 ${freed_warmup:+-genv SHUNT_WARMUP "$freed_warmup"} "$programs/freed" "$@"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$freed_what"
    else
        fail "$freed_what"
    fi
}

# With SHUNT_TEST_FULL=1 all combinations. Rank 0 speaks before the 24th call of most communicators
# of four ranks, and before the first one of MPI_COMM_WORLD.
if [ "$full" = 1 ]; then
    stretch='0:2 0:3 0:8 0:40 2:2 2:3 2:8 2:40 :2 :3 :8 :40'
    handler='0 5 12 22 23 24 30 60' many='100:5 100:92 :5 :92'
    late='0 11 12 13 22 23 24 25' callback='0:1 0:12 0:30 2:1 2:12 2:30 :1 :12 :30'
    stale='0 3 200' within='0 5 22 23 24 90 91 92' on='0 5 22 23 90 130'
    quiet='0 1 5 22 23 60 90 92 130 200' others=$quiet itself=$quiet
else
    stretch='0:2 0:40 2:3 2:8 :2 :40'
    handler='0 12 23 60' many='100:92 :5'
    late='0 12 22 23' callback='0:1 0:30 2:12 :1 :30'
    stale='0 200' within='0 22 23 24' on='0 23 130'
    quiet='0 22 60' others='1 23 130' itself='5 23 200'
fi
for case in $stretch; do
    freed "calls without data while one rank frees ${case#*:} others, warm-up ${case%:*}" \
        "${case%:*}" stretch "${case#*:}"
done
for call in $handler; do
    freed "an error handler that frees another communicator in call $call" '' handler "$call"
done
for case in $many; do
    freed "an error handler that frees 200 in call ${case#*:}, warm-up ${case%:*}" \
        "${case%:*}" many "${case#*:}"
done
for call in $late; do
    freed "a communicator that an error handler frees in call $call, before rank 0 has come to it" \
        '' late "$call"
done
for case in $callback; do
    freed "a delete callback that makes ${case#*:} calls, warm-up ${case%:*}" \
        "${case%:*}" callback "${case#*:}"
done
for calls in $stale; do
    freed "a handle that is freed again after $calls calls raises one error" '' stale "$calls"
done
for calls in $within; do
    freed "an error handler makes the next call after $calls calls" '' within "$calls"
done

# refused WHAT ARGUMENT...: one rank may keep a log.
refused()
{
    refused_what=$1
    shift
    job_run "$(preload "${lib:+$lib:}$programs/stubborn.so")" 60 "$@"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$refused_what"
    else
        fail "$refused_what"
    fi
}
for calls in $on; do
    set -- "$programs/freed" on "$calls"
    refused "an error handler frees in vain and goes on after $calls calls" -n 1 "$@" : \
        -n 1 -env SHUNT_LOG summary "$@" : -n 2 "$@"
done
for calls in $quiet; do
    refused "an error handler frees its communicator in vain after $calls calls" \
        -n 4 "$programs/freed" refused "$calls"
done
for calls in $others; do
    set -- "$programs/freed" refused "$calls"
    refused "the same after $calls calls where other ranks keep a log" \
        -n 2 "$@" : -n 2 -env SHUNT_LOG summary "$@"
done
for calls in $itself; do
    set -- "$programs/freed" refused "$calls"
    refused "the same after $calls calls where that rank keeps one" \
        -n 1 "$@" : -n 1 -env SHUNT_LOG summary "$@" : -n 2 "$@"
done
finish
