# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What all test scripts share: sourced by the common.sh of their folders, or by themselves. They run
# in the top build folder (as `make check` does), and lie in a folder of tests/.
#
# From the environment (tests/local.mk): SHUNT_LIB, the library under test; SHUNT_YIELD, a helper
# for more ranks than cores; MPIEXEC; abs_top_builddir. SHUNT_TEST_FULL=1: what runs nightly, for
# minutes a test; SHUNT_TEST_FULL=all: every combination as well, for hours.
# SHUNT_TEST_NATIVE=1: without the library, which checks some tests.
# shellcheck disable=SC2034 # variables for the scripts

MPIEXEC=${MPIEXEC:-mpiexec.hydra}
top=$(cd "$(dirname "$0")/../.." && pwd)
top_build=${abs_top_builddir:-$PWD}
lib=${SHUNT_LIB:-}
yield=${SHUNT_YIELD:-}
native=${SHUNT_TEST_NATIVE:-0}
full=${SHUNT_TEST_FULL:-0} hours=no
[ "$full" != all ] || full=1 hours=yes
# Settings of the user's own shell are not part of a test, and the library reports SHUNT_ variables
# that it does not know.
for name in $(env | sed -n 's/^\(SHUNT_[A-Z_]*\)=.*/\1/p'); do
    unset "$name"
done
SHUNT_TEST_FULL=$full # not in the environment any more

work=$(mktemp -d "${TMPDIR:-/tmp}/shunt-test.XXXXXX") || exit 99
trap 'rm -rf "$work"' EXIT
trap 'exit 99' HUP INT TERM

# Rules are followed, whatever they take here; tests of the guard switch it on.
export SHUNT_GUARD=0

# Nor is what programs learned on this machine.
export XDG_CACHE_HOME="$work/cache"

passes=0
failures=0

# pass, failed, skip SENTENCE: what holds, what does not hold, why the test says nothing.
pass()
{
    passes=$((passes + 1))
    echo "PASS: $*"
}

failed()
{
    failures=$((failures + 1))
    echo "FAIL: $*"
}

skip()
{
    echo "SKIP: $*"
    exit 77
}

# show FILE...: the beginnings of those that are there.
show()
{
    for shown; do
        [ -f "$shown" ] || continue
        echo "  $(basename "$shown"):"
        head -n 40 "$shown" | sed 's/^/    /'
    done
}

# fail SENTENCE [FILE]...: with the contents of the files. Some folders have their own.
fail()
{
    failed "$1"
    shift
    show "$@"
}

# check SENTENCE COMMAND...: passes when the command, which may be a function, succeeds.
check()
{
    check_what=$1
    shift
    if "$@"; then pass "$check_what"; else fail "$check_what"; fi
}

need_command()
{
    command -v "$1" >/dev/null 2>&1 || skip "$1 is not installed"
}

# Last line of a script: its exit status.
finish()
{
    echo "$passes passed, $failures failed"
    [ "$failures" -eq 0 ] && [ "$passes" -gt 0 ]
    exit $?
}
