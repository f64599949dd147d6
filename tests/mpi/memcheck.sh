#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory errors and definite leaks, by valgrind: mpich.supp silences what MPICH and UCX do
# themselves.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

VALGRIND=${VALGRIND:-valgrind}
"$VALGRIND" --version >/dev/null 2>&1 || skip "valgrind is not installed"
suppressions=$(dirname "$0")/mpich.supp

# run_case "TEXT" ALLTOALL ALLTOALLV ARGUMENT...: the algorithms with their parameters, as in
# SHUNT_FORCE.
run_case()
{
    case_text=$1
    case_force=$2
    case_other=$3
    shift 3
    rm -f "$work/log.jsonl" "$work"/valgrind.*
    # The helper is not preloaded: so many instructions are slow enough for two ranks.
    yield_kept=$yield
    yield=
    job 280 -genv SHUNT_FORCE "alltoall=$case_force,alltoallv=$case_other" -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/log.jsonl" -n 2 "$VALGRIND" --quiet --error-exitcode=9 \
        --leak-check=full \
        --errors-for-leak-kinds=definite --show-leak-kinds=definite --suppressions="$suppressions" \
        --log-file="$work/valgrind.%p" "$@"
    yield=$yield_kept
    cat "$work"/valgrind.* >>"$work/out"
    if [ $job_status -ne 0 ] || ! grep -q '^PASS: ' "$work/out"; then
        fail "$case_text, $case_force and $case_other"
    elif [ "$native" != 1 ] && [ "$(records . "${case_force%%:*}" "$work/log.jsonl")" -lt 20 ]; then
        fail "$case_text, $case_force: not routed"
    else
        pass "$case_text: valgrind finds nothing, $case_force and $case_other"
    fi
}

run_case "a program with several communicators" parlogna:radix=2 parlogna:radix=2 "$programs/steady"
# One case tells of leaks, which nothing else sees in jobs; the others take a minute.
[ "$SHUNT_TEST_FULL" = 1 ] || finish
run_case "a program with several communicators" spread-out spread-out "$programs/steady"
run_case "datatypes of every kind" parlinna-coalesced:radix=2:batch_size=1 \
    parlinna-coalesced:radix=2:batch_size=1 \
    "$programs/matrix" --thin 12
run_case "datatypes of every kind" bruck-zero-copy padded-alltoall "$programs/matrix" --thin 12
finish
