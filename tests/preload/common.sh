# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of this folder share; sourced by them.
set -u
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"

mpiexec=$MPIEXEC
# shellcheck disable=SC2034 # for the scripts
build=$top_build/tests/preload

# need FILE WHAT: skips unless FILE is there.
need()
{
    [ -e "$1" ] || skip "$2 ($1) is missing"
}

need_library()
{
    [ -n "$lib" ] || skip "SHUNT_LIB does not say where the library under test is"
    need "$lib" "the library under test"
}

# job RANKS [mpiexec option]... PROGRAM...: under MPICH's mpiexec with the library preloaded into
# the ranks, and at most 60 seconds. Output is left in $work/out and $work/err, the status in
# $status.
job()
{
    ranks=$1
    shift
    timeout -k 10 60 "$mpiexec" -n "$ranks" -genv LD_PRELOAD "$lib${yield:+:$yield}" "$@" \
        >"$work/out" 2>"$work/err" </dev/null
    status=$?
    case $status in 124 | 137) echo "HANG: $*" ;; esac
}

# said PATTERN: how many lines of the library on stderr match.
said()
{
    grep -c "^shunt: .*$1" "$work/err"
}
