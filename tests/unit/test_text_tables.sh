#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What people read fits 100 columns, in no table have two columns one name, and folding loses
# nothing. Needs no MPI; tests/mpi/bench.sh looks at the table of shunt bench in the same way.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"
export LC_ALL=C.UTF-8

# narrow FILE: no line is too long, and no line of headings has one twice. Headings are what is
# printed in columns without a digit.
# shellcheck disable=SC2317 # "code" calls it
narrow()
{
    awk 'length($0) > 100 { printf "%d columns: %s\n", length($0), $0; bad = 1 }
        !/[0-9]/ && split($0, part, /   */) > 2 {
            for (i in part) for (j in part)
                if (i != j && part[i] == part[j] && part[i] ~ /[a-z]/) {
                    printf "\"%s\" twice: %s\n", part[i], $0; bad = 1 } }
        END { exit bad }' "$1"
}

# fits STATUS ARGUMENT...: that command's text.
fits()
{
    fits_status=$1
    shift
    code "$fits_status" timeout 60 "$shunt" "$@"
    tests=$((tests + 1))
    [ -s out ] || fail "$*: there is no text"
    mv out told
    narrow told >wrong || { tests=$((tests + 1)); cp wrong out; fail "$*: $(head -n 1 wrong)"; }
}

# folds STATUS ARGUMENT...: the same, and with --wide are the same words on longer lines.
folds()
{
    fits "$@"
    folds_status=$1
    shift
    code "$folds_status" timeout 60 "$shunt" "$@" --wide
    tests=$((tests + 1))
    [ "$(tr -d ' \n' <told)" = "$(tr -d ' \n' <out)" ] || fail "$*: --wide tells something else"
    tests=$((tests + 1))
    [ "$(wc -l <told)" -gt "$(wc -l <out)" ] || fail "$*: nothing was folded: no test"
}

# They find what they have to find.
printf 'name  time  its name\n%0100d\n' 0 >out
code 0 narrow out
printf 'name  time  name\n' >headings
code 1 narrow headings
printf '%0101d\n' 0 >long
code 1 narrow long

# Names as long as those of real sites.
site="$work/decision tables of the site/of the machine of this year/of the group of this user"
mkdir -p "$site"
id='two nodes and more, up to half of the machine, small blocks of the transform'
cat >"$site/first.cfg" <<END
schema = 1;
machine = { name = "alpha"; };
alltoall = (
  { id = "one node"; nodes = 1; algorithm = "native"; },
  { id = "$id"; nodes = "2-"; ranks = "64-127"; block = "16-4K"; algorithm = "node-pair"; },
  { id = "rest"; algorithm = "native"; } );
alltoallv = ( { id = "p"; block = "1-64"; algorithm = "parlogna"; radix = "sqrt(P)"; } );
END
first=$site/first.cfg
sed 's/"node-pair"/"parlinna-coalesced"; radix = 4; batch_size = 16/; s/sqrt(P)/4/' \
    "$first" >"$site/second.cfg"

fits 0 --help
for command in run check explain predict schedule algorithms bench machine tune show diff view \
    import where env new log report; do
    fits 0 "$command" --help
done
fits 0 algorithms
fits 0 algorithms --long
fits 1 diff "$first" "$site/second.cfg"
fits 1 diff "$first" built-in
folds 1 diff "$first" "$site/second.cfg"
for table in built-in "$first"; do
    for op in alltoall alltoallv; do
        fits 0 explain --op=$op --ranks=64 --nodes=4 --block=512 "$table"
        fits 0 explain --op=$op --ranks=64 --nodes=4 --block=512 --memory=0 "$table"
        fits 0 explain --grid --op=$op --ranks=4-4096 --nodes=4 --block=1-64K "$table"
    done
done
for op in alltoall alltoallv; do
    some=bruck,parlogna
    [ $op = alltoall ] || some=sloav,parlogna
    fits 0 predict --op=$op --ranks=64 --nodes=4 --block=512 --machine=polaris-like --all
    fits 0 predict --op=$op --sweep=radix --algorithm=parlogna --ranks=64 --nodes=4 --block=512 \
        --machine=polaris-like
    fits 0 predict --op=$op --curves --algorithm=$some --ranks=16-128 --ppn=8 \
        --block=512 --machine=polaris-like
    fits 0 predict --op=$op --ranks=8-16 --ppn=4 --block=1-64 --algorithm=$some \
        --machine=polaris-like
done
fits 0 check "$top/conf/default.cfg"
fits 0 check "$first"
fits 0 env
SHUNT_CONFIG="$first" fits 0 env
fits 0 where
SHUNT_CONFIG="$first" fits 0 where
mkdir -p "$XDG_CONFIG_HOME/shunt"
cp "$first" "$XDG_CONFIG_HOME/shunt/a name that is much longer than those of files need to be.cfg"
fits 0 where

# Logs.
for rank in 0 1; do
    awk -v rank=$rank -v table="$first" -v name='the rows of the process grid' \
        -f "$top/tests/unit/report_lines.awk" >job.$rank.jsonl
done
folds 0 log job.?.jsonl
folds 0 log --summary job.?.jsonl
folds 0 report job.?.jsonl
folds 0 report --table="$site/second.cfg" job.?.jsonl

finish_checks
