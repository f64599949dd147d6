#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The measurements of applications: scripts/applications runs them on all sides, makes a table for
# one, notices another answer, and tells what its file says. What is measured here says nothing.
# Takes about ten seconds.
# shellcheck source=tests/apps/common.sh
# shellcheck disable=SC2317 # functions that check() calls
. "${srcdir:-.}/tests/apps/common.sh"
need_command python3
need tests/apps/points "run make tests/apps/points"
have_shim || skip "libshunt.so (SHUNT_LIB=\"$lib\") was not found"
script=$top/scripts/applications
kept=$work/kept.csv

# ends STATUS COMMAND...: its output is in $work/out.
ends() {
    wanted=$1
    shift
    status=0
    "$@" >"$work/out" 2>&1 </dev/null || status=$?
    [ "$status" = "$wanted" ]
}

# at_most STATUS COMMAND...: likewise; 1 is harm, and nobody knows whether there is some.
at_most() {
    wanted=$1
    shift
    status=0
    "$@" >"$work/out" 2>&1 </dev/null || status=$?
    [ "$status" -le "$wanted" ] || {
        cat "$work/out"
        return 1
    }
}

# sides NUMBER: each of native, built-in and tuned has so many rows, with three times in each.
sides() {
    for side in native built-in tuned; do
        [ "$(grep -cE "^points,--generate 64,3,[1-9],$side(,[0-9]+\.[0-9]+){3}$" "$kept")" = "$1" ] \
            || return 1
    done
    [ "$(wc -l <"$kept")" = $((1 + 3 * $1)) ]
}

# A build folder of its own, for the tables that are made.
mkdir "$work/own"
ln -s "$PWD/src" "$PWD/tests" "$work/own"
cd "$work/own"
check "three ranks analyse a program natively, by the built-in table and by one of their own" \
    at_most 1 "$script" --ranks 3 --arguments '--generate 64' --repetitions 2 --tune-limit 1 --keep \
    "$kept" points
check "each side has a row for each repetition" sides 2
check "the table was made from what the program called" \
    grep -q '^alltoallv' applications/points-3-*.cfg
check "a file that is there is added to" \
    at_most 1 "$script" --ranks 3 --arguments '--generate 64' --repetitions 1 --keep "$kept" points
check "its rows are one more for each side" sides 3

# What a file says.
{
    echo program,arguments,place,repetition,table,job,run,alltoall
    for pair in 1 2 3; do
        echo "paths,-,2,$pair,built-in,1.100,0.500,0.100"
        echo "paths,-,2,$pair,native,1.000,0.800,0.40$pair"
        echo "paths,-,4x4,$pair,native,2.000,1.000,0.500"
        echo "paths,-,4x4,$pair,tuned,2.000,1.000,0.250"
    done
} >"$work/rows.csv"
check "a table that makes jobs slower does harm" ends 1 "$script" --show "$work/rows.csv"
check "only that one does harm" \
    [ "$(awk -v OFS=' ' '/HARM/ { $1 = $1; print }' "$work/out")" = \
        "paths -; 2; built-in; job 1.000 1.100 1.100 1.100 .. 1.100 3 HARM" ]
check "the ratio is that of pairs, whichever side came first" \
    grep -q '2; built-in; all-to-all .* 0\.249   0\.248 \.\. 0\.249 ' "$work/out"
check "the part of all-to-all in a run is told by place" \
    grep -q '^paths -; native  *0\.800   50%    1\.000   50%$' "$work/out"
echo 'paths,-,2' >>"$work/rows.csv"
check "a file with another line is refused" ends 2 "$script" --show "$work/rows.csv"
for wrong in '--ranks x' '--hosts 4' '--size huge' '--tables none' '--arguments x' '--speed 1' 'lu'; do
    # shellcheck disable=SC2086 # an option and its value
    check "$wrong is a mistake of usage" ends 2 "$script" $wrong
done
check "a job that fails is told" \
    ends 5 env MPIEXEC=false "$script" --ranks 2 --tables built-in --keep "$kept" paths

cd "$top_build"
# A library that gets a byte wrong, in place of Shunt.
mkdir -p "$work/build/src" "$work/build/tests"
ln -s "$PWD/tests/mpi/corrupt.so" "$work/build/src/libshunt.so"
ln -s "$PWD/src/libshuntyield.so" "$work/build/src"
ln -s "$PWD/tests/apps" "$work/build/tests/apps"
check "another answer is noticed" ends 1 env --chdir="$work/build" "$script" --ranks 2 --tables \
    built-in --arguments '--generate 1000' --repetitions 1 paths
check "and said" grep -q '^applications: paths, 2, built-in: another answer' "$work/out"
check "outside of the build folder nothing is measured" ends 4 env --chdir="$work" "$script"
finish
