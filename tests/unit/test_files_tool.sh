#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The command shunt about decision files: show, new, and what check tells besides mistakes. Needs no
# MPI.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"
python=$(command -v python3) || python=

# python NAME: the script on standard input holds (where there is Python).
python()
{
    [ -n "$python" ] || return 0
    tests=$((tests + 1))
    "$python" - 2>python.err || fail "$1: $(tail -n 1 python.err)"
}

# show: every rule on a line, includes in their place.
mkdir -p part
cat >site.cfg <<'END'
schema = 1;
machine = { name = "cluster"; hosts = ( "node[1-4]", "login*" ); };
policy = { warmup = 2; memory = "64M"; };
alltoallv = (
  { id = "one node"; nodes = 1; algorithm = "native"; },
@include "part/rules.inc"
  { ranks = "64-4095"; block = "513-8K"; memory = "1M"; algorithm = "parlogna"; radix = ("sqrt(P)", 2); }
);
END
echo '{ id = "café"; block = "-512"; algorithm = "parlinna-coalesced"; radix = 2; batch_size = 32; },' >part/rules.inc
code 0 "$shunt" show site.cfg
empty err
grep -v '^fingerprint' out >shown
cat >expected <<END
table       $work/site.cfg (cluster)
hosts       node[1-4]
            login*
policy      warmup 2 calls, max_communicators 16, memory 64M

alltoall: no rules, so every call is native

alltoallv: 3 rules, the first that matches wins
  rule      ranks    nodes  ppn  block   algorithm           parameters             memory  place
  one node  any      1      any  any     native              -                      -       $work/site.cfg:5
  café      any      any    any  0-512   parlinna-coalesced  radix=2 batch_size=32  -       $work/part/rules.inc:1
  -         64-4095  any    any  513-8K  parlogna            radix=sqrt(P)x2        1M      $work/site.cfg:7
END
tests=$((tests + 1))
cmp -s shown expected || fail "show says something else"
code 0 "$shunt" show built-in
line out 'table       built-in'
code 0 "$shunt" show
line out 'table       built-in'
mkdir -p xdg/shunt
cp -r site.cfg part xdg/shunt
code 0 "$shunt" show --host node3
line out "table       $work/xdg/shunt/site.cfg (cluster)"
code 0 "$shunt" show --host=node5
line out 'table       built-in'
code 0 env SHUNT_CONFIG=site.cfg "$shunt" show
line out "table       $work/site.cfg (cluster)"
code 2 "$shunt" show --host=node3 site.cfg
code 2 "$shunt" show site.cfg site.cfg
code 2 "$shunt" show --cfg --json site.cfg
code 4 "$shunt" show missing.cfg
echo 'schema = 2;' >newer.cfg
code 3 "$shunt" show newer.cfg
# shellcheck disable=SC2016 # the inner shell expands it
code 4 sh -c '"$1" show >/dev/full' sh "$shunt"
rm -r xdg

# As a file: the same table, without includes, also of what is written again.
for table in site.cfg built-in "$top/conf/example.cfg"; do
    code 0 "$shunt" show --cfg "$table"
    mv out again.cfg
    code 0 "$shunt" check again.cfg
    code 0 "$shunt" show --cfg again.cfg
    tests=$((tests + 1))
    tail -n +2 again.cfg >before
    tail -n +2 out | cmp -s - before || fail "$table: what is read back is something else"
    # But for places.
    for file in "$table" again.cfg; do
        "$shunt" show "$file" | sed '/^table/d; /^fingerprint/d; s/ *[^ ]*$//' >"shown.$([ "$file" = again.cfg ]; echo $?)"
    done
    tests=$((tests + 1))
    cmp -s shown.0 shown.1 || fail "$table: shown, what is read back is something else"
done
code 0 "$shunt" show --json site.cfg
python "show --json" <<'END'
import json, os
table = json.load(open("out"))
here = os.getcwd()
assert table["table"] == here + "/site.cfg" and table["machine"] == "cluster"
assert len(table["fingerprint"]) == 16 and table["hosts"] == ["node[1-4]", "login*"]
assert table["model"] is None
assert table["policy"] == {
    "warmup": 2, "max_communicators": 16, "memory": 64 << 20, "guard": True, "adapt": True, "no_match": "native", "learn": "suggest", "margin": 3,
    "objective": {"time": 1, "energy": 0, "memory": 0}}
assert [rule["operation"] for rule in table["rules"]] == ["alltoallv"] * 3
assert table["rules"][1]["rule"] == {"file": here + "/part/rules.inc", "line": 1, "id": "café"}
assert table["rules"][1]["conditions"] == {"block": {"low": 0, "high": 512}}
assert table["rules"][2] == {
    "operation": "alltoallv", "rule": {"file": here + "/site.cfg", "line": 7, "id": ""},
    "conditions": {"ranks": {"low": 64, "high": 4095}, "block": {"low": 513, "high": 8192}},
    "algorithm": "parlogna", "parameters": "radix=sqrt(P)x2", "memory": 1 << 20}
END

# A description of the machine: told, and part of the file.
cat >modelled.cfg <<'END'
schema = 1;
machine = { name = "cluster"; hosts = "node*"; model = {
  name = "m"; library = "MPICH 4.0";
  inside = { latency_us = 0.3; overhead_us = 0.2; byte_ns = 0.05; };
  between = { latency_us = 1.5; overhead_us = 0.5; byte_ns = 0.04; eager = "16K"; };
  copy = { block_ns = 20; byte_ns = 0.1; };
}; };
alltoallv = ( { algorithm = "native"; } );
END
code 0 "$shunt" show modelled.cfg
line out 'model       m (MPICH 4.0)'
code 0 "$shunt" check modelled.cfg
part out "modelled.cfg: ok, rules: 0 alltoall, 1 alltoallv, model: m"
code 0 "$shunt" show --cfg modelled.cfg
mv out again.cfg
code 0 "$shunt" show --cfg again.cfg
tests=$((tests + 1))
tail -n +2 again.cfg >before
tail -n +2 out | cmp -s - before || fail "modelled.cfg: what is read back is something else"
code 0 "$shunt" show --json modelled.cfg
python "show --json of a description" <<'END'
import json
model = json.load(open("out"))["model"]
assert model["name"] == "m" and model["library"] == "MPICH 4.0" and model["processors"] == 0
assert model["between"] == {"latency_us": 1.5, "overhead_us": 0.5, "overhead_byte_ns": 0, "gap_us": 0, "byte_ns": 0.04,
                            "eager": 16384, "message_pj": 0, "byte_nj": 0, "rendezvous_us": 0}
assert model["inside"]["eager"] is None and model["energy"] == {"static_w": 0, "per": "card"}
assert model["network"] == {"latency_us": 0, "byte_ns": 0, "nodes": 0} and model["match_ns"] == 0
assert model["native"]["alltoallv"] == "scattered"
assert model["read"] == model["copy"] == {"block_ns": 20, "byte_ns": 0.1}
END
sed 's/byte_ns = 0.04;/byte_ns = 0.0400000000012;/' modelled.cfg >fine.cfg
code 0 "$shunt" show --json fine.cfg
python "show --json keeps all digits of a description" <<'END'
import json
assert json.load(open("out"))["model"]["between"]["byte_ns"] == 0.0400000000012
END
sed 's/inside =/x =/; s/between =/inside =/; s/x =/between =/' modelled.cfg >swapped.cfg
code 1 "$shunt" check swapped.cfg
part err 'swapped.cfg:2: machine.model: messages take longer inside a node than between nodes'
# Where that was measured, it is none.
sed 's/inside =/fitted = true; inside =/' swapped.cfg >measured.cfg
code 0 "$shunt" check measured.cfg
sed 's/inside =/fited = true; inside =/' swapped.cfg >misspelt.cfg
code 3 "$shunt" check misspelt.cfg
part err 'machine.model: unknown key "fited" (did you mean "fitted"?)'
# Where no rule matches: the model's choice, and a model that nobody has described the machine to.
{
    sed '/^policy/d' modelled.cfg
    echo 'policy = { no_match = "model"; margin = 1.5; objective = { time = 1; memory = 0.01; }; };'
} >choice.cfg
code 0 "$shunt" show choice.cfg
line out "no match    the model's choice for alltoall, margin 1.5, objective time 1 memory 0.01"
code 0 "$shunt" show --cfg choice.cfg
part out 'no_match = "model"; margin = 1.5; objective = { time = 1; energy = 0; memory = 0.01; };'
code 0 "$shunt" explain --op=alltoall --ranks=2 --nodes=1 --block=1G choice.cfg
part out 'none matches, and the model predicts too little gain, so the call is native'
code 0 "$shunt" explain --json --op=alltoall --ranks=2 --nodes=1 --block=1G choice.cfg
python "explain --json tells that the model had work left" <<'END'
import json
assert json.load(open("out"))["limited"] is False
END
# Of many ranks, unlike nodes and a choice by memory, it has none left.
code 0 "$shunt" explain --json --op=alltoall --layout=700,650,640,631,620,613,601,599 --block=64 choice.cfg
python "explain --json tells that the model used up its work" <<'END'
import json
assert json.load(open("out"))["limited"] is True
END
printf 'schema = 1;\npolicy = { no_match = "model"; };\n' >blank.cfg
code 1 "$shunt" check blank.cfg
part err 'blank.cfg:2: policy: no_match is "model", but nothing describes the machine'
# A description that is there but wrong is told once.
printf 'schema = 1;\nmachine = { model = 3; };\npolicy = { no_match = "model"; };\n' >wrong.cfg
code 3 "$shunt" check wrong.cfg
part err 'wrong.cfg:2: machine: model: expected a group'
grep -q 'nothing describes' err && fail "a wrong description is told as none"
# By the name of an installed description, and by one that nobody has.
cat >named.cfg <<'END'
schema = 1;
machine = { hosts = "node*"; model = "hoefler-moor-2014"; };
alltoallv = ( { algorithm = "native"; } );
END
code 0 "$shunt" show named.cfg
line out 'model       hoefler-moor-2014 (MPICH)'
sed 's/hoefler-moor-2014/hoefler-moor/' named.cfg >unknown.cfg
code 3 "$shunt" check unknown.cfg
part err 'unknown.cfg:2: machine.model: no machine description is called "hoefler-moor" (did you mean "hoefler-moor-2014"?)'

# check: calls without a rule are told, and are no findings unless that is asked for.
cat >gaps.cfg <<'END'
schema = 1;
machine = { hosts = ( "login1", "node[1-4]" ); };
alltoallv = (
  { id = "one"; nodes = 1; block = "0-8K"; algorithm = "shared-segment"; },
  { id = "several"; nodes = "2-4"; ppn = "-64"; algorithm = "scattered"; },
  { id = "few"; ranks = "-15"; nodes = "1-3"; algorithm = "native"; }
);
END
code 0 "$shunt" check gaps.cfg
empty err
cat >expected <<END
$work/gaps.cfg: ok, rules: 0 alltoall, 3 alltoallv
$work/gaps.cfg: alltoall: no rules, so every call is native
$work/gaps.cfg: alltoallv: no rule takes ranks 16-, nodes 1, block 8193-: native
$work/gaps.cfg: alltoallv: no rule takes nodes 2-, a node of at least 65 ranks: native
$work/gaps.cfg: alltoallv: no rule takes nodes 5-: native
END
unfold out
sort out >sorted
sort expected | cmp -s - sorted || fail "check tells other gaps"
tests=$((tests + 1))
code 1 "$shunt" check --complete gaps.cfg
line err "$work/gaps.cfg: alltoallv: no rule takes nodes 5-: native"
line err "$work/gaps.cfg: alltoall: no rules, so every call is native"
code 0 "$shunt" check --nodes=-4 --ppn=-64 --block='0 - 8k' gaps.cfg
tests=$((tests + 1))
grep -q alltoallv: out && fail "there are gaps within what the rules take"
code 0 "$shunt" check --overlaps gaps.cfg
unfold out
line out "$work/gaps.cfg:6: alltoallv rule \"few\" and rule \"one\" in line 4 could both take ranks 2-15, nodes 1, block 0-8K: the earlier one does"
line out "$work/gaps.cfg:6: alltoallv rule \"few\" and rule \"several\" in line 5 could both take ranks 2-15, nodes 2-3, ppn 1-64: the earlier one does"
code 0 "$shunt" check --complete built-in
line out 'built-in: ok, rules: 24 alltoall, 17 alltoallv'
code 2 "$shunt" check --nodes=4-2 gaps.cfg
code 2 "$shunt" check --block=1..2 gaps.cfg
line err 'shunt check: --block: "1..2" is not a range such as 513-8K (did you mean "1-2"?); see "shunt check --help"'
code 2 "$shunt" check --nodes=2- --ranks=1 gaps.cfg
line err 'shunt check: no layout is within --ranks, --nodes and --ppn together; see "shunt check --help"'
printf 'schema = 1;\nalltoall = ( { ranks = 2; algorithm = "native"; }, { algorithm = "native"; } );\n' >twins.cfg
code 0 "$shunt" check twins.cfg
unfold out
line out "$work/twins.cfg:2: alltoall rules 1 and 2 have no id and share a line, so records name them alike"

# check --host with a file: whether it is that host's.
code 0 "$shunt" check --host=node3.example.org gaps.cfg
unfold out
line out "$work/gaps.cfg: host node3.example.org matches \"node[1-4]\": but the file is in no folder that is searched, so it has to be named in SHUNT_CONFIG"
code 1 "$shunt" check --host=node5 gaps.cfg
line err "$work/gaps.cfg: host node5 does not choose this file: machine.hosts has \"login1\", \"node[1-4]\""
code 1 "$shunt" check --host=node5 twins.cfg
line err "$work/twins.cfg: host node5 never chooses this file: it has no machine.hosts"
mkdir -p xdg/shunt
cp gaps.cfg xdg/shunt/m.cfg
code 0 "$shunt" check --host=node3 xdg/shunt/m.cfg
line out "$work/xdg/shunt/m.cfg: host node3 matches \"node[1-4]\": the table of its jobs"
cp gaps.cfg xdg/shunt/a.cfg
code 0 "$shunt" check --host=node3 xdg/shunt/m.cfg
unfold out
line out "$work/xdg/shunt/m.cfg: host node3 matches \"node[1-4]\": but the search ends before it at $work/xdg/shunt/a.cfg"
rm -r xdg

# check --json: findings and coverage, with the same exit status.
code 1 "$shunt" check --json --overlaps --complete --host=login1 gaps.cfg
python "check --json" <<'END'
import json, os
here = os.getcwd() + "/gaps.cfg"
[file] = json.load(open("out"))["files"]
assert file["table"] == here and file["host"] == "login1"
assert file["matched"] == "login1" and file["chosen"] is False
alltoall, alltoallv = file["coverage"]
assert alltoall["gaps"] == [{"conditions": {"ranks": {"low": 2, "high": None}}}]
assert {"conditions": {"ranks": {"low": 16, "high": None}, "nodes": {"low": 1, "high": 1},
    "block": {"low": 8193, "high": None}}} in alltoallv["gaps"]
assert {"conditions": {"ranks": {"low": 2, "high": None}, "nodes": {"low": 2, "high": None},
    "ppn_max": {"low": 65, "high": None}}} in alltoallv["gaps"]
assert alltoallv["complete"] is True and len(alltoallv["gaps"]) == 3
assert [[r["rule"]["id"] for r in o["rules"]] for o in alltoallv["overlaps"]] == [
    ["one", "few"], ["several", "few"]]
assert [f["kind"] for f in file["findings"]] == ["gap"] * 4 and file["findings"][0]["file"] == here
END
cat >late.cfg <<'END'
schema = 1;
alltoall = ( { algorithm = "native"; },
  { id = "late: 3: x"; algorithm = "scattered"; } );
END
echo 'schema = 1; elephant = 1;' >bad.cfg
code 4 "$shunt" check -j late.cfg bad.cfg missing.cfg
empty err
python "check --json of several files" <<'END'
import json, os
here = os.getcwd()
late, bad, missing = json.load(open("out"))["files"]
assert late["findings"] == [{"kind": "rule", "file": here + "/late.cfg", "line": 3,
    "text": 'alltoall rule "late: 3: x" is never reached: rule 1 in line 2 takes every such call'}]
assert bad["findings"] == [{"kind": "invalid", "file": here + "/bad.cfg", "line": 1,
    "text": 'unknown key "elephant"'}] and bad["coverage"] == []
assert missing["findings"] == [{"kind": "unreadable", "file": here + "/missing.cfg",
    "text": "cannot be read: No such file or directory"}]
END
# Names that look like the end of a name, also of a file that another one includes.
mkdir 'odd: 7: names'
cp late.cfg 'odd: 7: names/late: 3: x.cfg'
printf 'schema = 1;\n@include "part: 1.inc"\n' >'odd: 7: names/whole.cfg'
echo 'elephant = 1;' >'odd: 7: names/part: 1.inc'
newline=$(printf 'new\nline: 2: x.cfg')
cp bad.cfg "$newline"
code 4 "$shunt" check -j 'odd: 7: names/late: 3: x.cfg' 'odd: 7: names/whole.cfg' "$newline" \
    'no: 4: such.cfg'
python "check --json splits no names" <<'END'
import json, os
here = os.getcwd()
found = [file["findings"] for file in json.load(open("out"))["files"]]
assert [len(findings) for findings in found] == [1, 1, 1, 1], found
late, part, line, missing = [findings[0] for findings in found]
assert late["file"] == here + "/odd: 7: names/late: 3: x.cfg" and late["line"] == 3
assert late["text"].startswith('alltoall rule "late: 3: x" is never reached: '), late
assert part["file"] == here + "/odd: 7: names/part: 1.inc" and part["line"] == 1, part
assert part["text"] == 'unknown key "elephant"', part
assert line["file"] == here + "/new\nline: 2: x.cfg" and line["line"] == 1, line
assert missing["file"] == here + "/no: 4: such.cfg" and "line" not in missing, missing
assert missing["text"] == "cannot be read: No such file or directory", missing
END
code 0 "$shunt" check --json
python "check --json of a host's table" <<'END'
import json
[file] = json.load(open("out"))["files"]
assert file["table"] == "built-in" and file["findings"] == []
END

# Thousands of rules that overlap in every way: it is quick, and says that it did not look at all.
awk 'function range(most, a, b) { a = int(rand() * most) + 1; b = int(rand() * most) + 1
                                   return a < b ? "\"" a "-" b "\"" : "\"" b "-" a "\"" }
     BEGIN { srand(1); print "schema = 1;\nalltoallv = ("
             for (i = 0; i < 20000; i++) printf "  { ranks = %s; nodes = %s; ppn = %s; block = %s; algorithm = \"%s\"; }%s\n", \
                 range(5000), range(500), range(100), range(100000), i % 2 ? "native" : "scattered", i < 19999 ? "," : ""
             print ");" }' >tangle.cfg
code 1 timeout 60 "$shunt" check --overlaps tangle.cfg
line out "$work/tangle.cfg: alltoallv: more rules overlap (--json lists more)"
tests=$((tests + 1))
grep -qE 'alltoallv: (more calls may have no rule|there are more such calls)' out || fail "not a word about what was not looked at"

# new: what it writes is good as it stands, is for that host, and its rules are good, too.
code 0 "$shunt" new
empty err
mv out new.cfg
code 0 "$shunt" check --complete --host="$(uname -n)" new.cfg
line out "$work/new.cfg: ok, rules: 1 alltoall, 1 alltoallv"
code 0 "$shunt" new --host=node17.cluster --ppn=56
line out 'machine = { name = "node"; hosts = ( "node*" ); };'
tests=$((tests + 1))
grep -q "^#    for yourself:  $work/xdg/shunt/node\.cfg\$" out || fail "new tells another folder"
code 0 "$shunt" new --host=gpu-a100-03
line out 'machine = { name = "gpu-a100"; hosts = ( "gpu-a100-*" ); };'
code 0 "$shunt" new --host=login.example.org
line out 'machine = { name = "login"; hosts = ( "login" ); };'
code 0 "$shunt" new --host=10.0.0.1
line out 'machine = { name = "10-0-0-1"; hosts = ( "10.0.0.1" ); };'
code 2 "$shunt" new site.cfg
code 2 "$shunt" new --ppn=0
code 2 "$shunt" new --host="$(printf '%0300d' 1)"
# shellcheck disable=SC2016 # the inner shell expands it
code 4 sh -c '"$1" new >/dev/full' sh "$shunt"
long=$(printf '%0255d' 1)
newline='a
}; b'
for host in node1 n-1.x "$(printf 'n\303\266de7')" "$(printf 'n\366de7')" 'a"b1' 'a\b1' 'a*[1-3]' '{a,b}1' \
    'two words1' "$newline" "$(printf 'a\tb\033[1m2')" '*/ x' '/* x' '# 1' '_' '-' '17' '.' '..a' "x$(echo "$long" | cut -c2-)" \
    "$long" '@include' '%s%n1' "$(printf '\n')"; do
    for ppn in 1 3 128 100000; do
        tests=$((tests + 3))
        for locale in C C.UTF-8 de_DE.UTF-8 tr_TR.UTF-8; do
            LC_ALL=$locale "$shunt" new --host="$host" --ppn="$ppn" >"$locale.cfg" 2>err \
                || fail "new: host $host: exit status $?"
            cmp -s C.cfg "$locale.cfg" || fail "new: host $host: another file in $locale"
        done
        # With every rule in use.
        sed 's/^  # {/  {/' C.cfg >used.cfg
        for file in C.cfg used.cfg; do
            case $host in *[a-z]* | 17 | "$long") for_host=--host=$host ;; *) for_host=--complete ;; esac
            "$shunt" check --complete "$for_host" "$file" >out 2>err </dev/null \
                || fail "new: host $host, $ppn ranks on a node: $file is not good"
        done
        grep -q '^[^:]*: ok, rules: 6 alltoall, 5 alltoallv$' out \
            || fail "new: host $host, $ppn ranks on a node: other rules"
    done
done
code 0 env -u HOME -u XDG_CONFIG_HOME "$shunt" new
tests=$((tests + 1))
grep -q 'for yourself' out && fail "new knows a folder where there is none"
code 0 env XDG_CONFIG_HOME="$work/$newline" "$shunt" new
mv out new.cfg
code 0 "$shunt" check new.cfg

finish_checks
