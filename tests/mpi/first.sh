#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The first call of a job, with which rank 0 says what it wants: never a wrong byte or a hang,
# whatever the arguments are, right or not, and whatever only some ranks want.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
doze

force=alltoall=bruck,alltoallv=two-phase-bruck
[ "$full" = 1 ] && step=1 || step=50

# cases WHAT FIRST-RANK-ONLY OTHERS-ONLY RANKS OFFSET: cases of the matrix, from OFFSET on; -env
# arguments for rank 0 and for the others.
cases()
{
    cases_bad=0 cases_count=0 cases_number=$5
    while [ "$cases_number" -lt 180 ]; do
        # shellcheck disable=SC2086 # words are wanted
        job 30 -n 1 $2 "$programs/first" "$cases_number" : \
            -n $(($4 - 1)) $3 "$programs/first" "$cases_number"
        cases_count=$((cases_count + 1))
        if [ "$job_status" -ne 0 ] || ! grep -q '^PASS: 4 calls,' "$work/out"; then
            cases_bad=$((cases_bad + 1))
            fail "$1, $4 ranks, case $cases_number"
            [ $cases_bad -lt 5 ] || return
        fi
        cases_number=$((cases_number + step))
    done
    [ $cases_bad -gt 0 ] || pass "$1, $4 ranks: $cases_count first calls are right"
}

cases "no settings" "" "" 5 0
cases "no settings" "" "" 2 1
MPIR_CVAR_NUM_CLIQUES=3 cases "no settings, three nodes" "" "" 7 2
step=$((step * 3))
cases "no settings" "" "" 17 33
step=$((step / 3))
cases "SHUNT_FORCE on rank 0 only" "-env SHUNT_FORCE $force" "" 4 3
cases "SHUNT_FORCE on the others only" "" "-env SHUNT_FORCE $force" 4 4
cases "SHUNT_DISABLE on rank 0 only" "-env SHUNT_DISABLE 1" "" 4 5
cases "SHUNT_WARMUP=1 on rank 0 only" "-env SHUNT_WARMUP 1" "" 4 6
cases "SHUNT_WARMUP=0 and log on rank 0 only" "-env SHUNT_WARMUP 0 -env SHUNT_LOG calls" "" 4 7
cases "a log on the others only" "" "-env SHUNT_LOG calls -env SHUNT_LOG_RANKS all" 4 8

# crooked WHAT ARGUMENT...: first calls of crooked.c. It knows what the library returns.
crooked()
{
    crooked_what=$1
    shift
    job 30 "$@" -n 4 "$programs/crooked" "$crooked_what"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "a first call, $crooked_what${1:+, $2=$3}: as natively, and all stay in step"
    else
        fail "a first call, $crooked_what${1:+, $2=$3}"
    fi
}

# What is no call by the standard, or fails, and what the library makes of it.
force=alltoall=bruck,alltoallv=two-phase-bruck
for what in short short-self no-room partial partial-uniform one-sends uneven; do
    crooked $what
    # Where send counts of MPI_Alltoall differ, ranks choose by them what is forced.
    case $what in one-sends | uneven) continue ;; esac
    crooked $what -genv SHUNT_FORCE $force
done
crooked uncommitted -genv CROOKED_THREADS 1
crooked uncommitted-uniform -genv CROOKED_THREADS 1
crooked nested -genv SHUNT_FORCE $force
crooked left -genv SHUNT_FORCE $force
finish
