#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A rank is killed in the middle of a routed call, or stopped, for good or for a while: the job ends
# as it does natively, or goes on as it does natively; whoever waits says so; nothing is left behind.
# A few cases, one for each kind of algorithm with SHUNT_TEST_FULL=1; by a seed, another one:
#   struck.sh --seed S --chunk N
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/apart.sh"

can_mount || skip "this user may not mount: what jobs leave in /dev/shm cannot be told apart: $(cat \
    "$work/why")"

# One of each kind (src/algorithms/algorithm.h), and what they share nodes by.
kinds="spread-out scattered:batch_size=1 bruck parlogna sloav bruck-zero-copy padded-bruck padded-alltoall
    shared-segment node-pair node-bruck parlinna-shared peer-read"

# begin SIDE ALGORITHM LAYOUT DEED WHEN: starts the job, in the background.
begin()
{
    force=alltoall=$2,alltoallv=$2
    case $2 in bruck*) force=alltoall=$2,alltoallv=two-phase-bruck ;; esac
    preloaded=$lib
    [ "$1" = routed ] || preloaded=
    job_line="$1: SHUNT_FORCE=$force SHUNT_TEST_LAYOUT=$3 struck $4 1 $5"
    : >"$work/out"
    "$work/apart" size=256m timeout -k 5 "$limit" "$MPIEXEC" -genv LD_PRELOAD \
        "$(preload "$preloaded")" -genv SHUNT_FORCE "$force" -genv SHUNT_TEST_LAYOUT "$3" \
        -genv SHUNT_WATCHDOG 0.3 -n 4 "$programs/struck" "$4" 1 "$5" >"$work/out" 2>&1 </dev/null &
    job=$!
}

end()
{
    job_status=0
    wait "$job" || job_status=$?
}

# until_out PATTERN: it appears in the output within ten seconds.
until_out()
{
    for _ in $(seq 1 500); do
        ! grep -q "$1" "$work/out" || return 0
        sleep 0.02
    done
    return 1
}

# The victim, which may be anything else by now if it is no process of ours.
victim_gets()
{
    victim=$(sed -n 's/.*STRUCK \([0-9]*\).*/\1/p' "$work/out" | head -n 1)
    [ -z "$victim" ] || ! grep -q struck "/proc/$victim/cmdline" 2>/dev/null \
        || kill "-$1" "$victim"
}

left()
{
    grep -q '^LEFT' "$work/out"
}

# by_a_signal STATUS: hydra returns the signals of all ranks together: 9, or 6 where UCX gave up in a
# neighbour, or 15, which are both; natively as well. Not that of a job that had to be stopped.
by_a_signal()
{
    [ "$1" -eq 9 ] || [ "$1" -eq 6 ] || [ "$1" -eq 15 ]
}

killed()
{
    limit=30
    begin native "$1" "$2" kill "$3"
    end
    wanted=$job_status
    begin routed "$1" "$2" kill "$3"
    end
    if by_a_signal "$wanted" && by_a_signal $job_status && ! left; then
        pass "$1, nodes of $2: a rank is killed at $3: the job ends, natively with $wanted, routed with $job_status"
    else
        fail "$1, nodes of $2: a rank is killed at $3; natively the status is $wanted"
    fi
}

continued()
{
    limit=40
    begin routed "$1" "$2" stop "$3"
    waits=1
    # It may have been stopped when all were through.
    until_out STRUCK || waits=0
    [ "$3" != WAITING ] || [ "$native" = 1 ] || until_out 'has been waiting for' || waits=0
    victim_gets CONT
    end
    if [ $job_status -eq 0 ] && grep -q '^PASS' "$work/out" && [ $waits = 1 ] && ! left; then
        pass "$1, nodes of $2: a rank is stopped at $3 and goes on: so does the job"
    else
        fail "$1, nodes of $2: a rank is stopped at $3 and goes on"
    fi
}

abandoned()
{
    limit=5
    begin routed "$1" "$2" stop "$3"
    # The limit comes early when all has been said: the child of "apart" is what keeps it.
    if [ "$3" = WAITING ] && [ "$native" != 1 ] && until_out STRUCK &&
        until_out 'has been waiting for'; then
        read -r child _ <"/proc/$job/task/$job/children" && kill -TERM "$child"
    fi
    end
    victim_gets KILL
    if [ $job_status -ne 0 ] && ! left && { [ "$native" = 1 ] || [ "$3" != WAITING ] \
        || grep -q 'rank [0-9]* .* has been waiting for' "$work/out"; }; then
        pass "$1, nodes of $2: a rank is stopped at $3 for good: the others say that they wait"
    else
        fail "$1, nodes of $2: a rank is stopped at $3 for good"
    fi
}

# layout_of ALGORITHM: in $layout, one that it can serve.
layout_of()
{
    case $1 in shared-segment | peer-read) layout=64 ;; *) layout=2 ;; esac
}

drawn_case()
{
    draws=0
    # shellcheck disable=SC2086 # words are wanted
    draw $kinds
    algorithm=$drawn
    layout_of "$algorithm"
    draw killed killed continued abandoned
    deed=$drawn
    draw WAITING WAITING 5 50 100 200 500 1000
    $deed "$algorithm" $layout "$drawn"
}

if [ $# -eq 4 ] && [ "$1" = --seed ] && [ "$3" = --chunk ]; then
    seed=$2 chunk=$4
    drawn_case
elif [ "$full" = 1 ]; then
    for algorithm in $kinds; do
        layout_of "$algorithm"
        for moment in WAITING 100 1000; do killed "$algorithm" $layout $moment; done
        continued "$algorithm" $layout WAITING
        abandoned "$algorithm" $layout WAITING
    done
else
    killed shared-segment 64 WAITING
    killed parlogna 2 200
    continued node-pair 2 WAITING
    continued peer-read 64 100
    abandoned parlinna-shared 2 WAITING
fi
finish
