#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# As many communicators as a program can have natively, under the built-in table.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

mkdir "$work/nothing"
export XDG_CONFIG_HOME="$work/nothing"

# many WHAT ARGUMENT...: the program, with 4 ranks. Only what fails has to show that it would not
# fail natively.
many()
{
    many_what=$1
    shift
    job 120 -n 4 "$@"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$many_what: every call is right"
        return
    fi
    fail "$many_what"
    if ! job_native 120 -n 4 "$@" || ! grep -q '^PASS' "$work/out"; then
        echo "  not even natively"
    fi
}

many "1650 communicators, 4 calls on each" "$programs/many" 1650 4 0 0
many "1650 communicators, 4 calls on each, 12 more on all, set up at call 10" -genv SHUNT_WARMUP 9 \
    "$programs/many" 1650 4 1 12
if [ "$full" = 1 ]; then
    many "1650 communicators, 4 calls on each, 200 more on every 25th" \
        "$programs/many" 1650 4 25 200
    many "1650 communicators, 4 calls on each, 110 more on all" "$programs/many" 1650 4 1 110
fi

# counted WHAT COMMUNICATORS CALLS: how many GROUPS of communicators rank 0 asks for.
counted()
{
    job_run "$(preload "$programs/tally.so${lib:+:$lib}")" 120 -genv TALLY_GROUPS 1 -n 4 \
        "$programs/many" "$2" "$3" 0 0 3000
    sed -n "s/^$1 //p" "$work/out"
}

# A communicator that sees a few calls costs next to nothing.
few=$(counted GROUPS 100 4) more=$(counted GROUPS 200 4) longer=$(counted GROUPS 200 110)
if [ "$few" = "$more" ]; then
    pass "200 communicators with a few calls are asked for their groups no oftener than 100 ($more)"
else
    fail "200 communicators with a few calls are asked for $more groups, 100 for $few"
fi
if [ "$native" = 1 ] || [ "$longer" -ge $((more + 180)) ]; then
    pass "those with more calls are ($longer)"
else
    fail "200 communicators with more calls are asked for $longer groups"
fi
finish
