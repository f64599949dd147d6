#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the summary says was saved is what a program saves: it is run natively and with a rule, by a
# clock that goes on by what calls are made to take (clockwork.c). `shunt log` and `shunt report` say
# the same of the log.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2317 # check calls functions
. "$(dirname "$0")/common.sh"

[ "$native" = 1 ] && skip "nothing is said without the library"
doze
clock=$programs/clockwork.so
shunt=$PWD/src/shunt
calls=1000

# by_hand PRELOAD ARGUMENT...: the program's own seconds in all calls, of rank 0.
by_hand()
{
    hand_preload=$1
    shift
    job_run "$(preload "$clock:$hand_preload")" 200 "$@" &&
        seconds=$(awk '$3 == "good" { print $1 / 1e9 }' "$work/out")
    [ -n "$seconds" ]
}

# both_ways SLOW ARGUMENT... -- PROGRAM-ARGUMENT...: natively, then by the table; with a library that
# makes native calls slow, which is below what SHUNT_DISABLE calls.
both_ways()
{
    slow=$1
    shift
    arguments=
    while [ "$1" != -- ]; do
        arguments="$arguments $1"
        shift
    done
    shift
    rm -f "$work"/*.jsonl
    # shellcheck disable=SC2086 # several words
    by_hand "$slow:$lib" $arguments -genv SHUNT_DISABLE 1 -n 4 "$programs/lessons" "$@" || return
    natively=$seconds
    # shellcheck disable=SC2086
    by_hand "$slow:$lib" $arguments -genv SHUNT_GUARD 1 -genv SHUNT_CONFIG "$work/table.cfg" \
        -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/%r.jsonl" -n 4 "$programs/lessons" "$@" ||
        return
    routed=$seconds
}

# said KEY: a number of the estimate of rank 0.
said()
{
    sed -n 's/.*"event": "summary".*"estimate": {[^}]*"'"$1"'": \([-0-9.e]*\).*/\1/p' \
        "$work/0.jsonl"
}

# as_it_was: what is said is within a twentieth of what was.
as_it_was()
{
    awk -v said="$(said saved)" -v was="$(awk "BEGIN { print $natively - $routed }")" 'BEGIN {
        printf "  said %s s, was %s s\n", said, was
        far = said - was
        exit !(said != "" && (far < 0 ? -far : far) <= 0.05 * (was < 0 ? -was : was))
    }'
}

# nothing_claimed: too early calls are no measure, and the line says how to get one.
nothing_claimed()
{
    grep -q '"estimate": {"not_measured": "few", "calls": [1-9]' "$work/0.jsonl" &&
        "$shunt" report "$work/0.jsonl" >"$work/said" &&
        grep -q '^gain  *not measured: .*too early' "$work/said" &&
        grep -q 'to measure it: .*SHUNT_WARMUP=64' "$work/said"
}

# the_same_everywhere: the line of the gain, of the summary for people, `shunt log --summary` and
# `shunt report`.
the_same_everywhere()
{
    "$shunt" report --json "$work/0.jsonl" >"$work/report.json" &&
        awk -v said="$(said saved)" 'match($0, /"saved": [-0-9.e]+/) && !found {
            split(substr($0, RSTART, RLENGTH), part, ": ")
            far = part[2] - said; found = 1
        }
        END { exit !(found && (far < 0 ? -far : far) <= 0.001 * (said < 0 ? -said : said)) }' \
            "$work/report.json" || return
    "$shunt" report "$work/0.jsonl" | sed -n 's/^gain *//p' >"$work/one"
    "$shunt" log --summary "$work/0.jsonl" | sed -n 's/^gain *//p' >"$work/two"
    [ -s "$work/one" ] && cmp -s "$work/one" "$work/two"
}

"$shunt" report - </dev/null 2>&1 | grep -q 'built without json-c' && skip "shunt was built without json-c"
for operation in alltoall alltoallv; do
    printf 'schema = 1;\n%s = ( { id = "all"; algorithm = "pairwise"; } );\n' "$operation" \
        >"$work/table.cfg"
    check "$operation: a program runs natively, and with a rule that wins" \
        both_ways "$programs/sluggish.so" -genv SLUGGISH_MS 1 -- "$operation" 64 $calls
    check "$operation: from its first native calls nothing is claimed" nothing_claimed
    check "$operation: the same, with more native calls before set-up" \
        both_ways "$programs/sluggish.so" -genv SLUGGISH_MS 1 -genv SHUNT_WARMUP 64 -- \
        "$operation" 64 $calls
    check "$operation: what is said to be saved was saved" as_it_was
    check "$operation: report and log say what the summary says" the_same_everywhere
done
finish
