# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What the scripts share that let internal calls fail (inject.c, faults.c); sourced by them, after
# common.sh.
# shellcheck disable=SC2034,SC2154 # variables of common.sh and of automake

doze

# Trials per function and victim, and victims: of five ranks on nodes of two, a first one, a second
# one and one alone.
if [ "${SHUNT_TEST_FULL:-0}" = 1 ]; then
    most=1000 hard_most=4 victims=0,1,2,3,4
else
    most=2 hard_most=1 victims=0,3
fi

# faults LAYOUT ALGORITHMS ARGUMENT...: the program under SHUNT_FORCE=ALGORITHMS; with the nodes as
# they are when LAYOUT is "". (UCX would lead calls of mmap past inject.so.) $faults_before is
# preloaded before the library.
faults()
{
    faults_ranks=5
    case $2 in *exclusive-or*) faults_ranks=4 ;; esac
    job_line="SHUNT_TEST_LAYOUT=$1 SHUNT_FORCE=$2 faults $3 $4 $5 $6 $7 $8 $9"
    faults_layout=$1 faults_force=$2
    shift 2
    timeout -k 10 600 "$MPIEXEC" \
        -genv LD_PRELOAD "${faults_before:+$faults_before:}$lib:$programs/inject.so:$yield" \
        ${faults_layout:+-genv SHUNT_TEST_LAYOUT "$faults_layout"} \
        -genv UCX_MEM_MMAP_HOOK_MODE none -genv SHUNT_WATCHDOG 0.5 -genv SHUNT_FORCE "$faults_force" \
        -n "$faults_ranks" "$programs/faults" "$@" >"$work/out" 2>&1 </dev/null
    job_status=$?
}

# hung: the number of the trial in which the last job hung, or nothing.
hung()
{
    sed -n 's/^HANG \([0-9]*\):.*/\1/p' "$work/out" | head -n 1
}

# soft WHAT LAYOUT ALGORITHMS: goes on behind a hang, to tell of all of them.
soft()
{
    soft_first=0 soft_bad=0 soft_last=''
    while :; do
        faults "$2" "$3" "$1" soft "$most" "$victims" "$soft_first"
        grep -E '^(HANG|WRONG|HEARD)' "$work/out" | sed 's/^/  /'
        [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out" || soft_bad=$((soft_bad + 1))
        soft_last=$(hung)
        if [ -z "$soft_last" ] || [ $soft_bad -ge 8 ]; then break; fi
        soft_first=$soft_last
    done
    if [ $soft_bad -eq 0 ] && ! grep -q ' 0 calls struck' "$work/out"; then
        pass "$3, nodes of ${2:-all}: $(sed -n 's/^PASS: //p' "$work/out")"
    else
        fail "$3, nodes of ${2:-all}: a call that fails"
    fi
}

# hard WHAT LAYOUT ALGORITHMS: each trial may be the last one of its job, if the watchdog has
# spoken.
hard()
{
    hard_first=0 hard_hangs=0 hard_trials=0
    while :; do
        faults "$2" "$3" "$1" hard "$hard_most" 3 "$hard_first"
        hard_last=$(hung)
        if grep -q '^WRONG\|^HEARD' "$work/out" || { [ -z "$hard_last" ] \
            && [ "$job_status" -ne 0 ]; } ||
            { [ -n "$hard_last" ] && ! grep -q 'has been waiting for' "$work/out"; }; then
            fail "$3, nodes of ${2:-all}: a message or a collective that fails"
            return
        fi
        hard_trials=$((hard_trials + $(sed -n 's/^PASS: \([0-9]*\) trials.*/\1/p' "$work/out" | grep . || echo 0)))
        [ -n "$hard_last" ] || break
        hard_hangs=$((hard_hangs + 1))
        hard_first=$hard_last
    done
    if [ $((hard_hangs + hard_trials)) -gt 0 ]; then
        pass "$3, nodes of ${2:-all}: a message or a collective fails, $hard_hangs waits that were told of"
    else
        fail "$3, nodes of ${2:-all}: no message or collective to fail"
    fi
}

# forced NAME[:PARAMETERS]: SHUNT_FORCE for the operations that the algorithm serves.
forced()
{
    case $("$abs_top_builddir/src/shunt" algorithms --wide \
        | awk -v name="${1%%:*}" '$1 == name { print $2 }') in
    *alltoallv*) echo "alltoall=$1,alltoallv=$1" ;;
    *) echo "alltoall=$1" ;;
    esac
}
