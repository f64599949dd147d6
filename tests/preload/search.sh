#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Which decision file a job finds when none is named: the one that `shunt check` names, whatever
# else lies in the folders.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need "$build/plain" "the program of this test"
shunt=${abs_top_builddir:-$PWD}/src/shunt
cd "$work" || exit 99
HOME=$work/home
XDG_CONFIG_HOME=
export HOME XDG_CONFIG_HOME
user=$HOME/.config/shunt
mkdir -p "$user" xdg/shunt

# file PATH ID: a decision file for all hosts whose only rule is called ID.
file()
{
    printf 'schema = 1;\nmachine = { hosts = "*"; };\nalltoallv = ( { id = "%s"; algorithm = "scattered"; batch_size = 2; } );\n' "$2" >"$1"
}

# finds WHAT RULE LINES: the job ends well, its calls were taken by that rule, `shunt check` names
# its file, and the library said LINES lines besides the summary.
finds()
{
    job 4 -genv SHUNT_WARMUP 0 -genv SHUNT_LOG summary "$build/plain"
    "$shunt" check >"$work/check" 2>&1
    said=$(grep '^shunt: ' "$work/err" | grep -vcE '^shunt: ( |summary)')
    if [ "$status" -ne 7 ] || ! grep -q '^ranks 4 wrong 0$' "$work/out"; then
        fail "$1: status $status, expected 7" "$work/out" "$work/err"
    elif ! grep -q "^shunt:  alltoallv .* $2\$" "$work/err"; then
        fail "$1: no call was taken by $2" "$work/err"
    elif ! grep -q "^table of host .*${2%%:*}\$" "$work/check"; then
        fail "$1: check names another file" "$work/check"
    elif [ "$said" -ne "$3" ]; then
        fail "$1: $said lines instead of $3" "$work/err"
    else
        pass "$1: calls are taken by $2"
    fi
}

file xdg/shunt/a.cfg relative
file "$user/m.cfg" home
finds "no XDG_CONFIG_HOME" "$user/m.cfg:3 \"home\"" 0
XDG_CONFIG_HOME=xdg
finds "a relative XDG_CONFIG_HOME does not count" "$user/m.cfg:3 \"home\"" 0
XDG_CONFIG_HOME=$work/xdg
finds "an absolute one does" "$work/xdg/shunt/a.cfg:3 \"relative\"" 0
XDG_CONFIG_HOME=

# One line of the job's first rank, and the next file is used.
printf 'schema = 1;\nmachine = { hosts = "elsewhere"; };\nalltoallv = ( {\n' >"$user/a.cfg"
finds "a file for another machine that cannot be parsed" "$user/m.cfg:3 \"home\"" 1
[ "$(said 'a.cfg:3: .*skipped')" -eq 1 ] ||
    fail "not a word about the file that was skipped" "$work/err"
rm "$user/a.cfg"
mkfifo "$user/a.cfg"
finds "a pipe" "$user/m.cfg:3 \"home\"" 1
job 4 -genv SHUNT_WARMUP 0 -genv SHUNT_CONFIG "$user/a.cfg" "$build/plain"
if [ "$status" -eq 7 ] && [ "$(said 'is a pipe')" -eq 1 ]; then
    pass "where SHUNT_CONFIG names a pipe, all is native, and it is said"
else
    fail "SHUNT_CONFIG names a pipe: status $status" "$work/out" "$work/err"
fi

# The file that cannot be parsed is this machine's: nothing is routed.
rm "$user/a.cfg"
printf 'schema = 1;\nmachine = { hosts = "*"; };\nalltoallv = ( {\n' >"$user/a.cfg"
job 4 -genv SHUNT_WARMUP 0 -genv SHUNT_LOG summary "$build/plain"
if [ "$status" -eq 7 ] && [ "$(said 'a.cfg:3: ')" -ge 1 ] && ! grep -q scattered "$work/err"; then
    pass "with a file for this machine that cannot be parsed, all is native, and it is said"
else
    fail "a file for this machine that cannot be parsed: status $status" "$work/out" "$work/err"
fi
job 4 -genv SHUNT_WARMUP 0 -genv SHUNT_LOG summary -genv SHUNT_CONFIG built-in "$build/plain"
if [ "$status" -eq 7 ] && [ "$(said 'a.cfg')" -eq 0 ] &&
    grep -q '^shunt:  table   built-in;' "$work/err"; then
    pass "SHUNT_CONFIG=built-in asks for no file"
else
    fail "SHUNT_CONFIG=built-in: status $status" "$work/out" "$work/err"
fi
finish
