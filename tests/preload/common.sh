# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What the scripts of this folder share; sourced by them, which run in the top build folder (as `make check` does).
#
# From the environment (set by tests/local.mk): SHUNT_LIB, the library under test; SHUNT_YIELD, a helper for more ranks than cores; MPIEXEC;
# abs_top_builddir. They become shell variables only: the library reports SHUNT_ variables that it does not know.
set -u

lib=${SHUNT_LIB:-} yield=${SHUNT_YIELD:-} mpiexec=${MPIEXEC:-mpiexec.hydra}
# shellcheck disable=SC2034 # for the scripts
build=${abs_top_builddir:-$PWD}/tests/preload
# Settings of the user's own shell are not part of a test.
for name in $(env | sed -n 's/^\(SHUNT_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done

work=$(mktemp -d "${TMPDIR:-/tmp}/shunt-preload.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM
failures=0

skip()
{
    echo "SKIP: $*"
    exit 77
}

pass()
{
    echo "PASS: $*"
}

# fail WHAT [FILE]...: with the contents of the files.
fail()
{
    echo "FAIL: $1"
    shift
    failures=$((failures + 1))
    for file in "$@"; do
        [ -f "$file" ] || continue
        echo "  $(basename "$file"):"
        head -n 40 "$file" | sed 's/^/    /'
    done
}

# Last line of a script: its exit status.
finish()
{
    [ "$failures" -eq 0 ]
    exit $?
}

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

need_command()
{
    command -v "$1" >/dev/null 2>&1 || skip "$1 is not installed"
}

# job RANKS [mpiexec option]... PROGRAM...: under MPICH's mpiexec with the library preloaded into the ranks, and at most 60 seconds.
# Output is left in $work/out and $work/err, the status in $status.
job()
{
    ranks=$1
    shift
    timeout -k 10 60 "$mpiexec" -n "$ranks" -genv LD_PRELOAD "$lib${yield:+:$yield}" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    case $status in 124 | 137) echo "HANG: $*" ;; esac
}

# said PATTERN: how many lines of the library on stderr match.
said()
{
    grep -c "^shunt: .*$1" "$work/err"
}
