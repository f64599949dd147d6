#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt log: order, filters, forms, files that are damaged or none, bounded memory. Needs no MPI.
# shellcheck disable=SC2016 # inner shells expand what is in single quotes
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"
lines=$top/tests/unit/log_lines.awk

# same WHAT WANTED SEEN: two files are equal.
same()
{
    tests=$((tests + 1))
    cmp -s "$2" "$3" || {
        fail "$1"
        diff "$2" "$3" | head -n 10
    }
}

# count FILE WANTED PATTERN: so many lines of FILE match.
count()
{
    tests=$((tests + 1))
    counted=$(grep -c -e "$3" "$1")
    [ "$counted" -eq "$2" ] || fail "$counted lines instead of $2 in $1 match \"$3\""
}

for rank in 0 1 2 3; do
    awk -v ranks=4 -v calls=12 -v rank=$rank -v late=3 -f "$lines" >job.$rank.jsonl
done

# Usage.
code 2 "$shunt" log
line err 'shunt log: no FILE is named; "-" is the standard input; see "shunt log --help"'
code 2 "$shunt" log --elephant
line err 'shunt log: --elephant is not an option; see "shunt log --help"'
code 2 "$shunt" log --algorithm=parlona job.0.jsonl
line err 'shunt log: --algorithm: "parlona" is not the name of an algorithm (did you mean "parlogna"?); see "shunt log --help"'
for wrong in rank=x rank=7-3 size=1X size=8K-1K time=3 time=3-1 time=- slower=-1 slower=3h \
    operation=bcast memory=1; do
    code 2 "$shunt" log --$wrong job.0.jsonl
done
code 2 "$shunt" log --native --routed job.0.jsonl
code 2 "$shunt" log --summary --csv job.0.jsonl
code 2 "$shunt" log --summary --follow job.0.jsonl
code 0 "$shunt" log --help
line out 'usage: shunt log [OPTION]... FILE...'

# People's form: what ranks tell alike comes once, calls in the order of time, equal times by rank.
code 0 "$shunt" log --wide job.2.jsonl job.0.jsonl job.3.jsonl job.1.jsonl
empty err
head -n 7 out >seen
cat >wanted <<'END'
    0.000000 log of shunt 0.2.0, 4 ranks, job 123, MPICH 4.0.2, table site.cfg (alpha): ./app
    0.125000 communicator row/01234567: 4 ranks on 2 nodes (1 to 3 on each)
    0.510125 [0] row/01234567 #1 alltoallv P=4 N=2 Q=3 max=16 mean=10 -> parlogna radix=4 [/etc/site.cfg:21 "small"] 1.00 ms
    0.510250 [1] row/01234567 #1 alltoallv P=4 N=2 Q=3 max=16 mean=10 -> parlogna radix=4 [/etc/site.cfg:21 "small"] 2.00 ms
    0.510375 [2] row/01234567 #1 alltoallv P=4 N=2 Q=3 max=16 mean=10 -> parlogna radix=4 [/etc/site.cfg:21 "small"] 3.00 ms
    0.512000 [3] row/01234567 #1 alltoallv P=4 N=2 Q=3 max=16 mean=10 -> parlogna radix=4 [/etc/site.cfg:21 "small"] 4.00 ms
    0.520000 [2] column/fedcba98 #1 alltoallv P=4 N=2 Q=3 max=32 mean=10 -> parlogna radix=4 [/etc/site.cfg:21 "small"] 3.00 ms
END
same "the beginning of people's form" wanted seen
count out 48 ' #[0-9]* alltoall'
count out 4 '\] end: 12 calls, 9 of them routed, 4.69 KiB sent, '
cp out people
code 0 sh -c 'cat job.?.jsonl | "$1" log --wide -' sh "$shunt"
same "the standard input" people out

# JSON: every line as it was, once, in the order of time and rank.
code 0 "$shunt" log --json job.?.jsonl
sort out >seen
sort job.?.jsonl >wanted
same "lines of JSON are those of the files" wanted seen
sed -n 's/.*"event": "call", "time": \([0-9.]*\), "rank": \([0-9]*\),.*/\1 \2/p' out >seen
sort -k 1,1 -k 2,2n seen >wanted
same "calls are in the order of time" wanted seen

# Filters, against grep.
filtered()
{
    pattern=$1
    shift
    code 0 "$shunt" log --json "$@" job.?.jsonl
    sort out >seen
    cat job.?.jsonl | grep -E "$pattern" | sort >wanted
    [ -s wanted ] || fail "nothing to compare: $pattern"
    same "filter $*" wanted seen
}
call='"event": "call".*'
filtered '"rank": [13],' --rank=1,3-7
filtered '"rank": [23],' --rank=2-
filtered '"communicator": "row"' --communicator=row
filtered '"communicator": "row"' '--communicator=r*'
filtered '"communicator_id": "fedcba98' --communicator=FEDC
filtered "$call\"operation\": \"alltoall\"" --operation=alltoall
filtered "$call\"algorithm\": \"native\"" --algorithm=native,bruck
filtered "$call\"algorithm\": \"native\"" --native
filtered "$call\"algorithm\": \"parlogna\"" --routed
filtered "$call\"id\": \"small\"" --rule=small
filtered "$call\"line\": 21," --rule=site.cfg:21
filtered "$call\"line\": 21," --rule=/etc/site.cfg:21
filtered "$call\"reason\": \"warm-up\"" --reason=Warm
filtered "$call\"largest\": (64|80|96|112|128)," --size=64-128
filtered "$call\"seconds\": 0.00[34]" --slower=2ms
filtered "$call\"seconds\": 0.00[34]" --slower=0.002
filtered "$call\"time\": 1795334400.5[56].*\"rank\": 2," --time=0.55-0.5699 --rank=2
filtered "$call\"time\": 1795334400.6[123]" --time=0.61- --size=0-
filtered "$call\"time\": 1795334400.51" --time=-0.512 --size=0-
filtered "$call\"time\": 1795334400.51[01]" --time=-0.511999 --size=0-
for nothing in --rule=cfg:21 --rule=site.cfg:2 --communicator=012 --rank=9 --time=7- --algorithm=bruck; do
    code 0 "$shunt" log $nothing job.?.jsonl
    empty out
done

# CSV.
code 0 "$shunt" log --csv --rank=0 job.?.jsonl
tests=$((tests + 1))
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = NF; next }
    NF != n || $at["rank"] != 0 || $at["largest"] != 16 * (NR - 1) { exit 1 }
    ($at["algorithm"] == "native") != ($at["id"] == "") { exit 1 }
    END { exit NR != 13 }' out || fail "--csv"
cat >names.jsonl <<'END'
{"event": "call", "time": 1.5, "rank": 0, "communicator": "a,\"b\"", "call": 1, "operation": "alltoall", "algorithm": "native", "seconds": 1}
{"event": "call", "time": 1.5, "rank": 0, "communicator": "early", "communicator_id": 0, "call": 3, "operation": "alltoall", "algorithm": "native", "seconds": 1}
{"event": "call", "time": 1.5, "rank": 0, "communicator": "gr\u00fcn \ufffd\u001b[31m", "communicator_id": 291, "call": 2, "operation": "alltoall", "algorithm": "native", "seconds": 0.5}
END
code 0 "$shunt" log --csv names.jsonl
line out '1.500000000,0,"a,""b""",,1,alltoall,,,,,,,,0,native,,,,,,,,1.000000000,,,0'
tests=$((tests + 1))
grep -q "$(printf '\033')" out && fail "--csv has what a terminal obeys"
line out "1.500000000,0,$(printf 'gr\303\274n \357\277\275')\\x1b[31m,0000000000000123,2,alltoall,,,,,,,,0,native,,,,,,,,0.500000000,,,0"
echo '{"event": "call", "time": 2.5, "rank": 0, "call": 4, "operation": "alltoall", "algorithm": "node-pair", "rule": null, "reason": "model", "predicted_gain": 8.25, "seconds": 1}' >model.jsonl
code 0 "$shunt" log --csv model.jsonl
tests=$((tests + 1))
awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = NF; next }
    NF == n && $at["reason"] == "model" && $at["predicted_gain"] == "8.25" { found = 1 }
    END { exit !found }' out || fail "the predicted gain in --csv"
code 0 "$shunt" log names.jsonl
line out '    0.000000 [0] early #3 alltoall -> native 1.00 s'
line out '    0.000000 [0] a,"b" #1 alltoall -> native 1.00 s'
line out "    0.000000 [0] $(printf 'gr\303\274n \357\277\275')\\x1b[31m/00000000 #2 alltoall -> native 500 ms"

# Equal times: by rank, then as in the files.
for rank in 5 11 2; do
    for i in 3 1 2; do
        echo "{\"event\": \"call\", \"time\": 7, \"rank\": $rank, \"call\": $i}"
    done
done >equal.jsonl
code 0 "$shunt" log --json equal.jsonl
for rank in 2 5 11; do grep "\"rank\": $rank," equal.jsonl; done >wanted
same "equal times are in the order of ranks, then of the file" wanted out

# Numbers that cannot be.
cat >numbers.jsonl <<'END'
{"event": "call", "time": 1e999, "rank": 2000000000, "call": -7, "ranks": -4, "operation": "alltoall", "bytes": -1, "seconds": -1}
{"event": "call", "time": "noon", "rank": {}, "call": null, "operation": 3, "rule": [], "seconds": 1e999, "largest": 1e30}
END
for form in --json --csv --summary --rank=0; do
    code 0 "$shunt" log $form numbers.jsonl
    empty err
done

# Sums. Rank 3 is the late one; rank 1 has no summary, and none of its last calls.
grep -v '"event": "summary"' job.1.jsonl | head -n 10 >short.1.jsonl
code 0 "$shunt" log --summary job.0.jsonl short.1.jsonl job.2.jsonl job.3.jsonl
cat >wanted <<'END'
log of shunt 0.2.0, 4 ranks, job 123, MPICH 4.0.2, table site.cfg (alpha): ./app
from        4 ranks: the summaries of 3, the calls of 1 without one
calls       43 of all ranks, 76.7 % routed
bytes       16.8 KiB sent, 76.7 % in routed calls
time        27.5 ms of a rank on average, 76.4 % in routed calls; 0.3 % of the run
imbalance   1.75 (most / mean): rank 3 the longest with 48.0 ms, rank 0 the shortest with 12.0 ms

communicator     operation     calls       mean       skew    at most  comes last most often
row/01234567     alltoallv         4    2.53 ms    1.91 ms    2.00 ms  rank 3, in 100 % of calls
column/fedcba98  alltoallv         4    2.57 ms    2.00 ms    2.00 ms  rank 3, in 100 % of calls
row/01234567     alltoall          2    2.57 ms    1.94 ms    2.00 ms  rank 3, in 100 % of calls
column/fedcba98  alltoall          2    2.57 ms    2.00 ms    2.00 ms  rank 3, in 100 % of calls
5 of these calls are not logged by all ranks: their skew is that of those that are there
clocks of ranks agree within 3.00 us: smaller skews say nothing
END
same "sums" wanted out
code 0 "$shunt" log --summary --json job.0.jsonl short.1.jsonl job.2.jsonl job.3.jsonl
sed -i '1s/"[0-9][^"]*"/"VERSION"/' out
cat >wanted <<'END'
{"version": "VERSION",
"log": {"version": "0.2.0", "ranks": 4, "job": "123", "library": "MPICH 4.0.2", "table": "site.cfg", "machine": "alpha", "command": "./app"},
"ranks": 4, "with_summary": 3, "runs": 1, "calls": 43, "errors": 0, "bytes": 17200, "seconds": 0.110000000, "routed": {"calls": 33, "bytes": 13200, "seconds": 0.084000000}, "of_run": 0.003200,
"imbalance": {"most_to_mean": 1.745455, "slowest": {"rank": 3, "seconds": 0.048000000}, "quickest": {"rank": 0, "seconds": 0.012000000}}, "uncertainty": 0.000003000,
"communicators": [
{"communicator": "row", "communicator_id": "0123456789abcdef", "operation": "alltoallv", "ranks": 4, "calls": 4, "incomplete": 1, "seconds": 0.038000000, "mean": 0.002533333, "skew": {"calls": 4, "mean": 0.001906335, "most": 0.002000093}, "last": {"rank": 3, "calls": 4}},
{"communicator": "column", "communicator_id": "fedcba9876543210", "operation": "alltoallv", "ranks": 4, "calls": 4, "incomplete": 2, "seconds": 0.036000000, "mean": 0.002571429, "skew": {"calls": 4, "mean": 0.002000093, "most": 0.002000093}, "last": {"rank": 3, "calls": 4}},
{"communicator": "row", "communicator_id": "0123456789abcdef", "operation": "alltoall", "ranks": 4, "calls": 2, "incomplete": 1, "seconds": 0.018000000, "mean": 0.002571429, "skew": {"calls": 2, "mean": 0.001937509, "most": 0.002000093}, "last": {"rank": 3, "calls": 2}},
{"communicator": "column", "communicator_id": "fedcba9876543210", "operation": "alltoall", "ranks": 4, "calls": 2, "incomplete": 1, "seconds": 0.018000000, "mean": 0.002571429, "skew": {"calls": 2, "mean": 0.002000093, "most": 0.002000093}, "last": {"rank": 3, "calls": 2}}]
}
END
same "sums for programs" wanted out
code 0 "$shunt" log --summary --json numbers.jsonl
line out '"log": null,'
code 0 "$shunt" log --summary --native --rank=0-2 job.?.jsonl
line out 'from        3 ranks: the calls of 3'
line out 'calls       9 of all ranks, 0.0 % routed'
line out 'bytes       3.52 KiB sent, 0.0 % in routed calls'
# The same job appended once more counts twice, and its calls are not mixed with the first one's.
for rank in 0 1 2 3; do
    sed 's/17953344/17953345/; s/08:00:0/08:01:4/' job.$rank.jsonl | cat job.$rank.jsonl - >twice.$rank.jsonl
done
code 0 "$shunt" log --summary twice.?.jsonl
line out 'runs        2 runs of the program in these logs, added up'
line out 'calls       96 of all ranks, 75.0 % routed'
line out 'row/01234567     alltoallv         8    2.50 ms    1.94 ms    2.00 ms  rank 3, in 100 % of calls'

# Files that are damaged.
head -c 2500 job.0.jsonl >cut.0.jsonl
head -c 3000 job.1.jsonl >cut.1.jsonl
code 1 "$shunt" log cut.0.jsonl cut.1.jsonl
count out 7 ' #[0-9]* alltoall'
count err 1 .
line err 'cut.0.jsonl:7: the line is cut off: the job was ended while it was written; the log ends before it; so is a line in 1 more places'
cat cut.0.jsonl job.0.jsonl >again.jsonl
code 1 "$shunt" log again.jsonl
count out 15 ' #[0-9]* alltoall'
count out 1 '\] end:'
sed 's/$/\r/' job.0.jsonl >crlf.jsonl
code 0 "$shunt" log crlf.jsonl
count out 12 ' #[0-9]* alltoall'
{ head -n 4 job.0.jsonl; echo 'hello'; echo; echo '{"event": 3}'; printf '{"event": "call", "algorithm": "\377"}\n'
    echo '[1]'; tail -n +5 job.0.jsonl; } >mixed.jsonl
code 1 "$shunt" log mixed.jsonl
count out 12 ' #[0-9]* alltoall'
line err 'mixed.jsonl:5: is no line of a log, and left out; so are 3 more'
awk 'BEGIN { printf "{\"event\": \"call\", \"rank\": 1, \"call\": 7, \"send_bytes\": [0"
    for (i = 1; i < 300000; i++) printf ", %d", i
    print "], \"operation\": \"alltoallv\", \"algorithm\": \"native\", \"seconds\": 0.5}" }' >long.jsonl
code 0 "$shunt" log --memory=64K long.jsonl job.0.jsonl
line out '    0.000000 [1] #7 alltoallv -> native 500 ms'
count out 13 ' #[0-9]* alltoall'
code 0 "$shunt" log --memory=64K --json long.jsonl job.0.jsonl job.1.jsonl
cat long.jsonl job.0.jsonl job.1.jsonl | sort >wanted
sort out >seen
same "a line that is longer than the memory" wanted seen
echo '{"event": "dance", "rank": 3}' >later.jsonl
code 0 "$shunt" log later.jsonl
empty out
code 0 "$shunt" log --json later.jsonl
same "events of later versions stay in JSON" later.jsonl out

# Files that are none. All others are printed.
: >empty.jsonl
printf 'MZ\000\001\n' >binary.jsonl
"$shunt" log --rank=0 job.0.jsonl >people
sed 's/^ *[0-9.]* \[0\] [^ ]* /shunt: /' people | grep '#' >human.log
sed 's/"schema": 1/"schema": 2/; s/0\.2\.0/0.9.1/' job.2.jsonl >schema.jsonl
code 4 "$shunt" log --rank=0 job.0.jsonl schema.jsonl
same "the other files are printed" people out
line err "schema.jsonl:1: the log has schema 2, which $("$shunt" --version) does not read (it reads schema 1): use the shunt that wrote it, version 0.9.1"
code 1 "$shunt" log empty.jsonl
line err 'empty.jsonl: is empty: nothing has been logged yet, or the job was ended before it was'
printf '\n\r\n\n' >blank.jsonl
code 1 "$shunt" log blank.jsonl
line err 'blank.jsonl: has empty lines only: nothing has been logged yet, or the job was ended before it was'
code 4 "$shunt" log binary.jsonl . missing.jsonl "$lines" human.log
line err 'binary.jsonl: cannot be read: is not a text file: it holds NUL bytes'
line err '.: cannot be read: is a directory; name the files in it'
line err 'missing.jsonl: cannot be read: No such file or directory'
line err "$lines:1: is no log that can be read: it has no line of JSON as SHUNT_LOG=calls with SHUNT_LOG_FORMAT=json writes them"
line err 'human.log:1: is no log that can be read: it was written for people; SHUNT_LOG_FORMAT=json, or a name that ends in .jsonl, writes one for programs'
empty out
if [ "$(id -u)" -ne 0 ]; then
    cp job.0.jsonl secret.jsonl
    chmod 0 secret.jsonl
    code 4 "$shunt" log secret.jsonl
    line err 'secret.jsonl: cannot be read: Permission denied'
fi

# Readers that leave, and full disks.
for ignored in '' "trap '' PIPE;"; do
    code 0 sh -c "$ignored"' "$1" log twice.?.jsonl twice.?.jsonl twice.?.jsonl | head -n 1' sh "$shunt"
    empty err
done
code 0 sh -c '{ "$1" log job.?.jsonl; echo $? >status; } | true; cat status' sh "$shunt"
line out 0
code 4 sh -c '"$1" log job.0.jsonl >/dev/full' sh "$shunt"
line err 'shunt: standard output: No space left on device'

# More files than may be open.
mkdir many
for i in $(seq 60); do cp job.0.jsonl "many/$i.jsonl"; done
code 0 sh -c 'ulimit -n 16; exec "$1" log --csv many/*.jsonl' sh "$shunt"
count out 720 alltoall

# Chunks of 200 calls of each rank in turn; 200,000 lines in less memory than they take.
awk -v ranks=8 -v calls=25000 -v chunk=200 -f "$lines" >chunks.jsonl
awk -F '[ ,]+' '{ print $4, $6 }' chunks.jsonl | sort -k 1,1 -k 2,2n >wanted
# shellcheck disable=SC2317 # "code" calls it
limited()
{
    sh -c 'ulimit -v 49152; shift; exec "$@"' sh 0 "$shunt" log "$@"
}
# Memory goes with the ranks that occur, not with the highest.
sed 's/"rank": 0,/"rank": 16777215,/' job.0.jsonl >high.jsonl
code 0 limited --memory=4M --summary job.1.jsonl high.jsonl
part out 'from        2 ranks: '
for memory in 8M 64K; do
    code 0 limited --json --memory=$memory chunks.jsonl
    empty err
    awk -F '[ ,]+' '{ print $4, $6 }' out >seen
    same "200,000 lines are in order, with $memory" wanted seen
    sort out | cksum >seen
    sort chunks.jsonl | cksum >sums
    same "they are the same lines, with $memory" sums seen
done
code 4 limited --json --memory=1G chunks.jsonl
line err "shunt: out of memory: there are no 1 GiB for putting lines in order; give it less by --memory, and the rest goes to a file in ${TMPDIR:-/tmp}"
code 4 limited --summary --memory=99999G chunks.jsonl
count err 1 '^shunt: out of memory: there are no .* --memory'
code 0 limited --summary --memory=1M chunks.jsonl
line out 'calls       200000 of all ranks, 75.0 % routed'
line out 'row/01234567     alltoallv      8333    4.50 ms     875 us     875 us  rank 2, in 25 % of calls'
code 4 env TMPDIR="$work/nowhere" "$shunt" log --memory=64K chunks.jsonl
line err "shunt: putting the lines in order needs a file in $work/nowhere: No such file or directory; set TMPDIR to a folder with as much room as the logs take, or filter more"
tests=$((tests + 1))
mkdir tmp
env TMPDIR="$work/tmp" "$shunt" log --memory=64K chunks.jsonl | head -n 1 >/dev/null
[ -z "$(ls -A tmp)" ] || fail "temporary files are left"

# follows PATTERN COUNT: waits until so many lines that match have come.
follows()
{
    tests=$((tests + 1))
    for _ in $(seq 200); do
        [ "$(grep -c -e "$1" followed)" -lt "$2" ] || return 0
        sleep 0.1
    done
    fail "-f did not print $2 lines that match \"$1\""
    show followed
}

# Following: the second file comes later, a line comes in two pieces, the end is the last summary.
head -n 5 job.0.jsonl >live.0.jsonl
"$shunt" log -f live.0.jsonl live.1.jsonl >followed 2>err &
process=$!
follows '\[0\] .* #1 alltoall' 2
tail -n +6 job.0.jsonl >>live.0.jsonl
follows '\[0\] end:' 1
head -c 2500 job.1.jsonl >live.1.jsonl
follows '\[1\] .* #1 alltoall' 2
tail -c +2501 job.1.jsonl >>live.1.jsonl
follows '\[1\] end:' 1
tests=$((tests + 1))
wait $process || fail "-f: exit status $?"
empty err
count followed 24 ' #[0-9]* alltoall'

# An interrupt is no error; a file that is written anew is read anew.
head -n 5 job.0.jsonl >live.0.jsonl
"$shunt" log -f live.0.jsonl >followed 2>err &
process=$!
follows '\[0\] .* #1 alltoall' 2
head -n 4 job.2.jsonl >live.0.jsonl
follows '\[2\] .* #1 alltoall' 1
kill -INT $process
tests=$((tests + 1))
wait $process || fail "-f: exit status $? after an interrupt"
line err 'live.0.jsonl: has been replaced or shortened: read from its beginning'

finish_checks
