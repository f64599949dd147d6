#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# One call that the library makes fails on one rank, each in turn, under each algorithm: no other
# rank may get success with wrong bytes, and where it is memory, packing or a datatype that failed,
# none may wait for ever. A message or a collective that cannot even be posted may leave others
# waiting, and then they have to say so. By a seed, one case:
#   inject.sh --seed S --chunk N
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

[ "$native" != 1 ] || skip "without the library there is nothing that could fail"
. "$(dirname "$0")/injecting.sh"

if [ $# -eq 4 ] && [ "$1" = --seed ] && [ "$3" = --chunk ]; then
    # shellcheck disable=SC2034 # for draw
    seed=$2 chunk=$4 draws=0
    # shellcheck disable=SC2046 # words are wanted
    draw $("$abs_top_builddir/src/shunt" algorithms --wide | awk '$1 != "native" { print $1 }')
    algorithm=$drawn
    draw 2 64
    case $algorithm in shared-segment | peer-read) drawn=64 ;; esac
    layout=$drawn
    draw 0 1 2 3 4
    # shellcheck disable=SC2034 # for soft and hard
    victims=$drawn most=3
    export FAULTS_HARD_S=20 # other cases may keep the machine busy
    draw soft soft hard
    deed=$drawn
    draw exchange set-up
    op_deed=$drawn
    draw none none SHUNT_VERIFY SHUNT_LOG SHUNT_LEARN
    case $drawn in
    SHUNT_VERIFY) export SHUNT_VERIFY=1 ;;
    SHUNT_LOG) export SHUNT_LOG=calls SHUNT_LOG_RANKS=all SHUNT_LOG_FILE="$work/calls.log" ;;
    SHUNT_LEARN) export SHUNT_LEARN=on ;;
    esac
    drawn=$op_deed
    # Through shared memory there may be no message that could fail.
    case $deed$algorithm in hardshared-* | hardpeer-* | hardnode-* | hardparlinna-*) drawn=set-up ;; esac
    $deed "$drawn" "$layout" "$(forced "$algorithm")"
    finish
fi

for algorithm in $("$abs_top_builddir/src/shunt" algorithms --wide | awk '$1 != "native" { print $1 }') \
    parlogna:metadata=separate:batch_size=1 \
    node-pair:leaders=2:fragment=1K parlinna-shared:batch_size=1:parts=2; do
    case $algorithm in
    shared-segment | peer-read) layouts=64 ;;
    *) layouts=2 ;;
    esac
    [ "${SHUNT_TEST_FULL:-0}" != 1 ] || [ "$layouts" != 2 ] || layouts="64 2"
    for layout in $layouts; do
        soft exchange "$layout" "$(forced "$algorithm")"
    done
done

# While results are compared with the library's own.
export SHUNT_VERIFY=1
soft exchange 2 "$(forced parlogna)"
unset SHUNT_VERIFY

# A message has come, but its length is not told at once: in an exchange whose sizes change, others
# would go on to a second one without this rank.
faults 2 "$(forced parlinna-shared)" exchange soft 60 0,3 0 Get_count
if [ "$job_status" -eq 0 ] && grep -q '^PASS.* 0 of them led to errors' "$work/out"; then
    pass "parlinna-shared: a length that is not told at once is asked for again"
else
    fail "parlinna-shared: a length that is not told at once"
fi

for algorithm in pairwise bruck-zero-copy two-phase-bruck padded-alltoall parlogna \
    parlinna-shared; do
    hard exchange 2 "$(forced "$algorithm")"
done

# What lies where a message would have arrived is no message.
for algorithm in parlinna-shared parlinna-shared:batch_size=1:parts=2 node-pair:leaders=2; do
    job_run "$lib:$programs/inject.so:$yield" 20 -genv SHUNT_TEST_LAYOUT 2 -genv SHUNT_WATCHDOG 2 \
        -genv SHUNT_WARMUP 0 -genv SHUNT_FORCE "alltoall=$algorithm,alltoallv=$algorithm" \
        -n 4 "$programs/leftovers"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$algorithm: a receive that cannot be posted is an error, whatever was there before"
    else
        fail "$algorithm: a receive that cannot be posted"
    fi
done

# lose AT FORCE ARGUMENT...: the program `afterwards`, until it ends or a rank has said for a second
# that it waits.
lose()
{
    lose_at=$1
    lose_force=$2
    shift 2
    job_line="LOSE_AT=$lose_at SHUNT_FORCE=$lose_force afterwards $*"
    timeout -k 5 20 "$MPIEXEC" -genv LD_PRELOAD "$lib:$programs/lose.so:$yield" -genv LOSE_AT \
        "$lose_at" -genv SHUNT_TEST_LAYOUT 2 -genv SHUNT_WATCHDOG 1 \
        -genv SHUNT_FORCE "$lose_force" -n 5 "$programs/afterwards" "$@" >"$work/out" 2>&1 \
        </dev/null &
    lose_job=$!
    while kill -0 $lose_job 2>/dev/null; do
        sleep 0.1
        grep -q 'has been waiting for' "$work/out" || continue
        sleep 1
        kill $lose_job 2>/dev/null
        break
    done
    wait $lose_job
    job_status=$?
}

# A message that gets lost on its way to rank 0 (lose.c): what it was to bring is nowhere taken for
# data, then or later.
for algorithm in bruck two-phase-bruck padded-bruck parlogna parlinna-staggered bruck-zero-copy \
    parlinna-shared; do
    hits=0 bad=0
    for at in 30 37 45; do
        force=$(forced $algorithm)
        form=v
        case $force in *alltoallv*) ;; *) form= ;; esac
        # shellcheck disable=SC2086 # a word or none
        lose $at "$force" $form
        hits=$((hits + $(grep -c '^LOST' "$work/out")))
        if grep -q 'wrong bytes' "$work/out" && ! grep -q '^PASS' "$work/out"; then
            bad=$((bad + 1))
        fi
        if [ $job_status -ne 0 ] && ! grep -q 'has been waiting for' "$work/out"; then
            bad=$((bad + 1))
        fi
    done
    if [ $bad -eq 0 ] && [ $hits -ge 2 ]; then
        pass "$algorithm: $hits lost messages, no wrong bytes"
    else
        fail "$algorithm: $hits lost messages, $bad jobs in which something was wrong"
    fi
done
finish
