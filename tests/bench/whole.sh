#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The measurements of whole programs: the program calls what it says and sees wrong bytes, the
# statistics mark harm and nothing else, and the scripts bring both together. What is measured here
# says nothing.
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2317 # functions that check() calls
. "$(dirname "$0")/../mpi/common.sh"

need_command python3
scripts=$top/scripts
whole=$PWD/tests/bench/whole

# The program.

# points NAME...: the last job's rows have these first columns, in this order, and seconds that
# never become less from one number to the next.
points()
{
    [ "$(cut -d , -f 1 "$work/out" | xargs)" = "$*" ] &&
        awk -F , '$1 ~ /^[0-9]+$/ { if ($2 + 0 < last) exit 1; last = $2 + 0 } END { if (last <= 0) exit 1 }' "$work/out"
}

job_native 60 -n 4 "$whole" --communicators 3 --calls 12 --op alltoallv
check "the curve has all its points" points create 1 2 3 5 10 12 free
job_native 60 -n 4 "$whole" --calls 1000 --limit 0.0000001
check "a limit of time ends the curve" points create 1 free
job_native 60 -n 2 "$whole" --setup --communicators 3 --calls 4 --wired
check "each call of each communicator has a row" \
    [ "$(cut -d , -f 1,2 "$work/out" | xargs)" = "0,1 0,2 0,3 0,4 1,1 1,2 1,3 1,4 2,1 2,2 2,3 2,4" ]
for kind in copies rows columns halves pencils; do
    job_native 60 -n 6 "$whole" --kind $kind --communicators 3 --calls 2 --block 1000
    check "six ranks exchange in $kind" points create 1 2 free
    job_native 60 -n 5 "$whole" --kind $kind --communicators 3 --calls 2 --op alltoallv --pattern \
        mixed
    check "five ranks exchange in $kind" points create 1 2 free
done
for pattern in full mixed sparse one empty; do
    job_native 60 -n 7 "$whole" --pattern $pattern --op alltoallv --calls 3 --block 3
    check "the pattern $pattern is exchanged" points create 1 2 3 free
done

# told STATUS TEXT: how the last job ended, and what it said.
told()
{
    [ "$job_status" -eq "$1" ] && grep -q "$2" "$work/out"
}

job_run "$PWD/tests/mpi/corrupt.so" 60 -n 3 "$whole" --op alltoallv --calls 10
check "a wrong byte is noticed" told 1 'whole: call 3 gave rank 1 wrong bytes from rank 2 of 3'
for wrong in '--pattern one' '--kind wings' '--block 0' '--calls' '--op alltoallw' \
    '--communicators 1x' 'more'; do
    # shellcheck disable=SC2086 # an option and its value
    job_native 60 -n 2 "$whole" $wrong
    check "$wrong is a mistake of usage" told 2 '^usage: '
done

# The statistics. pairs CASE POINT NATIVE SHUNT [NATIVE SHUNT]...: rows of as many repetitions as
# there are pairs of times.
pairs()
{
    pairs_case=$1,
    pairs_point=$2
    pairs_number=0
    shift 2
    while [ $# -gt 0 ]; do
        pairs_number=$((pairs_number + 1))
        echo "$pairs_case$pairs_number,native,$pairs_point,$1"
        echo "$pairs_case$pairs_number,shunt,$pairs_point,$2"
        shift 2
    done
}

paired()
{
    paired_status=$1
    shift
    ends "$paired_status" "$scripts/paired" "$@" "$work/rows"
}

{
    pairs slower 10 0.100 0.120 0.100 0.121 0.100 0.119 0.100 0.120
    pairs small 10 0.0010 0.0015 0.0010 0.0015 0.0010 0.0015
    pairs few 10 0.100 0.150 0.100 0.150
    pairs unsure 10 0.100 0.150 0.150 0.100 0.100 0.150 0.150 0.100
    pairs faster free 0.100 0.100 0.100 0.100 0.100 0.100
    pairs faster 20 0.100 0.050 0.100 0.051 0.100 0.049
    pairs faster 5 0.100 0.110 0.100 0.110 0.100 0.110
    pairs faster 10 0.100 0.050 0.100 0.051 0.100 0.049
    pairs faster create 0.100 0.100 0.100 0.100 0.100 0.100
} >"$work/rows"
check "the status tells of harm" paired 1 table
check "a point that does harm and a small difference are marked as such" \
    [ "$(grep -c HARM "$work/out") $(grep -c ' 1\.20 ' "$work/out")" = "2 1" ]
check "two pairs are too few to tell" grep -q ' 1\.50 .* 2  too few$' "$work/out"
check "it is said from how many calls on Shunt is ahead" \
    grep -q '^  ahead from 10 calls on' "$work/out"
check "points come in the order of calls" \
    [ "$(sed -n '/^faster/,$p' "$work/out" | awk 'NF > 6 && $1 != "calls" { print $1 }' |
        xargs)" = "create 5 10 20 free" ]
check "the status of the summary tells of harm" paired 1 summary
check "the summary counts points, cases and harm" \
    grep -q '^9 points of 5 cases; 2 do harm' "$work/out"
check "harm within another limit is none" paired 0 summary --ratio 1.25
check "small differences do harm when they count" \
    paired 1 lines --ratio 1.3 --difference 0.4
check "only that one does harm" [ "$(grep HARM "$work/out" | cut -d ' ' -f 1)" = small ]
echo 'case,1,neither,5,0.1' >"$work/rows"
check "a row of neither side is a mistake" paired 2 table
echo 'case,1,native,5,x' >"$work/rows"
check "a row without a time is a mistake" paired 2 table
check "a file that is missing is said" ends 2 "$scripts/paired" table "$work/none"
check "a command that there is not is said" ends 2 "$scripts/paired" chart "$work/rows"

# setup_rows LATE: three communicators with calls of 0.1 ms; the first costs 1.5 ms at its second
# call, later ones LATE seconds at the third, after which calls take half the time.
setup_rows()
{
    awk -v late="$1" 'BEGIN {
        for (pair = 1; pair <= 3; pair++)
            for (side = 0; side < 2; side++)
                for (number = 0; number < 3; number++)
                    for (calls = 1; calls <= 6; calls++) {
                        seconds = calls * 0.0001
                        if (side && number == 0 && calls > 1) seconds += 0.0015
                        if (side && number > 0 && calls > 2) seconds += late - (calls - 3) * 0.00005
                        printf "case,%d,%s,%d,%d,%.7f\n", pair, side ? "shunt" : "native", number, calls, seconds
                    }
    }' >"$work/rows"
}
setup_rows 0.00025
check "set-up within what it may cost is good" paired 0 setup
check "what set-up costs is told" \
    grep -q '^case  *100\.00  *1500\.0 .* 2500\.0 ok  *250\.0 .* 1000\.0 ok' "$work/out"
setup_rows 0.0011
check "set-up that costs more than it may is not good" paired 1 setup
check "the set-up that costs too much is named" \
    grep -q ' 2500\.0 ok  *1100\.0 .* 1000\.0 OVER' "$work/out"

# One call is late in each pair, another one in each, as it is where both sides are the same.
awk 'BEGIN {
    for (pair = 1; pair <= 5; pair++)
        for (side = 0; side < 2; side++)
            for (number = 0; number < 3; number++)
                for (calls = 1; calls <= 6; calls++)
                    printf "case,%d,%s,%d,%d,%.7f\n", pair, side ? "shunt" : "native", number, calls,
                        calls * 0.0001 + (side && calls == pair ? 0.002 : 0)
}' >"$work/rows"
check "what is late by chance is no set-up" paired 0 setup
check "and costs nothing" grep -q '^case  *100\.00  *0\.0 .* ok  *0\.0 .* ok' "$work/out"

# The scripts; how the measurements turn out is not known.
curve()
{
    "$scripts/whole" curve --ranks 2 --communicators 2 --kind rows --block 16 --op alltoall \
        --calls 3 --repetitions 2 --keep "$work/kept" \
        >"$work/out" 2>&1 </dev/null
    job_status=$?
    job_line='scripts/whole curve'
    [ "$job_status" -le 1 ]
}
check "a curve is measured" curve
check "the curve has a row for each pair, side and point" [ "$(cut -d , -f 2-4 "$work/kept" | sort | xargs)" = "$(for pair in 1 2; do
    for side in native shunt; do
        for point in create 1 2 3 free; do echo "$pair,$side,$point"; done
    done
done | sort | xargs)" ]
check "the curve says what was measured" grep -q '^2 ranks; C = 2 rows; alltoall; 16 B$' "$work/out"
rm "$work/kept"
control()
{
    mkdir -p "$work/bare/src" "$work/bare/tests"
    ln -s "$PWD/src/libshuntyield.so" "$work/bare/src"
    ln -s "$PWD/tests/bench" "$work/bare/tests/bench"
    (cd "$work/bare" && "$scripts/whole" setup --control --ranks 2 --communicators 2 --calls 2 \
        --repetitions 1 --keep "$work/kept" >"$work/out" 2>&1 </dev/null)
    job_status=$?
    job_line='scripts/whole setup --control'
    [ "$job_status" -le 1 ]
}
check "a control needs no library" control
check "and has rows for both sides" [ "$(cut -d , -f 3 "$work/kept" | sort | uniq -c | xargs)" = "4 native 4 shunt" ]
check "a job that fails ends the measurement" \
    ends 5 env MPIEXEC=false "$scripts/whole" setup --ranks 2 --repetitions 1 --keep "$work/kept"
check "an empty choice is a mistake of usage" ends 2 "$scripts/whole" curve --op alltoall \
    --pattern sparse
check "settings that are not understood are a mistake of usage, and named" \
    ends 2 env SHUNT_FORCE=bruck "$scripts/whole" curve --keep "$work/kept"
check "with what is wrong about them" \
    grep -q '^SHUNT_FORCE: "bruck" does not say for which operation' "$work/out"
for script in whole programs accuracy; do
    check "the help of $script is whole" ends 0 "$scripts/$script" --help
    check "and ends with $script's last sentence" [ "$(tail -n 1 "$work/out")" = "$(sed -n '/^# shellcheck\|^[^#]/q; s/^# \{0,1\}//p' "$scripts/$script" | tail -n 1)" ]
done
check "a kind that there is not is a mistake of usage" \
    ends 2 "$scripts/whole" curve --kind wings
# A library that gets a byte wrong, in place of Shunt.
mkdir -p "$work/build/src" "$work/build/tests"
ln -s "$PWD/tests/mpi/corrupt.so" "$work/build/src/libshunt.so"
ln -s "$PWD/src/libshuntyield.so" "$work/build/src"
ln -s "$PWD/tests/apps" "$work/build/tests/apps"
ln -s "$PWD/src/shunt" "$work/build/src"
check "programs are not measured by settings that are not understood" \
    ends 2 env --chdir="$work/build" SHUNT_FORCE=bruck "$scripts/programs" --ranks 2 paths
check "another answer of a program does harm" \
    ends 1 env --chdir="$work/build" "$scripts/programs" --ranks 2 --repetitions 1 paths
check "the program with another answer is named" \
    grep -q '^programs: paths with 2 ranks, shunt: another answer' "$work/out"
check "a program that there is not is a mistake of usage" \
    ends 2 "$scripts/programs" doom
check "outside of the build folder nothing is measured" \
    ends 4 env --chdir="$work" "$scripts/whole" setup
finish
