#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory errors and definite leaks, by valgrind: mpich.supp silences what MPICH and UCX do themselves.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

VALGRIND=${VALGRIND:-valgrind}
"$VALGRIND" --version >/dev/null 2>&1 || {
    echo "valgrind is not installed"
    exit 77
}
suppressions=$(dirname "$0")/mpich.supp

# story "TEXT" ALLTOALL ALLTOALLV ARGUMENT...: the algorithms with their parameters, as in SHUNT_FORCE.
story()
{
    story_text=$1
    story_force=$2
    story_other=$3
    shift 3
    rm -f "$work/log.jsonl" "$work"/valgrind.*
    # The helper is not preloaded: so many instructions are slow enough for two ranks.
    yield_kept=$yield
    yield=
    job 280 -genv SHUNT_FORCE "alltoall=$story_force,alltoallv=$story_other" -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/log.jsonl" -n 2 "$VALGRIND" --quiet --error-exitcode=9 --leak-check=full \
        --errors-for-leak-kinds=definite --show-leak-kinds=definite --suppressions="$suppressions" --log-file="$work/valgrind.%p" "$@"
    yield=$yield_kept
    cat "$work"/valgrind.* >>"$work/out"
    if [ $job_status -ne 0 ] || ! grep -q '^PASS: ' "$work/out"; then
        fail "$story_text, $story_force and $story_other"
    elif [ "$native" != 1 ] && [ "$(records . "${story_force%%:*}" "$work/log.jsonl")" -lt 20 ]; then
        fail "$story_text, $story_force: not routed"
    else
        pass "$story_text, $story_force and $story_other"
    fi
}

story "a program with several communicators" parlogna:radix=2 parlogna:radix=2 "$programs/steady"
story "a program with several communicators" spread-out spread-out "$programs/steady"
story "datatypes of every kind" parlinna-coalesced:radix=2:batch_size=1 parlinna-coalesced:radix=2:batch_size=1 \
    "$programs/matrix" --thin 12
story "datatypes of every kind" bruck-zero-copy padded-alltoall "$programs/matrix" --thin 12
finish
