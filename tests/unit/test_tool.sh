#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command shunt: exit codes, messages, alignment. Needs no MPI.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"

# The command as a whole.
code 2 "$shunt"
empty out
code 0 "$shunt" --help
line out 'usage: shunt COMMAND [OPTION]...'
empty err
code 0 "$shunt" help
code 0 "$shunt" --version
code 2 "$shunt" chek
line err 'shunt: unknown command "chek" (did you mean "check"?)'
code 2 "$shunt" help elephant
line err 'shunt: unknown command "elephant"; "shunt --help" lists them'
for command in run check explain predict schedule algorithms diff show new import; do
    code 0 "$shunt" help "$command"
    mv out help
    code 0 "$shunt" "$command" --help
    tests=$((tests + 1))
    cmp -s out help || fail "help $command and $command --help differ"
    code 2 "$shunt" "$command" --elephant
    line err "shunt $command: --elephant is not an option; see \"shunt $command --help\""
done
# shellcheck disable=SC2016 # the inner shell expands it
code 4 sh -c '"$1" algorithms >/dev/full' sh "$shunt"

# algorithms: one per line, name first, columns aligned.
code 0 "$shunt" algorithms --wide
tests=$((tests + 1))
head -n 1 out | grep -q '^native  ' || fail "native is not first"
tests=$((tests + 1))
awk '{ at = index($0, "  alltoall"); if (NR > 1 && at != last) exit 1; last = at }' out \
    || fail "columns are not aligned"
tests=$((tests + 1))
grep -q "$(printf '\033')" out && fail "colours without a terminal"
names=$(wc -l <out)
code 0 "$shunt" algorithms --long --wide
tests=$((tests + 1))
[ "$(wc -l <out)" -eq $((names * 3)) ] || fail "--long has not three lines per algorithm"
code 2 "$shunt" algorithms native
if command -v python3 >/dev/null 2>&1; then
    code 0 "$shunt" algorithms --json
    tests=$((tests + 1))
    [ "$(python3 -c 'import json; print(len({row["algorithm"] for row in json.load(open("out"))["algorithms"]}))')" -eq "$names" ] || fail "algorithms --json"
fi

# Keys of JSON: all are in the manual.
tests=$((tests + 1))
sed -n 's/^ *X([A-Z_]*, "\([a-z_]*\)".*/\1/p' "$top/src/log/keys.h" >keys
[ "$(wc -l <keys)" -gt 50 ] || fail "no list of keys in src/log/keys.h"
while read -r key; do
    grep -qE "^\.(Cm|It Cm) (.*[ ,])?$key( |\$)" "$top"/man/*.[157] \
        || fail "the manual does not know the key \"$key\" of JSON"
done <keys

# check.
cat >good.cfg <<'END'
schema = 1;
machine = { name = "test machine"; };
alltoallv = (
  { id = "one node"; nodes = "1"; algorithm = "native"; },
  { id = "small"; block = "0-512"; ppn = "8-"; algorithm = "parlinna-coalesced"; radix = 2; batch_size = 8; },
  { id = "capped"; block = "0-8K"; memory = "1K"; algorithm = "parlogna"; },
  { block = "4K-"; algorithm = "pairwise"; },
  { id = "rest"; algorithm = "scattered"; }
);
END
cat >bad.cfg <<'END'
schema = 1;
alltoallv = ( { id = "middle"; radx = 2; algorithm = "parlona"; } );
END
cat >late.cfg <<'END'
schema = 1;
alltoall = (
  { algorithm = "native"; },
  { id = "late"; algorithm = "scattered"; }
);
END
code 0 "$shunt" check good.cfg
line out "$work/good.cfg: ok, rules: 0 alltoall, 5 alltoallv"
empty err
code 3 "$shunt" check bad.cfg
empty out
line err "$work/bad.cfg:2: alltoallv rule \"middle\": unknown key \"radx\" (did you mean \"radix\"?)"
line err "$work/bad.cfg:2: alltoallv rule \"middle\": unknown algorithm \"parlona\" (did you mean \"parlogna\"?)"
code 1 "$shunt" check late.cfg
line err "$work/late.cfg:4: alltoall rule \"late\" is never reached: rule 1 in line 3 takes every such call"
code 4 "$shunt" check missing.cfg
line err "$work/missing.cfg: cannot be read: No such file or directory"
code 4 "$shunt" check .
line err "$work: cannot be read: is a directory"
code 3 "$shunt" check good.cfg late.cfg bad.cfg

# Files that are none: 4, and no waiting for a pipe.
: >empty.cfg
printf '\177ELF\000' >binary.cfg
head -c 4194305 /dev/zero | tr '\0' ' ' >large.cfg
mkfifo pipe.cfg
echo '@include "missing.cfg"' >including.cfg
code 4 "$shunt" check empty.cfg
line err "$work/empty.cfg: cannot be read: is empty"
code 4 "$shunt" check binary.cfg
line err "$work/binary.cfg: cannot be read: is not a text file: it holds NUL bytes"
code 4 "$shunt" check large.cfg
line err "$work/large.cfg: cannot be read: is larger than 4 MiB: not a decision file"
code 4 timeout 20 "$shunt" check pipe.cfg
line err "$work/pipe.cfg: cannot be read: is a pipe; it must be a regular file"
code 4 timeout 20 "$shunt" check /dev/zero
line err '/dev/zero: cannot be read: is a device; it must be a regular file'
code 4 "$shunt" check including.cfg
line err "$work/including.cfg:1: included file $work/missing.cfg cannot be read: No such file or directory"
code 4 "$shunt" check empty.cfg bad.cfg
code 4 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4 empty.cfg
# The name is opened anew: a file behind it is read, a pipe is not.
# shellcheck disable=SC2016 # the inner shell expands it
code 0 sh -c '"$1" check /dev/stdin <good.cfg' sh "$shunt"
# shellcheck disable=SC2016 # likewise
code 4 sh -c 'cat good.cfg | "$1" check /dev/stdin' sh "$shunt"
line err '/dev/stdin: cannot be read: is a pipe; it must be a regular file'
code 0 "$shunt" check "$top/conf/default.cfg" "$top/conf/example.cfg"
code 0 "$shunt" check
line out 'built-in: ok, rules: 24 alltoall, 17 alltoallv'
here=$(uname -n)
line out "table of host $here: built-in"
code 3 env SHUNT_CONFIG=bad.cfg "$shunt" check
line out "table of every host, by its name: $work/bad.cfg"
code 4 env SHUNT_CONFIG=missing.cfg "$shunt" check

# Which file is chosen, for whom, and which by nobody.
mkdir -p xdg/shunt
sed 's/name = "test machine"/hosts = ("*")/' good.cfg >xdg/shunt/all.cfg
code 0 "$shunt" check
line out "table of host $here: $work/xdg/shunt/all.cfg"
line out "$work/xdg/shunt/all.cfg: ok, rules: 0 alltoall, 5 alltoallv"
code 0 env XDG_CONFIG_HOME=xdg "$shunt" check
line out "table of host $here: built-in"
sed 's/name = "test machine"/hosts = ("gpu[001-064,100]", "login1")/' good.cfg >xdg/shunt/all.cfg
code 0 "$shunt" check
line out "table of host $here: built-in"
code 0 "$shunt" check --host=gpu100
line out "table of host gpu100: $work/xdg/shunt/all.cfg"
code 0 "$shunt" check --host gpu010.example.org
line out "table of host gpu010.example.org: $work/xdg/shunt/all.cfg"
code 0 "$shunt" check --host gpu065
line out 'table of host gpu065: built-in'
code 2 "$shunt" check --host
cp good.cfg xdg/shunt/nobody.cfg
no_hosts='no host will ever choose this file: it has no machine.hosts; add them, or name the file in SHUNT_CONFIG'
code 1 "$shunt" check
line err "$work/xdg/shunt/nobody.cfg: $no_hosts"
code 0 "$shunt" check --host gpu100
code 1 "$shunt" check xdg/shunt/nobody.cfg
line err "$work/xdg/shunt/nobody.cfg: $no_hosts"
code 0 env SHUNT_CONFIG=xdg/shunt/nobody.cfg "$shunt" check

# A file has one name, however it is found: by the search, by its name, through a link.
mkdir -p part
echo '{ id = "part"; algorithm = "scattered"; }' >part/rules.inc
printf 'schema = 1;\nmachine = { hosts = "*"; };\nalltoall = (\n@include "../../part/rules.inc"\n);\n' >xdg/shunt/nobody.cfg
ln -s xdg linked
call="--op alltoall --ranks 8 --nodes 1 --block 4"
for file in xdg/shunt/nobody.cfg ./part/../xdg/shunt/nobody.cfg "$work/linked/shunt/nobody.cfg"; do
    # shellcheck disable=SC2086 # a list of words
    code 0 "$shunt" explain $call "$file"
    line out "table      $work/xdg/shunt/nobody.cfg"
    line out "rule       $work/part/rules.inc:1 \"part\""
done
# shellcheck disable=SC2086 # likewise
code 0 env XDG_CONFIG_HOME="$work/linked" "$shunt" explain $call
line out "table      $work/xdg/shunt/nobody.cfg"
line out "rule       $work/part/rules.inc:1 \"part\""
# What is included lies beside the name by which the file was named, where that is a link.
printf 'schema = 1;\nalltoall = (\n@include "rules.inc"\n);\n' >top.cfg
ln -s ../top.cfg part/top.cfg
code 0 "$shunt" check part/top.cfg
rm xdg/shunt/nobody.cfg
printf 'schema = 1;\nmachine = { hosts = ("login{1,2}", "a[1-"); };\n' >never.cfg
code 1 "$shunt" check never.cfg
line err "$work/never.cfg:2: machine: hosts: \"login{1,2}\" can never match: braces are not understood: write \"login[1,2]\", or one string per name"
line err "$work/never.cfg:2: machine: hosts: \"a[1-\" can never match: its \"[\" is never closed"

# A file of another machine that cannot be parsed is skipped, and said; one of this machine is an
# error.
printf 'schema = 1;\nmachine = { hosts = "login1"; };\nalltoall = (\n' >xdg/shunt/a.cfg
code 1 "$shunt" check --host gpu001
line out "table of host gpu001: $work/xdg/shunt/all.cfg"
line err "$work/xdg/shunt/a.cfg:3: the \"(\" opened here is never closed (skipped: it does not seem to be meant for host gpu001)"
code 3 "$shunt" check --host login1
line out 'table of host login1: none, for the file is not valid'
line err "$work/xdg/shunt/a.cfg:3: the \"(\" opened here is never closed"
code 0 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4
line err "$work/xdg/shunt/a.cfg:3: the \"(\" opened here is never closed (skipped: it does not seem to be meant for host $here)"
rm -r xdg

# Thousands of rules.
awk 'BEGIN { print "schema = 1;\nalltoallv = ("
             for (i = 0; i < 20000; i++) printf "  { id = \"rule %d\"; block = \"%d-%d\"; algorithm = \"scattered\"; },\n", i, 3 * i, 3 * i + 1
             print "  { block = \"1-1\"; algorithm = \"native\"; } );" }' >many.cfg
code 1 timeout 20 "$shunt" check many.cfg
line err "$work/many.cfg:20003: alltoallv rule 20001 is never reached: rule \"rule 0\" in line 3 takes every such call"

# explain.
code 0 "$shunt" explain --op alltoallv --nodes 4 --ppn 8 --block 513 good.cfg
cat >expected <<END
call       alltoallv, 32 ranks, 4 nodes, 8 ranks per node, blocks of 513 bytes
table      $work/good.cfg (test machine)
algorithm  scattered batch_size=31
rule       $work/good.cfg:8 "rest"
scratch    0 B
schedule   rank 0: 1 round, sends 31 messages with 31 blocks, 15903 bytes
           rank 0: copies 1 block, 1 barrier of the node, 2 messages to agree about sizes
           all ranks: messages least 31, mean 31.0, most 31
           all ranks: bytes least 15903, mean 15903.0, most 15903

other rules
  $work/good.cfg:4 "one node"  nodes 4 not in 1
  $work/good.cfg:5 "small"     block 513 not in 0-512
END
tests=$((tests + 1))
head -n 13 out | cmp -s - expected || fail "explain says something else"
tests=$((tests + 1))
grep -q "^  $work/good.cfg:6 \"capped\"    needs .* KiB, cap is 1 KiB\$" out \
    || fail "explain: no word about the cap"
line out "  $work/good.cfg:7             block 513 not in 4K-"
cat >many.cfg <<'END'
schema = 1;
alltoall = ( { algorithm = "bruck"; radix = 2; } );
alltoallv = ( { algorithm = "parlogna"; radix = 2; } );
END
for op in alltoall alltoallv; do
    code 0 "$shunt" explain --op $op --ranks 16384 --nodes 1024 --ppn 16 --block 8K many.cfg
    line out 'scratch    255.9 MiB'
    # Blocks wait in slots: nothing that is received could be kept within 256 MiB. Their lengths go
    # in messages of their own.
    [ $op = alltoall ] || line out \
        'schedule   rank 0: 14 rounds, sends 27 messages with 114688 blocks, 939950080 bytes'
    code 0 "$shunt" explain --op $op --ranks 16384 --nodes 1024 --ppn 16 --block 9K many.cfg
    line out "  $work/many.cfg:$([ $op = alltoall ] && echo 2 \
        || echo 3)  needs 287.9 MiB, cap is 256 MiB"
done
cat >mixed.cfg <<'END'
schema = 1;
alltoall = ( { algorithm = "bruck-basic"; radix = ("Q", "N"); } );
END
code 0 "$shunt" explain --op alltoall --nodes 4 --ppn 8 --block 64 mixed.cfg
line out 'algorithm  bruck-basic radix=8x4'
line out 'schedule   rank 0: 10 rounds, sends 10 messages with 52 blocks, 3328 bytes'
line out '           rank 0: copies 167 blocks'
cat >nodes.cfg <<'END'
schema = 1;
alltoallv = ( { block = "0-64"; algorithm = "node-pair"; leaders = 1; },
              { block = "65-1K"; algorithm = "node-pair"; leaders = 2; },
              { algorithm = "parlogna"; metadata = "separate"; batch_size = 1; } );
END
code 0 "$shunt" explain --op alltoallv --nodes 4 --ppn 4 --block 16 nodes.cfg
line out 'schedule   rank 0: 1 round, sends 3 messages with 48 blocks, 1296 bytes'
line out '           all ranks: messages least 0, mean 0.8, most 3'
code 0 "$shunt" explain --op alltoallv --nodes 4 --ppn 4 --block 100 nodes.cfg
line out '           all ranks: messages least 0, mean 0.8, most 2'
cat >large.cfg <<'END'
schema = 1;
alltoallv = ( { block = "0-64"; algorithm = "parlogna"; }, { block = "65-1K"; algorithm = "spread-out"; }, { algorithm = "native"; } );
END
code 0 "$shunt" explain --op alltoallv --nodes 1 --ppn 4 --block 100 large.cfg
line out '           rank 0: copies 1 block, 1 barrier of the node'
code 0 "$shunt" explain --op alltoallv --nodes 1 --ppn 4 --block 4K large.cfg
line out "schedule   the MPI library's own, after an agreement about sizes"
code 0 "$shunt" explain --op alltoallv --nodes 4 --ppn 4 --block 4K --rank 5 nodes.cfg
line out 'schedule   rank 5: 4 rounds, sends 7 messages with 32 blocks, 131168 bytes'
code 0 "$shunt" explain --op=alltoallv --layout=3,5,8,1 --block=4K good.cfg
line out 'call       alltoallv, 17 ranks, 4 nodes, 1 to 8 ranks per node, blocks of 4096 bytes'
line out "  $work/good.cfg:5 \"small\"     ppn 1-8 not within 8-"
line out "  $work/good.cfg:8 \"rest\"      comes after the rule that won"
# A layout in other words: nodes times ranks, and ranks that are dealt to the nodes in turn.
code 0 "$shunt" explain --op=alltoallv --layout=2x3,8 --block=4K good.cfg
line out 'call       alltoallv, 14 ranks, 3 nodes, 3 to 8 ranks per node, blocks of 4096 bytes'
code 0 "$shunt" explain --op=alltoallv --layout=cyclic:2x3,8 --block=4K good.cfg
line out 'call       alltoallv, 14 ranks, 3 nodes, 3 to 8 ranks per node, dealt in turn, blocks of 4096 bytes'
for layout in 2x 2x0 x3 2x3x4 cyclic: 'cyclic:3,' 3,cyclic:4 blocks:3 4096x4097 16777216,1; do
    code 2 "$shunt" explain --op alltoall --layout $layout --block 4 good.cfg
    part err 'is neither the ranks of a node nor NODESxRANKS, with 16777216 ranks at most in all'
done
code 0 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 0 good.cfg
line out 'rule       none matches, so the call is native'
code 0 "$shunt" explain --op alltoallv --ranks 8 --ppn 8 --nodes 1 --block 0 built-in
line out 'table      built-in'
code 0 "$shunt" explain --op alltoallv --ranks 8 --ppn 8 --nodes 1 --block 0 good.cfg
line out 'algorithm  native'
code 2 "$shunt" explain --op alltoallv --ranks 9 --ppn 8 --nodes 1 --block 0 good.cfg
line err 'shunt explain: 1 nodes of 8 ranks are not 9 ranks (--layout takes unequal nodes); see "shunt explain --help"'
code 2 "$shunt" explain --op alltoallv --ranks 9 --ppn 8 --block 0 good.cfg
code 2 "$shunt" explain --op alltoallv --ranks 9 --block 0 good.cfg
code 2 "$shunt" explain --op alltoallv --block 0 good.cfg
code 2 "$shunt" explain --op alltoallw --ranks 8 --nodes 1 --block 0 good.cfg
line err 'shunt explain: --op: "alltoallw" is not alltoall or alltoallv; see "shunt explain --help"'
code 2 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4X good.cfg
code 2 "$shunt" explain --op alltoall --ranks 0 --nodes 1 --block 4 good.cfg
code 2 "$shunt" explain --op alltoall --layout 3,0 --block 4 good.cfg
code 2 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4 --rank 8 good.cfg
code 3 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4 bad.cfg
code 4 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4 missing.cfg
if command -v python3 >/dev/null 2>&1; then
    code 0 "$shunt" explain --op alltoallv --nodes 4 --ppn 8 --block 512 --json good.cfg
    tests=$((tests + 1))
    python3 - "$("$shunt" --version | sed 's/^shunt //')" <<'END' || fail "explain --json"
import json, os, sys
answer = json.load(open("out"))
assert answer["version"] == sys.argv[1]
assert answer["algorithm"] == "parlinna-coalesced"
assert answer["operation"] == "alltoallv" and answer["memory"] > 0
assert answer["parameters"] == "radix=2 batch_size=3 metadata=fused"
assert answer["rule"] == {"file": os.getcwd() + "/good.cfg", "line": 5, "id": "small"}
assert [other["rule"]["id"] for other in answer["others"]] == ["one node", "capped", "", "rest"]
END
    # A name of a file may have any bytes; JSON has UTF-8.
    strange=$(printf 'a\377"b.cfg')
    cp good.cfg "$strange"
    code 0 "$shunt" explain --op alltoallv --nodes 4 --ppn 8 --block 512 --json "$strange"
    tests=$((tests + 1))
    python3 - <<'END' || fail "explain --json of a file whose name is no UTF-8"
import json
answer = json.loads(open("out", "rb").read().decode("utf-8"))
assert answer["rule"]["file"].endswith("/a\ufffd\"b.cfg")
END
    code 0 "$shunt" explain --op alltoall --nodes 4 --ppn 8 --block 64 --json mixed.cfg
    tests=$((tests + 1))
    python3 - <<'END' || fail "explain --json of a list of radices"
import json
answer = json.load(open("out"))
assert answer["parameters"] == "radix=8x4"
assert answer["schedule"]["copies"] == 31 + 52 + 52 + 31 + 1
assert answer["schedule"]["messages_of_all"] == {"least": 10, "mean": 10, "most": 10}
END
fi

# run. A copy of the program next to no library, then beside something that can be preloaded.
mkdir -p bin lib
cp "$shunt" bin/shunt
run=$work/bin/shunt
code 2 "$run" run
line err 'shunt run: no program to start; see "shunt run --help"'
code 2 "$run" run --log=loud true
line err 'SHUNT_LOG=loud: expected off, start, summary or calls'
code 3 "$run" run --force=alltoall=bruk --config=bad.cfg true
line err 'SHUNT_FORCE: alltoall: unknown algorithm "bruk" (did you mean "bruck"?)'
line err "$work/bad.cfg:2: alltoallv rule \"middle\": unknown key \"radx\" (did you mean \"radix\"?)"
code 4 "$run" run --config=missing.cfg true
code 4 "$run" run --config=empty.cfg true
# This command finds no library beside it, but its table.
code 4 "$run" run --config=built-in true
line err "shunt: table of every host, by its name: built-in"
code 4 "$run" run --config=./built-in true
line err "$work/./built-in: cannot be read: No such file or directory"
module=$build/src/shunt-table.so
if [ ! -e /usr/local/lib/libshunt.so ] && ! "$run" run true 2>/dev/null; then
    code 4 "$run" run true
    tests=$((tests + 1))
    grep -q '^shunt: libshunt.so is neither beside this program nor in ' err \
        || fail "run: no word about the library"
fi
if [ -f "$module" ]; then
    cp "$module" lib/libshunt.so
    code 0 "$run" run --force=alltoall=bruck:radix=4 --config=good.cfg --verify -- env
    line out "LD_PRELOAD=$work/lib/libshunt.so"
    line out "SHUNT_CONFIG=$work/good.cfg"
    line out 'SHUNT_FORCE=alltoall=bruck:radix=4'
    line out 'SHUNT_VERIFY=1'
    line out 'SHUNT_LOG=summary'
    code 0 env LD_PRELOAD="$module" SHUNT_LOG=off "$run" run env
    line out "LD_PRELOAD=$work/lib/libshunt.so:$module"
    line out 'SHUNT_LOG=off'
    code 0 "$run" run --config=built-in env
    line out 'SHUNT_CONFIG=built-in'
    code 7 "$run" run sh -c 'exit 7'
    # Which table was checked, and that the job's may be another.
    line err "shunt: table of host $here: built-in; the job uses that of its rank 0's host (--host=NAME checks another)"
    code 0 env SHUNT_LOG=off "$run" run true
    empty err
    mkdir -p xdg/shunt
    printf 'schema = 1;\nmachine = { hosts = "gpu[1-4]"; };\nelephant = 1;\n' >xdg/shunt/gpu.cfg
    code 0 "$run" run true
    code 3 "$run" run --host=gpu3 true
    line err "shunt: table of host gpu3: none, for the file is not valid; the job uses that of its rank 0's host (--host=NAME checks another)"
    line err "$work/xdg/shunt/gpu.cfg:3: unknown key \"elephant\""
    rm -r xdg
    code 0 "$run" run --config=good.cfg true
    line err "shunt: table of every host, by its name: $work/good.cfg"
    code 0 "$run" run --disable --force=nonsense true
    code 4 "$run" run ./elephant
    line err 'shunt: cannot start ./elephant: No such file or directory'
    code 0 env SHUNT_FORSE=x "$run" run true
    line err 'shunt: warning: unknown variable SHUNT_FORSE (did you mean SHUNT_FORCE?)'
    code 0 env SHUNT_FORSE=x "$run" run "$run" run --log=off true
    [ "$(grep -c 'unknown variable' err)" -eq 1 ] || fail "a shunt run within another one warns again"
    code 2 "$run" run --config= true
    line err 'shunt run: --config: "" is not the name of a file; see "shunt run --help"'
    mkdir "with space"
    cp -r bin lib "with space"
    code 4 "$work/with space/bin/shunt" run true
    line err "shunt: $work/with space/lib/libshunt.so cannot be preloaded: LD_PRELOAD takes no path with a space or a colon"
fi

finish_checks
