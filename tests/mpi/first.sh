#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The first call of a job, which carries what rank 0 has to say: never a wrong byte or a hang,
# whatever the arguments are and whatever only some ranks want; and nothing is broadcast for it.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

force=alltoall=bruck,alltoallv=two-phase-bruck
step=9
[ "${SHUNT_TEST_FULL:-0}" = 0 ] || step=1

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
        if [ "$job_status" -ne 0 ] || ! grep -q '^PASS: 4 calls, 0 errors' "$work/out"; then
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
step=$((step * 5)) # many ranks: what has room in the area is less
cases "no settings" "" "" 17 3
step=$((step / 5))
cases "SHUNT_FORCE on rank 0 only" "-env SHUNT_FORCE $force" "" 4 3
cases "SHUNT_FORCE on the others only" "" "-env SHUNT_FORCE $force" 4 4
cases "SHUNT_DISABLE on rank 0 only" "-env SHUNT_DISABLE 1" "" 4 5
cases "SHUNT_WARMUP=1 on rank 0 only" "-env SHUNT_WARMUP 1" "" 4 6
cases "SHUNT_WARMUP=0 and log on rank 0 only" "-env SHUNT_WARMUP 0 -env SHUNT_LOG calls" "" 4 7
cases "a log on the others only" "" "-env SHUNT_LOG calls -env SHUNT_LOG_RANKS all" 4 8

# strikes ROW FUNCTION CASE...: a function that the library calls fails ROW times in a row, on rank 0
# or on rank 2, the first time or the third.
strikes()
{
    strikes_row=$1 strikes_function=$2 strikes_struck=0 strikes_errors=0
    shift 2
    for strikes_case; do
        for strikes_victim in 0 2; do
            for strikes_at in 1 3; do
                job_run "$lib:$programs/inject.so:$yield" 30 -genv INJECT_ROW "$strikes_row" \
                    -genv UCX_MEM_MMAP_HOOK_MODE none -n 4 "$programs/first" "$strikes_case" 4 \
                    "$strikes_victim" "$strikes_function" "$strikes_at"
                if [ "$job_status" -ne 0 ] || ! grep -q '^PASS' "$work/out"; then
                    fail "$strikes_function fails ${strikes_row} times on rank $strikes_victim"
                    return
                fi
                grep -q ' 0 struck' "$work/out" || strikes_struck=$((strikes_struck + 1))
                grep -q ' 0 errors' "$work/out" || strikes_errors=$((strikes_errors + 1))
            done
        done
    done
    if [ $strikes_struck -eq 0 ] || { [ "$strikes_row" = 1 ] && [ $strikes_errors -gt 0 ]; }; then
        fail "$strikes_function fails $strikes_row times: $strikes_struck struck, $strikes_errors of them led to errors"
    else
        pass "$strikes_function fails $strikes_row times: $strikes_struck struck, $strikes_errors of them led to errors, none to wrong bytes"
    fi
}

# said NAME: the number that tally.so has told of.
said()
{
    sed -n "s/^$1 //p" "$work/out"
}

# carries WHAT BROADCASTS ARGUMENT...: how many broadcasts the library begins on rank 0 by itself,
# in a job of one first call and nothing else.
carries()
{
    carries_what=$1 carries_expected=$2
    shift 2
    job_run "$lib:$programs/tally.so:$yield" 30 -genv TALLY_GROUPS 1 "$@"
    if [ "$job_status" -eq 0 ] && [ "$(said BROADCASTS)" = "$carries_expected" ]; then
        pass "$carries_what: $carries_expected broadcasts"
    else
        fail "$carries_what: $(said BROADCASTS) broadcasts, not $carries_expected"
    fi
}

if [ "$native" != 1 ]; then
    # Small and large blocks of derived types, some of them at MPI_BOTTOM.
    for function in Pack_c Unpack_c Type_create_struct_c Type_commit; do
        strikes 1 $function 45 99 153
        strikes 2 $function 45 99 153
    done
    for op in alltoall alltoallv; do
        carries "$op" 0 -n 6 "$programs/one" $op 16
        carries "$op, set-up is told for call 1001" 0 -n 1 -env SHUNT_WARMUP 1000 \
            "$programs/one" $op 16 : -n 5 "$programs/one" $op 16
        carries "$op in place" 1 -n 6 "$programs/one" $op 16 in-place
    done
    carries "alltoall of large blocks" 1 -n 6 "$programs/one" alltoall 65536
    carries "alltoallv of large blocks" 0 -n 6 "$programs/one" alltoallv 65536
    carries "alltoallv of nothing" 0 -n 6 "$programs/one" alltoallv 0
    carries "alltoall of nothing" 1 -n 6 "$programs/one" alltoall 0
fi
finish
