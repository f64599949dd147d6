#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command shunt: exit codes, messages, alignment. Needs no MPI.
set -u
top=$(cd "${srcdir:-.}" && pwd)
build=$(pwd)
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

# The command as a whole.
code 2 "$shunt"
empty out
code 0 "$shunt" --help
line out 'usage: shunt VERB [OPTION]...'
empty err
code 0 "$shunt" help
code 0 "$shunt" --version
code 2 "$shunt" chek
line err 'shunt: unknown verb "chek" (did you mean "check"?)'
code 2 "$shunt" help elephant
line err 'shunt: unknown verb "elephant"; "shunt --help" lists them'
for verb in run check explain algorithms; do
    code 0 "$shunt" help "$verb"
    mv out help
    code 0 "$shunt" "$verb" --help
    tests=$((tests + 1))
    cmp -s out help || fail "help $verb and $verb --help differ"
    code 2 "$shunt" "$verb" --elephant
    line err "shunt $verb: --elephant is not an option$([ "$verb" = explain ] || [ "$verb" = run ] && echo ', or lacks its value'); see \"shunt $verb --help\""
done
# shellcheck disable=SC2016 # the inner shell expands it
code 4 sh -c '"$1" algorithms >/dev/full' sh "$shunt"

# algorithms: one per line, name first, columns aligned.
code 0 "$shunt" algorithms
tests=$((tests + 1))
head -n 1 out | grep -q '^native  ' || fail "native is not first"
tests=$((tests + 1))
awk '{ at = index($0, "  alltoall"); if (NR > 1 && at != last) exit 1; last = at }' out || fail "columns are not aligned"
tests=$((tests + 1))
grep -q "$(printf '\033')" out && fail "colours without a terminal"
names=$(wc -l <out)
code 0 "$shunt" algorithms --long
tests=$((tests + 1))
[ "$(wc -l <out)" -eq $((names * 3)) ] || fail "--long has not three lines per algorithm"
code 2 "$shunt" algorithms native
if command -v python3 >/dev/null 2>&1; then
    code 0 "$shunt" algorithms --json
    tests=$((tests + 1))
    [ "$(python3 -c 'import json; print(len(json.load(open("out"))))')" -eq "$names" ] || fail "algorithms --json"
fi

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
line out 'good.cfg: ok, rules: 0 alltoall, 5 alltoallv'
empty err
code 3 "$shunt" check bad.cfg
empty out
line err 'bad.cfg:2: alltoallv rule "middle": unknown key "radx" (did you mean "radix"?)'
line err 'bad.cfg:2: alltoallv rule "middle": unknown algorithm "parlona" (did you mean "parlogna"?)'
code 1 "$shunt" check late.cfg
line err 'late.cfg:4: alltoall rule "late" is never reached: rule 1 in line 3 takes every such call'
code 4 "$shunt" check missing.cfg
line err 'missing.cfg: cannot be read: No such file or directory'
code 4 "$shunt" check .
line err '.: cannot be read: is a directory'
code 3 "$shunt" check good.cfg late.cfg bad.cfg
code 0 "$shunt" check "$top/conf/default.cfg" "$top/conf/example.cfg"
code 0 "$shunt" check
line out 'built-in: ok, rules: 7 alltoall, 9 alltoallv'
code 3 env SHUNT_CONFIG=bad.cfg "$shunt" check
mkdir -p xdg/shunt
sed 's/name = "test machine"/hosts = ("*")/' good.cfg >xdg/shunt/all.cfg
code 0 "$shunt" check
line out "$work/xdg/shunt/all.cfg: ok, rules: 0 alltoall, 5 alltoallv"
rm -r xdg

# explain.
code 0 "$shunt" explain --op alltoallv --nodes 4 --ppn 8 --block 513 good.cfg
cat >expected <<'END'
call       alltoallv, 32 ranks, 4 nodes, 8 ranks per node, blocks of 513 bytes
table      good.cfg (test machine)
algorithm  scattered batch_size=31
rule       good.cfg:8 "rest"
scratch    0 B
schedule   rank 0: 1 rounds, sends 31 messages with 31 blocks

other rules
  good.cfg:4 "one node"  nodes 4 not in 1
  good.cfg:5 "small"     block 513 not in 0-512
END
tests=$((tests + 1))
head -n 10 out | cmp -s - expected || fail "explain says something else"
tests=$((tests + 1))
grep -q '^  good.cfg:6 "capped"    needs .* KiB, cap is 1 KiB$' out || fail "explain: no word about the cap"
line out '  good.cfg:7             block 513 not in 4096-'
cat >many.cfg <<'END'
schema = 1;
alltoall = ( { algorithm = "bruck"; radix = 2; } );
alltoallv = ( { algorithm = "parlogna"; radix = 2; } );
END
for op in alltoall alltoallv; do
    code 0 "$shunt" explain --op $op --ranks 16384 --nodes 1024 --ppn 16 --block 8K many.cfg
    line out 'scratch    255.9 MiB'
    code 0 "$shunt" explain --op $op --ranks 16384 --nodes 1024 --ppn 16 --block 9K many.cfg
    line out '  many.cfg:'"$([ $op = alltoall ] && echo 2 || echo 3)"'  needs 287.9 MiB, cap is 256 MiB'
done
cat >mixed.cfg <<'END'
schema = 1;
alltoall = ( { algorithm = "bruck-basic"; radix = ("Q", "N"); } );
END
code 0 "$shunt" explain --op alltoall --nodes 4 --ppn 8 --block 64 mixed.cfg
line out 'algorithm  bruck-basic radix=8x4'
line out 'schedule   rank 0: 10 rounds, sends 10 messages with 52 blocks, moves 62 blocks in memory'
code 0 "$shunt" explain --op=alltoallv --layout=3,5,8,1 --block=4K good.cfg
line out 'call       alltoallv, 17 ranks, 4 nodes, 1 to 8 ranks per node, blocks of 4096 bytes'
line out '  good.cfg:5 "small"     ppn 1-8 not within 8-'
line out '  good.cfg:8 "rest"      comes after the rule that won'
code 0 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 0 good.cfg
line out 'rule       none matches, so the call is native'
code 0 "$shunt" explain --op alltoallv --ranks 8 --ppn 8 --nodes 1 --block 0 good.cfg
line out 'algorithm  native'
code 2 "$shunt" explain --op alltoallv --ranks 9 --ppn 8 --nodes 1 --block 0 good.cfg
line err 'shunt explain: 1 nodes of 8 ranks are not 9 ranks (--layout takes unequal nodes); see "shunt explain --help"'
code 2 "$shunt" explain --op alltoallv --ranks 9 --ppn 8 --block 0 good.cfg
code 2 "$shunt" explain --op alltoallv --ranks 9 --block 0 good.cfg
code 2 "$shunt" explain --op alltoallv --block 0 good.cfg
code 2 "$shunt" explain --op alltoallw --ranks 8 --nodes 1 --block 0 good.cfg
line err 'shunt explain: --op: "alltoallw" is neither alltoall nor alltoallv; see "shunt explain --help"'
code 2 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4X good.cfg
code 2 "$shunt" explain --op alltoall --ranks 0 --nodes 1 --block 4 good.cfg
code 2 "$shunt" explain --op alltoall --layout 3,0 --block 4 good.cfg
code 2 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4 --rank 8 good.cfg
code 3 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4 bad.cfg
code 4 "$shunt" explain --op alltoall --ranks 8 --nodes 1 --block 4 missing.cfg
if command -v python3 >/dev/null 2>&1; then
    code 0 "$shunt" explain --op alltoallv --nodes 4 --ppn 8 --block 512 --json good.cfg
    tests=$((tests + 1))
    python3 - <<'END' || fail "explain --json"
import json
answer = json.load(open("out"))
assert answer["algorithm"] == "parlinna-coalesced"
assert answer["parameters"] == {"radix": 2, "batch_size": 3, "metadata": "fused"}
assert answer["rule"] == {"file": "good.cfg", "line": 5, "id": "small"}
assert [other["id"] for other in answer["others"]] == ["one node", "capped", "", "rest"]
END
    code 0 "$shunt" explain --op alltoall --nodes 4 --ppn 8 --block 64 --json mixed.cfg
    tests=$((tests + 1))
    python3 - <<'END' || fail "explain --json of a list of radices"
import json
answer = json.load(open("out"))
assert answer["parameters"] == {"radix": [8, 4]}
assert answer["schedule"]["copies"] == 62
END
fi

# run. A copy of the program next to no library, then beside something that can be preloaded.
mkdir -p bin lib
cp "$shunt" bin/shunt
if [ -e "$build/src/.libs/shunt" ]; then cp "$build/src/.libs/shunt" bin/shunt; fi
run=$work/bin/shunt
code 2 "$run" run
line err 'shunt run: no program to start; see "shunt run --help"'
code 2 "$run" run --log=loud true
line err 'SHUNT_LOG=loud: expected off, summary or calls'
code 3 "$run" run --force=alltoall=bruk --config=bad.cfg true
line err 'SHUNT_FORCE: alltoall: unknown algorithm "bruk" (did you mean "bruck"?)'
line err 'bad.cfg:2: alltoallv rule "middle": unknown key "radx" (did you mean "radix"?)'
code 4 "$run" run --config=missing.cfg true
module=$build/src/.libs/shunt-table.so
if [ ! -e /usr/local/lib/libshunt.so ] && ! "$run" run true 2>/dev/null; then
    code 4 "$run" run true
    tests=$((tests + 1))
    grep -q '^shunt: libshunt.so is neither beside this program nor in ' err || fail "run: no word about the library"
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
    code 7 "$run" run sh -c 'exit 7'
    code 0 "$run" run --disable --force=nonsense true
    code 4 "$run" run ./elephant
    line err 'shunt: cannot start ./elephant: No such file or directory'
    code 0 env SHUNT_FORSE=x "$run" run true
    line err 'shunt: warning: unknown variable SHUNT_FORSE (did you mean SHUNT_FORCE?)'
    mkdir "with space"
    cp -r bin lib "with space"
    code 4 "$work/with space/bin/shunt" run true
    line err "shunt: $work/with space/lib/libshunt.so cannot be preloaded: LD_PRELOAD takes no path with a space or a colon"
fi

echo "$tests checks, $failed failed"
[ "$failed" -eq 0 ]
