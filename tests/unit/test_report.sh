#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt report: figures that can be told beforehand, each form, damaged logs, bounded memory. Needs
# no MPI.
# shellcheck disable=SC2016 # inner shells expand what is in single quotes
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"
lines=$top/tests/unit/report_lines.awk
own_page

# figure WANTED COLUMN CONDITION: the column, by name, of the lines of out (CSV without quotes) that
# meet a condition of awk, in which columns are c("name"); sorted and joined by spaces.
figure()
{
    tests=$((tests + 1))
    seen=$(awk -F , 'function c(name) { return $at[name] }
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        '"$3"' { print c("'"$2"'") }' out | sort | tr '\n' ' ' | sed 's/ $//')
    [ "$seen" = "$1" ] || fail "$2 where $3: \"$seen\" instead of \"$1\""
}

cat >site.cfg <<'END'
schema = 1;
alltoall = (
  { id = "small"; block = "0-4K"; algorithm = "bruck"; radix = 2; },
  { id = "other"; algorithm = "spread-out"; } );
alltoallv = (
  { id = "never"; algorithm = "native"; } );
END
for rank in 0 1; do
    awk -v rank=$rank -v table="$work/site.cfg" -f "$lines" >job.$rank.jsonl
done

# Usage, and what cannot be read or written.
code 2 "$shunt" report
line err 'shunt report: no LOG is named; "-" is the standard input; see "shunt report --help"'
code 2 "$shunt" report --elephant job.0.jsonl
code 2 "$shunt" report --memory=1 job.0.jsonl
code 2 "$shunt" report --csv -j job.0.jsonl
line err 'shunt report: --json and --csv: give one; see "shunt report --help"'
empty out
code 2 "$shunt" report --json --csv job.0.jsonl
code 0 "$shunt" report --help
line out 'usage: shunt report [OPTION]... LOG...'
code 4 "$shunt" report --machine=elephant job.0.jsonl
empty out
echo 'schema = 1; alltoall = ( { algorithm = "brück"; } );' >wrong.cfg
code 3 "$shunt" report --table=wrong.cfg job.0.jsonl
part err 'wrong.cfg:1:'
code 4 "$shunt" report --table=missing.cfg job.0.jsonl
code 4 "$shunt" report --html=missing/run.html job.0.jsonl
part err 'missing/run.html: cannot be written: No such file or directory'
keeps kept.html report --html=kept.html job.0.jsonl
# To standard output the page goes alone.
code 0 "$shunt" report --html=whole.html job.0.jsonl
code 0 "$shunt" report --html=- job.0.jsonl
[ "$(tail -c 8 out)" = "$(tail -c 8 whole.html)" ] || fail "something follows the page"
code 4 sh -c '"$1" report job.0.jsonl >/dev/full' sh "$shunt"

# For people.
code 0 "$shunt" report job.0.jsonl job.1.jsonl
empty err
line out 'program     ./app -n 3 < in & <b>'
line out 'date        2026-11-22 08:00:00 UTC'
line out 'wall time   315 ms'
line out 'job         none of a batch system'
line out 'hosts       not told'
line out 'library     MPICH 4.0.2'
line out "table       $work/site.cfg"
line out 'shunt       0.3.0'
line out 'other MPI   not measured'
line out 'time        31.5 ms of a rank on average, 33.3 % in routed calls; 10.0 % of the run'
line out 'gain        at least 26.0 ms saved by a rank on average'
line out '            routed calls 3.0 times as fast as native, 3.0 to 6.0 (6 native, 13 routed calls each)'
line out 'clocks of ranks agree within 3.00 us: smaller skews say nothing'
line out 'arrive late  rank 1: 2.00 ms behind the first on average, last in 100.0% of its calls'
line out 'wait         rank 0: 2.00 ms for the last on average, 42.0 ms in all'
line out 'operation, all ranks                calls      bytes       time  of time  routed time  speedup'
line out 'alltoall                               42     42 KiB    63.0 ms   100.0%        33.3%  3.0 (3.0-6.0)'
line out 'alltoall, site.cfg:3 "small"           14     14 KiB    14.0 ms    22.2%       100.0%  3.0 (3.0-3.0)'
line out 'alltoall, site.cfg:4 "other"           14     14 KiB    7.00 ms    11.1%       100.0%  6.0 (6.0-6.0)'
line out 'alltoall, native is timed beside what the table chose'
line out '                                       14     14 KiB    42.0 ms    66.7%         0.0%  -'
# All ranks missed that one; rank 1 had calls for the other.
grep -A 9 '^rules that no call followed' out | grep 'site.cfg' >seen
echo "  alltoallv $work/site.cfg:6 \"never\"" >wanted
tests=$((tests + 1))
cmp -s wanted seen || fail "rules that no call followed: $(cat seen)"
# Without summaries, the table and the calls tell the same.
for rank in 0 1; do grep -v '"event": "summary"' job.$rank.jsonl >short.$rank.jsonl; done
code 0 "$shunt" report short.0.jsonl short.1.jsonl
tests=$((tests + 1))
grep -A 9 '^rules that no call followed' out | grep 'site.cfg' | cmp -s wanted - ||
    fail "rules that no call followed, by the table"
# What drives terminals is shown, in whatever string of a log or a description it is.
sed 's/"unused_rules": \[{"operation": "alltoallv/&\\u001b[31m/' job.0.jsonl >escape.jsonl
sed 's/name = "polaris-like"/name = "like\\x1b[31m"/' "$top/conf/machines/polaris-like.cfg" >escape.cfg
escape=$(printf '\033')
# plain PART ARGUMENT...: the command's output has that, and no control character.
plain()
{
    plain_part=$1
    shift
    code 0 "$shunt" "$@"
    part out "$plain_part"
    tests=$((tests + 1))
    grep -q "$escape" out && fail "shunt $*: a control character"
}
plain 'alltoallv\x1b[31m ' report escape.jsonl
plain '"alltoallv\u001b[31m"' report --json escape.jsonl
plain 'machine    like\x1b[31m' predict --machine=escape.cfg --op=alltoall --nodes=2 --ppn=4 --block=64
plain 'machine    like\x1b[31m' predict --machine=escape.cfg --op=alltoall --ppn=4 --nodes=1-4 --block=64
plain 'machine    like\x1b[31m' schedule --machine=escape.cfg --algorithm=bruck --op=alltoall --ranks=4
plain 'best on like\x1b[31m' explain --predict --machine=escape.cfg --op=alltoall --nodes=2 --ppn=2 --block=64 site.cfg
code 2 "$shunt" predict --machine=escape.cfg --op=alltoall --ppn=4 --nodes=2 --block=64 --objective=energy
# Of many there is a number.
{
    echo 'schema = 1; alltoall = ('
    for rule in 1 2 3 4 5 6 7 8 9; do echo "{ ranks = $((100 + rule)); algorithm = \"bruck\"; },"; done
    echo '{ algorithm = "native"; } );'
} >many.cfg
code 0 "$shunt" report --config=many.cfg short.0.jsonl short.1.jsonl
line out '  and 2 more, which --html and --json name'
code 0 "$shunt" report short.0.jsonl short.1.jsonl
# The order of files does not matter.
cp out wanted
code 0 sh -c 'cat short.1.jsonl short.0.jsonl | "$1" report -' sh "$shunt"
tests=$((tests + 1))
cmp -s wanted out || fail "the standard input, rank 1 first"

# A table that is not there any more, or has changed.
for rank in 0 1; do
    awk -v rank=$rank -v table=/missing/site.cfg -f "$lines" >moved.$rank.jsonl
    awk -v rank=$rank -v table="$work/site.cfg" -v fingerprint=0000000000000001 -f "$lines" \
        >changed.$rank.jsonl
done
code 0 "$shunt" report moved.0.jsonl
line out 'the table of the job, /missing/site.cfg, cannot be read here; --config=FILE names a copy'
code 0 "$shunt" report --wide changed.0.jsonl
line out "the table of the job, $work/site.cfg, is not as it was then; --config=FILE names a copy"
code 0 "$shunt" report --wide --config=site.cfg changed.0.jsonl
line out 'the table of --config is not the one of the job: its fingerprint is another one'

# One that what programs had learned completed. Names of files may have commas.
mkdir -p 'a, /b'
cp site.cfg 'a, /b/c.cfg'
echo 'schema = 1; alltoall = ( { id = "kept"; ranks = "9"; calls = 3; algorithm = "pairwise"; } );' \
    >learned.cfg
# joined TABLE LEARNED [FINGERPRINT]: the log of such a job, without summaries.
joined()
{
    awk -v rank=0 -v table="$1, $2" -v fingerprint="${3-}" -v summary=0 -f "$lines" >joined.jsonl
}
kept="  alltoall $work/learned.cfg:1 \"kept\""
for first in "$work/site.cfg" "$work/a, /b/c.cfg"; do
    joined "$first" "$work/learned.cfg"
    code 0 "$shunt" report --wide joined.jsonl
    line out "$kept"
    line out "  alltoallv $first:6 \"never\""
    tests=$((tests + 1))
    grep -E '^(the table of|what programs)' out && fail "$first with what was learned: a note"
done
joined built-in "$work/learned.cfg"
code 0 "$shunt" report --wide joined.jsonl
line out "$kept"
joined /missing/site.cfg "$work/learned.cfg" 1
code 0 "$shunt" report --wide joined.jsonl
line out 'the table of the job, /missing/site.cfg, cannot be read here; --config=FILE names a copy'
code 0 "$shunt" report --wide --config=site.cfg joined.jsonl
line out "$kept"
line out "the table of --config, with what programs had learned before the job, $work/learned.cfg, is \
not the one of the job: its fingerprint is another one"
joined "$work/site.cfg" /missing/learned.cfg
code 0 "$shunt" report --wide joined.jsonl
line out "  alltoallv $work/site.cfg:6 \"never\""
line out "what programs had learned before the job, /missing/learned.cfg, cannot be read here: its \
rules are missing from the table of the job, $work/site.cfg"
joined "$work/site.cfg" "$work/learned.cfg" 1
code 0 "$shunt" report --wide joined.jsonl
line out "  alltoallv $work/site.cfg:6 \"never\""
line out "the table of the job, $work/site.cfg, or what programs had learned before the job, \
$work/learned.cfg, is not as it was then: the rules of the latter are left out"
# A call is one event, however many ranks tell of it.
for rank in 0 1; do
    grep -v '"call": [1-5], "operation": "alltoall", .*"native is timed' short.$rank.jsonl >one.$rank.jsonl
done
code 0 "$shunt" report one.0.jsonl one.1.jsonl
line out 'gain        not measured: 2 native calls were timed beside like routed ones, too few or too early'
tests=$((tests + 1))
grep -E 'saved|lost|[0-9] \([0-9]' out && fail "a gain from two calls"
# With SHUNT_VERIFY nothing is claimed.
for rank in 0 1; do
    sed '/"line"/s/"seconds": /"native": 0.004, &/' short.$rank.jsonl >verified.$rank.jsonl
done
code 0 "$shunt" report --json verified.0.jsonl verified.1.jsonl
part out '"verdict": "not measured: SHUNT_VERIFY=1 makes both exchanges in each call; run without it'
tests=$((tests + 1))
grep -E '"saved|"basis": "measured"' out && fail "a gain from a run with SHUNT_VERIFY"
# What the summaries of ranks say is said of the log as well, by log and report alike.
for rank in 0 1; do
    awk -v rank=$rank -v table="$work/site.cfg" -v summary='"estimate": {"speedup": 2, "low": 1.5,
        "high": 3, "calls": 5, "compared": 9, "saved": 0.010, "saved_low": 0.005, "saved_high": 0.015,
        "set_up": 0.001}, ' -f "$lines" | tr -d '\n' | sed 's/}{/}\n{/g' >told.$rank.jsonl
done
for what in report 'log --summary'; do
    # shellcheck disable=SC2086 # two words
    code 0 "$shunt" $what told.0.jsonl told.1.jsonl
    line out 'gain        10.0 ms saved by a rank on average, 5.00 ms to 15.0 ms, after 1.00 ms for set-up'
    line out '            routed calls 2.0 times as fast as native, 1.5 to 3.0 (5 native, 9 routed calls each)'
    # shellcheck disable=SC2086
    code 0 "$shunt" $what told.0.jsonl
    line out 'gain        10.0 ms saved, 5.00 ms to 15.0 ms, after 1.00 ms for set-up'
done
# What a rule knows of native calls, where these logs have too few.
sed 's/id = "small";/& calls = 9; native_us = 4000;/' site.cfg >knows.cfg
awk -v rank=0 -v table="$work/knows.cfg" -f "$lines" >knows.jsonl
code 0 "$shunt" report --csv knows.jsonl
figure measured basis 'c("line") == 3'
grep -v 'native is timed' knows.jsonl >few.jsonl
code 0 "$shunt" report --csv --machine=polaris-like few.jsonl
figure learned basis 'c("line") == 3'
figure 4.000000 speedup 'c("line") == 3'
figure model basis 'c("line") == 4'
code 0 "$shunt" report few.jsonl
line out 'gain        not measured: no native call was timed beside like routed ones'
line out '            expected, not measured: routed calls 4.0 times as fast as native, when learned'

# Long names of rules, as learned ones have, have a line of their own and push no column away; the
# longest are cut.
long="learned: 4 ranks, 1 x 4, 257-512 B: 13.6 us, native 28.1 ms"
for id in "$long" "ü$long" "$long, $long"; do
    sed "s/\"id\": \"small\"/\"id\": \"$id\"/" job.0.jsonl >long.jsonl
    code 0 "$shunt" report long.jsonl
    tests=$((tests + 1))
    LC_ALL=C.UTF-8 sed -n '/^rule, all/,/^$/p' out | sed 's/ü/u/g' |
        awk 'length($0) > 100 { wrong++ }
            NR == 1 { at = index($0, "calls") + 4; next }
            NF > 0 && / ms +[0-9.]+%/ { rows++; wrong += substr($0, at - 2, 5) !~ /^ *[0-9]+  $/ }
            END { exit !(rows == 3 && wrong == 0) }' ||
        fail "columns behind the rule \"$id\""
done
# It is told in whole.
line out "alltoall, site.cfg:3 \"$long, learned: 4 ranks,"
line out "    ${long#learned: 4 ranks, }\""

# Where ranks are and where in the program calls are made, where the logs tell; hosts of the first
# run alone, for files are appended to.
for rank in 0 1; do
    sed "s/\"schema\": 1,/& \"host\": \"n$rank\", \"job\": \"7\",/
        /\"event\": \"call\"/s/\"rejected\"/\"site\": \"\/opt\/app+0x11e3\", \"symbol\": \"turn\", &/
        /spread-out/s/0x11e3\", \"symbol\": \"turn\"/0x22f4\"/" job.$rank.jsonl >placed.$rank.jsonl
done
sed 's/"host": "n1"/"host": "n9"/' placed.1.jsonl >again.jsonl
code 0 "$shunt" report placed.0.jsonl placed.1.jsonl again.jsonl
line out 'hosts       2 with 1 rank each: n0, n1'
line out 'job         7'
line out 'wall time   630 ms in 2 runs'
code 0 "$shunt" report placed.0.jsonl placed.1.jsonl
line out 'call site, all ranks                calls      bytes       time  of time'
line out 'alltoall, turn, app+0x11e3             28     28 KiB    56.0 ms    88.9%'
line out 'alltoall, app+0x22f4                   14     14 KiB    7.00 ms    11.1%'
code 0 "$shunt" report --json placed.0.jsonl placed.1.jsonl
line out '"run": {"date": "2026-11-22T08:00:00Z", "elapsed": 0.315000000, "ranks_of_hosts": [{"host": "n0", "ranks": 1}, {"host": "n1", "ranks": 1}], "other_mpi": null},'
line out '{"operation": "alltoall", "site": "/opt/app+0x11e3", "symbol": "turn", "calls": 28, "bytes": 28672, "seconds": 0.056000000},'
line out '{"operation": "alltoall", "site": "/opt/app+0x22f4", "symbol": null, "calls": 14, "bytes": 14336, "seconds": 0.007000000}],'
cp out placed.json
code 0 "$shunt" report --html=placed.html placed.0.jsonl placed.1.jsonl
embeds placed.html report placed.json
code 0 "$shunt" report job.0.jsonl job.1.jsonl
tests=$((tests + 1))
grep -q 'call site' out && fail "call sites are told of that no log has"

# Figures: gains against native.
code 0 "$shunt" report --csv job.0.jsonl job.1.jsonl
figure 14 calls 'c("algorithm") == "bruck"'
figure 3.000000 speedup 'c("algorithm") == "bruck"'
figure 3.000000 low 'c("algorithm") == "bruck"'
figure 6.000000 high 'c("algorithm") == "spread-out"'
figure measured basis 'c("line") == 4'
figure '' speedup 'c("reason") == "native is timed beside what the table chose"'
figure '0.007000000 0.014000000 0.042000000' seconds 'c("from") == 512 && c("to") == 1023'
figure '2 2 2' ppn_max 'c("nodes") == 1'
# Too few native calls: the model of a machine, or not known.
grep -v '"call": [1-6], "operation": "alltoall", .*"native is timed beside what the table chose"' job.0.jsonl >few.jsonl
code 0 "$shunt" report --csv few.jsonl
figure ' ' basis 'c("algorithm") != "native"'
code 0 "$shunt" report --csv --machine=polaris-like few.jsonl
figure 'model model' basis 'c("algorithm") != "native"'

# What another table would have done: measured by like calls of the log, the model, not known.
# changed_to ALGORITHM [OPTION...]
changed_to()
{
    echo "schema = 1; alltoall = ( { id = \"all\"; algorithm = \"$1\"; } );" >other.cfg
    shift
    code 0 "$shunt" report --csv --table=other.cfg "$@" job.0.jsonl job.1.jsonl
}
changed_to spread-out
figure measured then_basis 'c("algorithm") == "bruck"'
figure 2.000000 then_speedup 'c("algorithm") == "bruck"'
figure 0.007000000 then_seconds 'c("algorithm") == "bruck"'
figure same then_basis 'c("algorithm") == "spread-out"'
figure same then_basis 'c("reason") == "native is timed beside what the table chose"'
figure 0.042000000 then_seconds 'c("reason") == "native is timed beside what the table chose"'
changed_to native
figure 0.333333 then_speedup 'c("algorithm") == "bruck"'
figure 0.166667 then_speedup 'c("algorithm") == "spread-out"'
figure 'measured measured' then_basis 'c("line") > 0'
changed_to pairwise
figure 'pairwise pairwise' then_algorithm 'c("line") > 0'
figure ' ' then_basis 'c("line") > 0'
figure ' ' then_seconds 'c("line") > 0'
changed_to pairwise --machine=polaris-like
figure 'model model' then_basis 'c("line") > 0'
code 0 "$shunt" report --table=other.cfg job.0.jsonl job.1.jsonl
line out "with the table $work/other.cfg"
line out '  done in the same way                         14  calls    42.0 ms  '
line out '  not known                                    28  calls    21.0 ms  '
code 0 "$shunt" report --table=built-in job.0.jsonl
line out 'with the table built-in'
# It may have a rule where the other had none.
sed 's/"native is timed beside what the table chose"/"no rule matched"/' job.0.jsonl >unruled.jsonl
code 0 "$shunt" report --csv --table=other.cfg --machine=polaris-like unruled.jsonl
figure pairwise then_algorithm 'c("reason") == "no rule matched"'
figure model then_basis 'c("reason") == "no rule matched"'
# Sizes on both sides of a border of the other table are told apart.
sed 's/"largest": 512/"largest": 513/; s/"call": /"call": 1/' job.0.jsonl | grep '"call"' >more.jsonl
echo 'schema = 1; alltoall = ( { block = "0-512"; algorithm = "spread-out"; } );' >other.cfg
code 0 "$shunt" report --csv --table=other.cfg job.0.jsonl more.jsonl
figure 'native spread-out' then_algorithm 'c("algorithm") == "bruck"'

# The page.
for rank in 0 1; do
    awk -v rank=$rank -v table="$work/site.cfg" -v name='</svg><script>\\u0007&amp;' -f "$lines" \
        >odd.$rank.jsonl
done
# paged NAME ARGUMENT...: the page NAME.html of the report has what --json prints.
paged()
{
    paged_name=$1
    shift
    code 0 "$shunt" report --json "$@"
    cp out "$paged_name.json"
    code 0 "$shunt" report --html="$paged_name.html" "$@"
    embeds "$paged_name.html" report "$paged_name.json"
}
paged run --table=other.cfg --machine=polaris-like job.0.jsonl job.1.jsonl
# The tables of the job and of --table are there for the other views, and the calls.
part data.json "{\"name\": \"user\", \"path\": \"$work/site.cfg\", "
part data.json "{\"name\": \"table2\", \"path\": \"$work/other.cfg\", "
tests=$((tests + 1))
[ "$(sed -n '/"logs": \[/,/"beyond"/p' data.json | grep -c '"algorithm": "bruck"')" -eq 1 ] ||
    fail "the calls of the logs are not in the page"
# What the drawings are made of.
part run.json '"late_means": [{"rank": 0, "seconds": 0.000000000}, {"rank": 1, "seconds": 0.001999'
part run.json '{"operation": "alltoall", "ranks": 2, "nodes": 1, "from": 4097, "algorithm": "spread-out", "parameters": "", "rule": {"file": "'
part run.json '"lane_ranks": 1, "lane_shares": [[0.'
part run.json '"verdict": "at least 26.0 ms saved by a rank on average'
tests=$((tests + 1))
sed -n '/^"timeline"/{s/.*"lane_shares": //;p;}' run.json | tr -c '0-9.' '\n' | sort -n | tail -n 1 |
    awk '{ exit !($1 > 0.5 && $1 <= 1) }' || fail "shares of lanes are no shares"
paged odd odd.0.jsonl odd.1.jsonl
part data.json '\u003c/svg>\u003cscript>'
paged alone moved.0.jsonl
# Of nothing, and of numbers that cannot be.
head -n 1 job.0.jsonl >header.jsonl
paged none header.jsonl
cat >numbers.jsonl <<'END'
{"event": "call", "time": 1e999, "rank": 2000000000, "call": -7, "ranks": -4, "operation": "alltoall", "algorithm": "bruck", "bytes": -1, "seconds": -1}
{"event": "call", "time": 3, "rank": 1, "call": 2, "ranks": 2147483647, "nodes": 2147483647, "ppn_max": 1, "operation": "alltoallv", "algorithm": "bruck", "largest": 9223372036854775807, "mean": 1e300, "bytes": 9223372036854775807, "seconds": 1e300}
{"event": "call", "time": 1e14, "rank": 65535, "call": 3, "ranks": 2, "operation": "alltoall", "algorithm": "x", "parameters": "=:,", "largest": 0, "seconds": 0}
{"event": "communicator", "rank": 0, "communicator_id": "01", "ranks": 3, "nodes": 2, "ppn_max": 2, "layout": [2, "x"]}
END
begun=$(date +%s)
paged numbers --machine=polaris-like --table=built-in numbers.jsonl
tests=$((tests + 1))
[ $(($(date +%s) - begun)) -lt 40 ] || fail "numbers that cannot be take long"
if python3 -c 'import jsonschema' 2>/dev/null; then
    code 0 python3 "$top/tests/unit/valid.py" "$top/src/tools/report/report.schema.json" run.json \
        odd.json alone.json none.json numbers.json placed.json
    code 0 python3 "$top/tests/unit/valid.py" "$top/src/tools/view/view.schema.json" data.json
fi

# Damaged logs: the rest counts.
{ head -n 7 job.0.jsonl; sed -n 8p job.0.jsonl | head -c 100; } >cut.jsonl
code 1 "$shunt" report --csv cut.jsonl
part err 'cut.jsonl:8: the line is cut off'
figure 5 calls 'c("algorithm") == "native"'
: >empty.jsonl
code 1 "$shunt" report job.0.jsonl empty.jsonl job.1.jsonl
part err 'empty.jsonl: is empty'
line out 'gain        at least 26.0 ms saved by a rank on average'
{ head -n 4 job.0.jsonl; echo hello; tail -n +5 job.0.jsonl; } >mixed.jsonl
code 1 "$shunt" report --csv mixed.jsonl
line err 'mixed.jsonl:5: is no line of a log, and left out'
figure 7 calls 'c("algorithm") == "bruck"'
sed 's/"schema": 1/"schema": 2/' job.0.jsonl >schema.jsonl
code 4 "$shunt" report schema.jsonl

# More kinds of calls than the report tells apart: none is lost from the sums.
awk 'BEGIN { for (c = 1; c <= 1500; c++) for (s = 0; s < 10; s++)
    printf "{\"event\": \"call\", \"time\": %d, \"rank\": 0, \"communicator\": \"c%d\", " \
        "\"communicator_id\": \"%016x\", \"call\": 2, \"operation\": \"alltoall\", \"ranks\": 4, " \
        "\"largest\": %d, \"bytes\": 4, \"algorithm\": \"native\", \"seconds\": 0.001}\n", \
        c, c, c, 2 ^ s }' >kinds.jsonl
code 0 "$shunt" report --json kinds.jsonl
tests=$((tests + 1))
awk '/^"beyond"/ { sub(/.*"calls": /, ""); beyond = $0 + 0 }
    /^\{"operation": .*"algorithm": / { rows++; sub(/.*"calls": /, ""); sum += $0 }
    END { exit !(rows == 8192 && beyond > 0 && sum + beyond == 15000) }' out ||
    fail "15,000 calls of as many kinds"

# 320,000 lines in less memory than they take.
awk -v ranks=8 -v calls=40000 -v chunk=200 -f "$top/tests/unit/log_lines.awk" >chunks.jsonl
# shellcheck disable=SC2317 # "code" calls it
limited()
{
    sh -c 'ulimit -v 49152; exec timeout 60 "$@"' sh "$shunt" report "$@"
}
# Memory goes with the ranks that occur, not with the highest.
sed 's/"rank": 0,/"rank": 16777215,/' job.0.jsonl >high.jsonl
code 0 limited --memory=4M --html=high.html job.1.jsonl high.jsonl
part high.html '"rank": 16777215'
for memory in 4M 64K; do
    code 0 limited --memory=$memory --html=chunks.html chunks.jsonl
    empty err
    line out 'calls       320000 of all ranks, 75.0 % routed'
done
tests=$((tests + 1))
if [ "$(wc -c <chunks.jsonl)" -lt 50331648 ] || [ "$(wc -c <chunks.html)" -gt 2000000 ]; then
    fail "the log is small, or the page is large"
fi

finish_checks
