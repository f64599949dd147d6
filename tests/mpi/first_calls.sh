#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Threads whose first calls coincide, threads that use a communicator's error handler while it is
# set up, and first calls of one rank that the library rejects.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
doze

slow=$programs/slow.so
if [ "$full" = 1 ]; then
    rounds=40 times='1 2 3 4 5' calls='0 2 7 8 22 23 24 25 31 32 33' later='0 2 3 4 11 12 13 15 25 26'
else
    rounds=12 times='1 2' calls='0 7 8 23 24 32' later='0 3 12 25'
fi
for force in alltoall=bruck,alltoallv=parlogna alltoall=shared-segment,alltoallv=shared-segment \
    ""; do
    # shellcheck disable=SC2086 # words are wanted
    set -- ${force:+-genv SHUNT_FORCE $force}
    for between in "" "$slow"; do
        bad=0
        for i in $times; do
            [ "$bad" -eq 0 ] || break
            job_run "${lib:+$lib:}${between:+$between:}$yield" 60 "$@" -n 3 "$programs/coincide"
            [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out" || bad=$i
        done
        if [ "$bad" -eq 0 ]; then
            pass "first calls of two threads at once are right${between:+, slowly}, ${force:-built-in table}"
        else
            fail "first calls of two threads at once${between:+, slowly}, ${force:-built-in table}"
        fi
    done
    # Rules of the built-in table come after several calls, and what is left to see of set-up is short.
    [ -n "$force" ] || rounds=40
    job 90 "$@" -n 3 "$programs/handlers" $rounds
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "error handlers are left alone by the set-up, ${force:-built-in table}"
    else
        fail "error handlers during the set-up, ${force:-built-in table}"
    fi
done

# Calls before set-up, with the first announcement, and those that come with set-up.
astray()
{
    job 30 -n 3 "$programs/astray" "$@"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "a rejected call of one rank before call $* leaves all in step"
    else
        fail "a rejected call of one rank before call $*"
    fi
}
for when in $calls; do
    astray "$when"
    astray "$when" world
done
for when in $later; do
    astray "$when" later
done

# On one node, and on two, by two seeds: each pair with a log, which tells what is routed, or without.
# SHUNT_TEST_FULL=1: each with both.
for nodes in 1 2; do
    for seed in 1 2; do
        set -- -genv MPIR_CVAR_NUM_CLIQUES $nodes
        come="communicators that come and go, $nodes node(s), seed $seed"
        if [ "$full" = 1 ] || [ $nodes -ne $seed ]; then
            job 120 "$@" -n 5 "$programs/comings" $seed
            if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
                pass "$come: every call is right"
            else
                fail "$come"
            fi
        fi
        [ "$full" = 1 ] || [ $nodes -eq $seed ] || continue
        rm -f "$work/log"
        job 120 "$@" -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/log" -genv SHUNT_LOG_FORMAT \
            json -genv SHUNT_LOG_RANKS 0 \
            -n 5 "$programs/comings" $seed
        others=$(grep '"event": *"call"' "$work/log" 2>/dev/null | grep -v '"ranks": *5\b' \
            | grep -vc '"algorithm": *"native"')
        if [ "$native" = 1 ] || { [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out" \
            && [ "$others" -gt 20 ]; }; then
            pass "$come: $others calls are routed on parts"
        else
            fail "$come, $others calls routed on parts"
        fi
    done
done

# Calls with derived types count as others do, and their time pays for set-up: by the first one's
# alone it would come after more than half of them.
rm -f "$work/log"
printf 'schema = 1; alltoall = ( { algorithm = "shared-segment"; } );\n' >"$work/table.cfg"
job 120 -genv SHUNT_GUARD 0 -genv SHUNT_CONFIG "$work/table.cfg" -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/log" \
    -genv SHUNT_LOG_FORMAT json -genv SHUNT_LOG_RANKS 0 -n 2 "$programs/towers" 20000
derived=$(grep '"event": *"call"' "$work/log" 2>/dev/null | grep -v '"communicator": "MPI_COMM_WORLD"' \
    | grep -c '"algorithm": *"shared-segment"')
if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out" && { [ "$native" = 1 ] || [ "$derived" -gt 15000 ]; }; then
    pass "derived types alone lead to a set-up as well: $derived calls routed"
else
    fail "derived types alone lead to a set-up: $derived calls routed"
fi
finish
