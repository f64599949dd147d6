# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What the tests of applications share. The first thing that fails ends a test.
set -eu
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"

: "${srcdir:=.}"
[ "$full" = 1 ] && most_ranks=8 || most_ranks=6
ranks=$most_ranks
operations='alltoall alltoallv' # that the application calls

fail() {
    failed "$*"
    exit 1
}

# need PROGRAM REASON: skips the test when the program was not built.
need() {
    [ -x "$1" ] || skip "$1 was not built: $2"
}

have_shim() {
    [ -n "$lib" ] && [ -f "$lib" ]
}

# To be called at the end: says when the part with the preload was left out.
need_shim() {
    have_shim ||
        skip "the native part passed; for the rest libshunt.so (SHUNT_LIB=\"$lib\") was not found"
}

# launch PRELOAD PROGRAM...: with a limit, so that a hang is a failure. LD_PRELOAD reaches only the
# ranks, not the launcher.
launch() {
    preload=$1
    shift
    timeout -k 10 300 "$MPIEXEC" -n "$ranks" ${preload:+-genv LD_PRELOAD "$preload"} "$@"
}

native() {
    launch "$yield" "$@"
}

# shimmed FORCE LAYOUT PROGRAM...: libshunt.so comes first in the order; LAYOUT may be empty.
shimmed() {
    force=$1
    layout=$2
    shift 2
    (
        export SHUNT_FORCE="$force" SHUNT_STRICT=error
        export SHUNT_LOG=summary SHUNT_LOG_FILE="$work/shunt.log"
        [ -z "$layout" ] || export SHUNT_TEST_LAYOUT="$layout"
        launch "$lib${yield:+:$yield}" "$@"
    )
}

# took_effect FORCE: whether the summary shows every one of $operations under its forced algorithm;
# else equal answers prove nothing.
took_effect() {
    for operation in $operations; do
        algorithm=$(echo "$1" | tr ',' '\n' | sed -n "s/^$operation=\([^:]*\).*/\1/p")
        grep -q "^shunt:  $operation  *$algorithm " "$work/shunt.log" || return 1
    done
}

# What applications are run with, on $ranks ranks: FORCE and LAYOUT, one pair per line. With
# SHUNT_TEST_FULL=1 every algorithm on more layouts, with more ranks.
matrix() {
    if [ "$full" != 1 ]; then
        cat <<'END'
alltoall=spread-out,alltoallv=spread-out
alltoall=scattered:batch_size=3,alltoallv=scattered:batch_size=3 4,2
alltoall=bruck:radix=4,alltoallv=parlogna:radix=4
alltoall=two-phase-bruck,alltoallv=two-phase-bruck 3,3
alltoall=parlinna-coalesced:radix=2:batch_size=1,alltoallv=parlinna-coalesced:radix=2:batch_size=1 3,3
alltoall=parlinna-staggered:radix=3:batch_size=4,alltoallv=parlinna-staggered:radix=3:batch_size=4 3,2,1
END
        return
    fi
    cat <<'END'
alltoall=native,alltoallv=native
alltoall=spread-out,alltoallv=spread-out
alltoall=scattered:batch_size=3,alltoallv=scattered:batch_size=3 5,3
alltoall=pairwise,alltoallv=pairwise
alltoall=bruck:radix=4,alltoallv=parlogna:radix=4
alltoall=two-phase-bruck,alltoallv=two-phase-bruck 4,4
alltoall=parlinna-coalesced:radix=2:batch_size=1,alltoallv=parlinna-coalesced:radix=2:batch_size=1 4,4
alltoall=parlinna-staggered:radix=3:batch_size=4,alltoallv=parlinna-staggered:radix=3:batch_size=4 3,3,2
END
    for layout in 8 4,4 2,2,2,2 1,7 3,1,4 1,1,1,1,1,1,1,1; do
        for algorithm in bruck:radix=2 bruck:radix=3 bruck:radix=8; do
            echo "alltoall=$algorithm,alltoallv=parlogna:${algorithm#bruck:} $layout"
        done
        for algorithm in \
            parlinna-coalesced:radix=2:batch_size=2 parlinna-coalesced:radix=4:batch_size=7 \
            parlinna-staggered:radix=2:batch_size=1 parlinna-staggered:radix=4:batch_size=16; do
            echo "alltoall=$algorithm,alltoallv=$algorithm $layout"
        done
    done
}

# answer FILE: a program's output without what may differ between runs.
answer() {
    grep -v '^seconds' "$1"
}

# same_under_shim NAME PROGRAM...: runs natively, then with the lines of the matrix, and compares the
# answers. Without SHUNT_TEST_FULL=1 those whose number is $part modulo $parts: tests that call this
# for similar programs share the lines among them.
parts=1 part=0
same_under_shim() {
    name=$1
    shift
    native "$@" >"$work/$name.native" 2>&1 || {
        cat "$work/$name.native"
        fail "$name without Shunt"
    }
    answer "$work/$name.native" >"$work/$name.expected"
    have_shim || return 0
    matrix | awk -v parts="$([ "$full" = 1 ] && echo 1 || echo "$parts")" -v part="$part" \
        'parts == 1 || NR % parts == part' >"$work/matrix"
    while read -r force layout; do
        shimmed "$force" "$layout" "$@" >"$work/$name.out" 2>"$work/$name.err" </dev/null || {
            cat "$work/$name.out" "$work/$name.err"
            fail "$name with SHUNT_FORCE=$force SHUNT_TEST_LAYOUT=$layout"
        }
        answer "$work/$name.out" >"$work/$name.answer"
        diff "$work/$name.expected" "$work/$name.answer" || {
            cat "$work/$name.err"
            fail "$name answers differently with SHUNT_FORCE=$force SHUNT_TEST_LAYOUT=$layout"
        }
        took_effect "$force" || {
            cat "$work/shunt.log" "$work/$name.err"
            fail "$name was not routed with SHUNT_FORCE=$force SHUNT_TEST_LAYOUT=$layout"
        }
        [ ! -s "$work/$name.err" ] || {
            cat "$work/$name.err"
            fail "$name: words on stderr with SHUNT_FORCE=$force SHUNT_TEST_LAYOUT=$layout"
        }
        pass "$name answers as it does natively with SHUNT_FORCE=$force SHUNT_TEST_LAYOUT=$layout"
    done <"$work/matrix"
}
