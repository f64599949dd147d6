#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The guard: a rule that loses is left, by all ranks alike and for the price of a few calls; one that
# wins goes on. By a clock that goes on by what calls are made to take (clockwork.c), and by counts.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2317 # check calls functions
. "$(dirname "$0")/common.sh"

[ "$native" = 1 ] && skip "nothing is guarded without the library"
doze

calls=2000

# table RULES-OF-ALLTOALL RULES-OF-ALLTOALLV [POLICY]
table()
{
    printf 'schema = 1;\npolicy = { warmup = 0; %s };\nalltoall = ( %s );\nalltoallv = ( %s );\n' \
        "${3:-}" "$1" "$2" >"$work/table.cfg"
}

# guarded RANKS PRELOAD ARGUMENT... -- PROGRAM-ARGUMENT...: a job under the table; whether every byte
# was right. The ARGUMENTs are mpiexec's.
guarded()
{
    guarded_ranks=$1
    guarded_preload=$2
    shift 2
    guarded_arguments=
    while [ "$1" != -- ]; do
        guarded_arguments="$guarded_arguments $1"
        shift
    done
    shift
    rm -f "$work"/*.jsonl
    # shellcheck disable=SC2086 # several words
    job_run "$(preload "$programs/clockwork.so:$guarded_preload:$lib")" 200 -genv SHUNT_GUARD 1 \
        -genv SHUNT_CONFIG "$work/table.cfg" -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/%r.jsonl" $guarded_arguments -n "$guarded_ranks" \
        "$programs/lessons" "$@"
    [ "$job_status" -eq 0 ] && grep -q ' good$' "$work/out"
}

# decisions RANK: "CALL ALGORITHM" of each call of $operation.
operation=alltoall
decisions()
{
    grep -F "\"operation\": \"$operation\"," "$work/$1.jsonl" |
        LC_ALL=C sed -n 's/.*"call": \([0-9]*\),.*"algorithm": "\([a-z-]*\)".*/\1 \2/p'
}

# made ALGORITHM: how many calls went by it.
made()
{
    decisions 0 | grep -c " $1\$"
}

# alike RANKS: all ranks did the same in all calls, of which there are some.
alike()
{
    decisions 0 >"$work/first"
    [ -s "$work/first" ] || return 1
    for rank in $(seq 1 $(($1 - 1))); do
        decisions "$rank" | cmp -s - "$work/first" || return 1
    done
}

# between LEAST NUMBER MOST
between() { [ "$1" -le "$2" ] && [ "$2" -le "$3" ]; }

heavy=$programs/heavy.so
sluggish=$programs/sluggish.so

# What loses: each message takes 200 us more. On one node, and on nodes of several sizes.
table '{ id = "all"; algorithm = "linear"; }' '{ id = "all"; algorithm = "parlogna"; }'
check "a rule that loses: every byte is right" \
    guarded 4 "$heavy" -genv HEAVY_US 200 -- both 64 $calls
for operation in alltoall alltoallv; do
    rule=linear
    [ "$operation" = alltoall ] || rule=parlogna
    check "$operation, a rule that loses: a few calls find out ($(made $rule))" \
        between 3 "$(made $rule)" 24
    check "$operation, a rule that loses: ranks decide alike" alike 4
    check "$operation, a rule that loses: the record says why" grep -q \
        '"operation": "'"$operation"'",.*"reason": "native was faster than what the table chose"' \
        "$work/0.jsonl"
    check "$operation, a rule that loses: each rank's summary names it" test \
        "$(grep -l '"rules_left": \[.*{"operation": "'"$operation"'", "algorithm": "'"$rule"'"' \
            "$work"/*.jsonl | wc -l)" -eq 4
done
guarded 4 "$heavy" -genv HEAVY_US 200 -genv SHUNT_GUARD 0 -- both 64 300
for operation in alltoall alltoallv; do
    rule=linear
    [ "$operation" = alltoall ] || rule=parlogna
    check "$operation, SHUNT_GUARD=0: it is followed" test "$(made $rule)" -eq 300
done
table '{ algorithm = "node-pair"; leaders = 1; }' '{ algorithm = "node-pair"; leaders = 1; }'
for layout in 4,4 3,1,2; do
    ranks=8
    [ "$layout" = 4,4 ] || ranks=6
    check "nodes of $layout, 64 KiB: every byte is right" \
        guarded $ranks "$heavy" -genv HEAVY_US 2000 -genv SHUNT_TEST_LAYOUT $layout -- \
        both 65536 120
    for operation in alltoall alltoallv; do
        check "$operation, nodes of $layout, 64 KiB: it is left ($(made node-pair))" \
            between 3 "$(made node-pair)" 24
        check "$operation, nodes of $layout, 64 KiB: ranks decide alike" alike $ranks
    done
done

# What wins goes on; native calls are a window, and what a fiftieth pays.
table '{ id = "all"; algorithm = "pairwise"; }' '{ id = "all"; algorithm = "shared-segment"; }'
check "a rule that wins: every byte is right" \
    guarded 4 "$sluggish" -genv SLUGGISH_MS 1 -- both 64 $calls
for operation in alltoall alltoallv; do
    check "$operation, a rule that wins: native calls are few ($(made native))" \
        between 3 "$(made native)" 6
    check "$operation, a rule that wins: ranks decide alike" alike 4
    check "$operation, a rule that wins: no rule is said to be left" grep -q '"rules_left": \[\]' \
        "$work/0.jsonl"
done

# What nobody can tell from native is left in the end, unless `shunt tune` has measured it on hosts of
# this kind with this library: then one window is all there is. MPI_Alltoallv agrees first, so that
# this rule is slower there, and is left.
table '{ id = "all"; algorithm = "pairwise"; }' '{ id = "all"; algorithm = "pairwise"; }'
cp "$work/table.cfg" "$work/plain.cfg"
check "a rule like native: every byte is right" \
    guarded 4 "$heavy" -genv HEAVY_US 0 -- both 64 $calls
library=$(sed -n '1s/.*"library": "\([^"]*\)".*/\1/p' "$work/0.jsonl")
for operation in alltoall alltoallv; do
    check "$operation, a rule like native: it is left ($(made native))" [ "$(made native)" -gt 1000 ]
done
for hosts in '"*"' '"nowhere"'; do
    for version in "$library" "$library.1"; do
        [ "$hosts$version" != "\"nowhere\"$library.1" ] || continue
        {
            cat "$work/plain.cfg"
            echo "machine = { hosts = ( $hosts ); measured = \"$version\"; };"
        } >"$work/table.cfg"
        check "a rule like native, measured by $version on $hosts: every byte is right" \
            guarded 4 "$heavy" -genv HEAVY_US 0 -- both 64 $calls
        for operation in alltoall alltoallv; do
            check "$operation, measured by $version on $hosts: ranks decide alike" alike 4
            if [ "$operation$hosts$version" = "alltoall\"*\"$library" ]; then
                check "$operation, measured here: it stays ($(made native))" \
                    between 3 "$(made native)" 9
            else
                check "$operation, measured by $version on $hosts: it is left ($(made native))" \
                    [ "$(made native)" -gt 1000 ]
            fi
        done
    done
done

# Where device memory is possible calls agree about that; native ones of MPI_Alltoall do not.
table '{ id = "all"; algorithm = "linear"; }' '{ id = "all"; algorithm = "parlogna"; }'
check "a rule that loses beside a GPU runtime: every byte is right" \
    guarded 4 "$heavy:$programs/libcuda.so.1" -genv HEAVY_US 200 -- both 64 500
for operation in alltoall alltoallv; do
    rule=linear
    [ "$operation" = alltoall ] || rule=parlogna
    check "$operation, a rule that loses beside a GPU runtime: it is left ($(made $rule))" \
        between 3 "$(made $rule)" 24
    check "$operation, a rule that loses beside a GPU runtime: ranks decide alike" alike 4
done

# Communicators: in turn each has its own window; a later one of the same shape tries nothing.
table '{ id = "all"; algorithm = "linear"; }' '{ id = "all"; algorithm = "parlogna"; }'
check "three communicators: every byte is right" \
    guarded 5 "$heavy" -genv HEAVY_US 200 -- both 64 600 3
for operation in alltoall alltoallv; do
    check "$operation, three communicators: ranks decide alike" alike 5
done
check "one after the other: every byte is right" \
    guarded 5 "$heavy" -genv HEAVY_US 200 -- both 64 200 4 after
for operation in alltoall alltoallv; do
    rule=linear
    [ "$operation" = alltoall ] || rule=parlogna
    check "$operation, one after the other: the first one has found out ($(made $rule))" \
        between 3 "$(made $rule)" 12
    check "$operation, one after the other: ranks decide alike" alike 5
done

# Settings of one rank: what rank 0 has counts, for all.
operation=alltoallv
for guard in 0 1; do
    rm -f "$work"/*.jsonl
    job_run "$(preload "$programs/clockwork.so:$heavy:$lib")" 100 -genv HEAVY_US 200 \
        -genv SHUNT_CONFIG "$work/table.cfg" -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/%r.jsonl" -n 1 -env SHUNT_GUARD $guard "$programs/lessons" \
        alltoallv 64 300 : -n 3 -env SHUNT_GUARD $((1 - guard)) "$programs/lessons" alltoallv 64 300
    check "rank 0 has SHUNT_GUARD=$guard, the others have not: every byte is right" \
        grep -q ' good$' "$work/out"
    check "rank 0 has SHUNT_GUARD=$guard, the others have not: ranks decide alike" alike 4
    check "rank 0 has SHUNT_GUARD=$guard, the others have not: its word counts ($(made parlogna))" \
        test "$(($(made parlogna) < 100))" -eq $guard
done
operation=alltoall
table '{ algorithm = "linear"; }' '{ algorithm = "parlogna"; }' 'guard = false;'
rm -f "$work"/*.jsonl
job_run "$(preload "$programs/clockwork.so:$heavy:$lib")" 100 -genv HEAVY_US 200 \
    -genv SHUNT_GUARD '' -genv SHUNT_CONFIG "$work/table.cfg" -genv SHUNT_LOG calls \
    -genv SHUNT_LOG_FILE "$work/%r.jsonl" -n 4 "$programs/lessons" alltoall 64 100
check "policy.guard = false: rules are followed" test "$(made linear)" -eq 100

# By this machine's own clock: whatever comes of it, bytes are right and nobody waits for ever.
table '{ algorithm = "peer-read"; }' '{ algorithm = "node-bruck"; }'
rounds=4 # bytes and the end are looked at here, handlers in first_calls.sh
[ "$full" != 1 ] || rounds=40
for program in threads "handlers $rounds" coincide; do
    # shellcheck disable=SC2086 # words
    job_run "$(preload "$lib")" 100 -genv SHUNT_GUARD 1 -genv SHUNT_CONFIG "$work/table.cfg" \
        -n 4 $programs/$program
    job_run_guarded=$job_status
    # shellcheck disable=SC2086
    job_run "$(preload "$lib")" 100 -genv SHUNT_GUARD 0 -genv SHUNT_CONFIG "$work/table.cfg" \
        -n 4 $programs/$program
    check "$program: with the guard as without it" test "$job_run_guarded" -eq "$job_status"
done

finish
