#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Nothing is listed twice with a difference: the manual, the completion for bash and the tests know
# the algorithms, commands and options that the command itself tells of. Needs no MPI.
set -u
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
shunt=$top_build/src/shunt
completion=$top/scripts/completion/shunt.bash

# same WHAT WANTED SEEN: two files with the same lines, in any order.
same()
{
    sort -u "$2" >"$work/wanted"
    sort -u "$3" >"$work/seen"
    if [ ! -s "$work/wanted" ]; then
        fail "$1: there is nothing to compare"
    elif cmp -s "$work/wanted" "$work/seen"; then
        pass "$1"
    else
        fail "$1: lacking (<) and too many (>) are"
        diff "$work/wanted" "$work/seen" | grep '^[<>]'
    fi
}

# whole: lines that go on behind a backslash, as one.
whole()
{
    awk '/\\$/ { printf "%s", substr($0, 1, length($0) - 1); next } { print }' "$@"
}

# section FILE MACRO TITLE: the lines of a section of a manual page.
section()
{
    whole "$1" | awk -v macro="$2" -v title="$3" '
        $1 == ".Sh" || ($1 == ".Ss" && macro == ".Ss") { on = $0 == macro " " title; next } on'
}

# Algorithms.
"$shunt" algorithms --wide >"$work/rows"
awk '{ print $1 }' "$work/rows" >"$work/names"
section "$top/man/shunt.cfg.5" .Ss Algorithms >"$work/page"
sed -n 's/^\.It Cm //p' "$work/page" | tr -s ' ,' '\n' >"$work/told"
same "the manual's list has every algorithm" "$work/names" "$work/told"
awk '$2 == "alltoall" { print $1 }' "$work/rows" >"$work/only"
awk '$1 == ".It" { item = $0; next }
     /^Only alltoall/ { gsub(/^\.It Cm | ,/, "", item); print item }' "$work/page" |
    tr ' ' '\n' >"$work/told"
same "the manual says which of them serve only alltoall" "$work/only" "$work/told"
# "NAME PARAMETER=LEAST..MOST(DEFAULT)", one parameter per line.
awk '{ for (i = 3; i <= NF && $i ~ /^[a-z_]+=.*\)$/; i++) print $1, $i }' "$work/rows" \
    >"$work/parameters"
section "$top/man/shunt.cfg.5" .Ss 'Parameters of algorithms' |
    awk '$1 == ".It" { name = $3 } $1 == ".Li" && name != "" { print name, $2 }' >"$work/told"
same "the manual has all parameters, with bounds and defaults" "$work/parameters" "$work/told"

# What the page of `shunt view` says of collectives: "NAME routed" for each.
collectives=$top/src/viewer/app/src/collectives.ts
{
    sed -n 's/^ *SHUNT_BOTH(X, \(MPI_[A-Za-z_]*\),.*/\1 false/p' "$top/src/pmpi/back_end.h"
    sed -n 's/^ *X(\(MPI_[A-Za-z_]*[^c"]\), .*/\1 true/p' "$top/src/pmpi/back_end.h"
} >"$work/entries"
awk '/^export const COLLECTIVES/ { on = 1 }
     on { line = $0
          while (match(line, /MPI_[A-Za-z_]+/)) {
              names = names " " substr(line, RSTART, RLENGTH)
              line = substr(line, RSTART + RLENGTH)
          } }
     on && match($0, /routed: [a-z]+/) {
          count = split(names, list, " "); names = ""
          for (i = 1; i <= count; i++) print list[i], substr($0, RSTART + 8, RLENGTH - 8) }' \
    "$collectives" >"$work/told"
same "the page tells of each collective whether it is routed" "$work/entries" "$work/told"

# A test that treats some algorithms otherwise, by patterns of their names.
awk '/case \$algorithm in/ { on = 1; next } /esac/ { on = 0 } on' "$top/tests/mpi/events.sh" |
    sed -n 's/^ *\([a-z][a-z| *-]*\)) .*/\1/p' | tr -d ' ' | tr '|' '\n' >"$work/patterns"
while read -r pattern; do
    matching=0
    while read -r name; do
        # shellcheck disable=SC2254 # it is a pattern
        case $name in $pattern) matching=$((matching + 1)) ;; esac
    done <"$work/names"
    if [ $matching -gt 0 ]; then
        pass "tests/mpi/events.sh: there are algorithms named $pattern"
    else
        fail "tests/mpi/events.sh: no algorithm is named $pattern"
    fi
done <"$work/patterns"

# Settings: names, and those defaults that are values.
"$shunt" env >"$work/settings"
awk '/^[^ ]/ { print $1 }' "$work/settings" >"$work/variables"
section "$top/man/libshunt.7" .Sh ENVIRONMENT >"$work/page"
sed -n 's/^\.It Ev \(SHUNT_[A-Z_]*\).*/\1/p' "$work/page" >"$work/told"
same "the manual has every setting" "$work/variables" "$work/told"
sed -n 's/^\([A-Z_]*\)  *\([^ ]*\)  *default .*/\1 \2/p' "$work/settings" \
    | grep -vE '^SHUNT_LOG_(FORMAT|RANKS) ' >"$work/wanted.defaults"
awk '$1 == ".It" { name = $3 }
     /^Default: / { print name, $2 }
     after { print name, ($1 == ".Cm" ? $2 : $1) }
     { after = $0 == "Default:" }' "$work/page" | sed 's/[.,;]*$//' >"$work/told"
grep -vE ' (not|by|as|the|json|all|standard)$' "$work/told" >"$work/told.defaults"
same "the manual has the defaults" "$work/wanted.defaults" "$work/told.defaults"

# Commands.
"$shunt" --help | sed -n 's/^  \([a-z][a-z-]*\) .*/\1/p' >"$work/commands"
section "$top/man/shunt.1" .Sh SYNOPSIS | sed -n 's/^\.Nm shunt Cm //p' | grep -vx help | sort -u >"$work/told"
same "the manual's synopsis has every command" "$work/commands" "$work/told"
if (cd "$top_build" && "$top/scripts/manual" --check) >"$work/told" 2>&1; then
    pass "synopses and names of options in the manual are those of the commands"
else
    fail "the manual differs from the commands" "$work/told"
fi
sed -n 's/^\.Ss shunt //p' "$top/man/shunt.1" >"$work/told"
same "the manual describes every command" "$work/commands" "$work/told"

# completed LINE: what bash would put in place of the last piece of LINE, one per line.
completed()
{
    # shellcheck disable=SC2016 # the inner shell expands it
    bash -c '
        . "$1"
        COMP_LINE=$3 COMP_POINT=${#3}
        read -ra COMP_WORDS < <(sed "s/[=:]/ & /g" <<<"$3")
        case $3 in *[\ =:]) COMP_WORDS+=("") ;; esac
        COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
        _shunt "$2"
        printf "%s\n" "${COMPREPLY[@]}"' bash "$completion" "$shunt" "$1"
}

# Options: helped COMMAND, described COMMAND: their long names, one per line.
helped()
{
    "$shunt" help --options "$1" | cut -f 1 | sed 's/^/--/' | sort -u
}

# long COMMAND: "-j" to "--json", as the list of its options says.
long()
{
    "$shunt" help --options "$1" | awk -F '\t' '$2 != "" { print "s,^-" $2 "$,--" $1 "," }' >"$work/short"
    sed -f "$work/short"
}

# flags: what follows Fl in lines of a manual page; "--" alone is none.
flags()
{
    awk '{ for (i = 1; i < NF; i++) if ($i == "Fl" || $i == ".Fl") print "-" $(i + 1) }' |
        grep -vx -e '--'
}

# of_page COMMAND: its page.
of_page()
{
    page=$top/man/shunt-$1.1
    [ -f "$page" ] || page=$top/man/shunt.1
    echo "$page"
}

described()
{
    if [ "$(of_page "$1")" = "$top/man/shunt.1" ]; then
        section "$top/man/shunt.1" .Ss "shunt $1"
    else
        whole "$(of_page "$1")"
    fi | grep '^\.It Fl' | flags | long "$1"
}

while read -r command; do
    "$shunt" help --options "$command" | awk -F '\t' '$5 !~ /^[^A-Z ]/ && $5 !~ /^[A-Z]+[^a-z]/ || $5 ~ /\.$/ && $5 !~ /\.\.\.$/ || NF != 5' >"$work/wrong"
    if [ -s "$work/wrong" ]; then
        fail "$command: these options have no sentence as others have it" "$work/wrong"
    else
        pass "$command: every option has a sentence, without a full stop"
    fi
    helped "$command" >"$work/helped"
    described "$command" >"$work/told"
    same "$command: the manual describes the options of the help" "$work/helped" "$work/told"
    if command -v bash >/dev/null; then
        completed "shunt $command --" | sed 's/=$//' | grep -vx -e --help >"$work/told"
        same "$command: the completion has the options of the help" "$work/helped" "$work/told"
    fi
done <"$work/commands"

# completes LINE WORD...: the words are all that LINE may go on with.
completes()
{
    completes_line=$1
    shift
    printf '%s\n' "$@" >"$work/words"
    completed "$completes_line" >"$work/told"
    same "\"$completes_line\" is completed" "$work/words" "$work/told"
}

if command -v bash >/dev/null; then
    completed 'shunt ' | grep -vx help >"$work/told"
    same "the completion has every command" "$work/commands" "$work/told"
    completed 'shunt bench --algorithm=' >"$work/told"
    same "the completion has every algorithm" "$work/names" "$work/told"
    completed 'shunt run --force=alltoall=bruck:radix=2,alltoallv=' >"$work/told"
    awk '$2 ~ /alltoallv/ { print $1 }' "$work/rows" >"$work/serving"
    same "the completion has the algorithms that serve an operation" "$work/serving" "$work/told"
    completes 'shunt exp' explain
    completes 'shunt help algo' algorithms
    completes 'shunt run --forc' --force=
    completes 'shunt run --force=' alltoall= alltoallv=
    completes 'shunt run --force=alltoallv=parlogna:' radix= batch_size= metadata=
    completes 'shunt run --force=alltoallv=parlogna:radix=2:m' metadata=
    completes 'shunt schedule --sw' --sweep=
    completes 'shunt schedule --sweep=' radix
    completes 'shunt predict --objective=' time energy memory
    completes 'shunt predict --sweep=' radix
    completes 'shunt import --format=' mpich open-mpi
    completes 'shunt diff --op=' alltoall alltoallv
    completes 'shunt run --log=' off start summary calls
    completes 'shunt log --operation=' alltoall alltoallv
    completes 'shunt bench --algorithm=bruck,parlogn' bruck,parlogna
    completes "shunt check $top/man/shunt.c" "$top/man/shunt.cfg.5"
    completes "shunt run --config=$top/man/shunt.c" "$top/man/shunt.cfg.5"
    completes 'shunt log --algorithm=native,parlogn' native,parlogna
    completes 'shunt bench --algorithm=parlogna:' radix= batch_size= metadata=
    if [ -z "$(completed 'shunt log --algorithm=parlogna:')" ]; then
        pass "shunt log takes names of algorithms alone, and no parameters are offered"
    else
        fail "shunt log is offered parameters of algorithms, which it does not take"
    fi
    for line in 'shunt run mpiexec --' 'shunt run -- --' 'shunt run --log=calls mpiexec --'; do
        if [ -z "$(completed "$line")" ]; then
            pass "\"$line\" is not completed: behind the program all options are the program's"
        else
            fail "\"$line\" is completed, though the options are the program's"
        fi
    done
else
    echo "the completion is left out: bash is not installed"
fi

finish
