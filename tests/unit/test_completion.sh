#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The completion for zsh, in an interactive zsh: it has what the command itself tells of. (That for
# bash: test_lists.sh.) Needs no MPI.
set -u
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
shunt=$top_build/src/shunt
need_command zsh
work=$(realpath "$work")
: >"$work/lines"

# completes LINE: what LINE may go on with is what is read here, a word per line.
completes()
{
    echo "$1" >>"$work/lines"
    sort -u >"$work/wanted.$(grep -c . "$work/lines")"
}

# words WORD...: one per line.
words()
{
    printf '%s\n' "$@"
}

commands=$("$shunt" --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p')
# shellcheck disable=SC2086 # words
words $commands help | completes 'shunt '
for command in $commands; do
    "$shunt" help --options "$command" |
        awk -F '\t' '{ print "--" $1 ($3 == "" ? "" : "=") } END { print "--help" }' |
        completes "shunt $command --"
done
"$shunt" algorithms --wide | awk '{ print "--algorithm=" $1 }' | completes 'shunt bench --algorithm='
"$shunt" algorithms --wide | awk '{ print "--algorithm=bruck," $1 }' |
    completes 'shunt log --algorithm=bruck,'
words --algorithm=parlogna:radix= --algorithm=parlogna:batch_size= \
    --algorithm=parlogna:metadata= | completes 'shunt bench --algorithm=parlogna:'
f=--force=alltoall=bruck:radix=2,alltoallv=
"$shunt" algorithms --wide | awk -v f=$f '$2 ~ /alltoallv/ { print f $1 }' | completes "shunt run $f"
words explain | completes 'shunt exp'
words algorithms | completes 'shunt help algo'
words --force= | completes 'shunt run --forc'
words --force=alltoall= --force=alltoallv= | completes 'shunt run --force='
f=--force=alltoallv=parlogna:
words ${f}radix= ${f}batch_size= ${f}metadata= | completes "shunt run $f"
words ${f}radix=2:metadata= | completes "shunt run ${f}radix=2:m"
words --sweep=radix | completes 'shunt schedule --sweep='
words --log=off --log=start --log=summary --log=calls | completes 'shunt run --log='
words --op=alltoall,alltoallv | completes 'shunt bench --op=alltoall,alltoallv'
words --algorithm=bruck,parlogna | completes 'shunt bench --algorithm=bruck,parlogn'
: >"$work/site-elephant.cfg"
words site-elephant.cfg | completes 'shunt check site-eleph'
words --config=site-elephant.cfg | completes 'shunt run --config=site-eleph'
# Behind the program everything is as for the program: zsh knows the options of echo, or none.
words site-elephant.cfg | completes 'shunt run cat site-eleph'

mkdir "$work/functions"
cp "$top/scripts/completion/_shunt" "$work/functions/"
(cd "$work" && PATH=$(dirname "$shunt"):$PATH HOME=$work timeout -k 10 300 zsh -f \
    "$(cd "$top/tests/unit" && pwd)/completion.zsh" "$work/functions" "$work" 2>"$work/err")
status=$?
[ $status -ne 77 ] || skip "this zsh has no module zpty"
[ $status -eq 0 ] || fail "zsh ended with status $status" "$work/err"
number=0
while IFS= read -r line; do
    number=$((number + 1))
    sort -u "$work/found.$number" >"$work/found" 2>/dev/null
    if [ ! -s "$work/wanted.$number" ]; then
        fail "\"$line\": there is nothing to compare"
    elif cmp -s "$work/found" "$work/wanted.$number"; then
        pass "\"$line\" is completed"
    else
        fail "\"$line\": lacking (<) and too many (>) are"
        diff "$work/wanted.$number" "$work/found" | grep '^[<>]'
    fi
done <"$work/lines"
finish
