# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What the tests of the command shunt share: a folder of their own, an empty environment, checks that count. Sourced.
# shellcheck disable=SC2034 # for those who source this
top=$(cd "${srcdir:-.}" && pwd)
build=$(pwd)
# shellcheck disable=SC2034 # likewise
shunt=$build/src/shunt
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# Nothing of the user's own may change the results.
for name in $(env | sed -n 's/^\(SHUNT_[A-Z_]*\)=.*/\1/p'); do unset "$name"; done
unset LD_PRELOAD NO_COLOR
export HOME="$work" XDG_CONFIG_HOME="$work/xdg"
cd "$work" || exit 1
tests=0
failed=0

fail() {
    failed=$((failed + 1))
    echo "FAIL: $*"
    sed 's/^/  out: /' out
    sed 's/^/  err: /' err
}

# code WANTED COMMAND...: runs it; out and err keep what it wrote.
code() {
    wanted=$1
    shift
    tests=$((tests + 1))
    "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$wanted" ] || fail "$*: exit status $got instead of $wanted"
}

# line FILE TEXT: one line of FILE is exactly TEXT.
line() {
    tests=$((tests + 1))
    grep -Fxq -e "$2" "$1" || fail "no line \"$2\" in $1"
}

# empty FILE
empty() {
    tests=$((tests + 1))
    [ ! -s "$1" ] || fail "$1 is not empty"
}

finish() {
    echo "$tests checks, $failed failed"
    [ "$failed" -eq 0 ]
}
