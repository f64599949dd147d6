#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Communicators that one rank frees while others of it are in use: in a stretch of native calls, and
# in an error handler; also that one itself.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# freed WHAT ARGUMENT...: of the program, with 4 ranks; and of mpiexec before "--".
freed()
{
    freed_what=$1
    shift
    job 60 -n 4 "$@"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$freed_what"
    else
        fail "$freed_what"
    fi
}

for warmup in 0 2 ''; do
    for count in 2 3 8 40; do
        freed "calls without data while one rank frees $count others, warm-up ${warmup:-as it comes}" \
            ${warmup:+-genv SHUNT_WARMUP $warmup} "$programs/freed" stretch $count
    done
done
for call in 0 5 12 30 60; do
    freed "an error handler that frees another communicator in call $call" \
        "$programs/freed" handler $call
done
for warmup in 100 ''; do
    for call in 5 92; do
        freed "an error handler that frees 200 in call $call, warm-up ${warmup:-as it comes}" \
            ${warmup:+-genv SHUNT_WARMUP $warmup} "$programs/freed" many $call
    done
done
for call in 0 11 12 13 25; do
    freed "a communicator that an error handler frees in call $call, before rank 0 has come to it" \
        "$programs/freed" late $call
done
for warmup in 0 2 ''; do
    for calls in 1 12 30; do
        freed "a delete callback that makes $calls calls, warm-up ${warmup:-as it comes}" \
            ${warmup:+-genv SHUNT_WARMUP $warmup} "$programs/freed" callback $calls
    done
done
for calls in 0 3 200; do
    freed "a handle that is freed again after $calls calls raises one error" "$programs/freed" stale \
        $calls
done
# Four ranks look at something before their 93rd call, which all but one make as the 93rd.
for calls in 0 5 90 91 92; do
    freed "an error handler makes the next call after $calls calls" "$programs/freed" within $calls
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
for calls in 0 5 90 130; do
    set -- "$programs/freed" on $calls
    refused "an error handler frees in vain and goes on after $calls calls" -n 1 "$@" : \
        -n 1 -env SHUNT_LOG summary "$@" : -n 2 "$@"
done
for calls in 0 1 5 60 90 92 130 200; do
    set -- "$programs/freed" refused $calls
    refused "an error handler frees its communicator in vain after $calls calls" -n 4 "$@"
    refused "the same where other ranks keep a log" -n 2 "$@" : -n 2 -env SHUNT_LOG summary "$@"
    refused "the same where that rank keeps one" -n 1 "$@" : -n 1 -env SHUNT_LOG summary "$@" : \
        -n 2 "$@"
done
finish
