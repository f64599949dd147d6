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
assert table["policy"] == {"warmup": 2, "max_communicators": 16, "memory": 64 << 20}
assert [rule["operation"] for rule in table["rules"]] == ["alltoallv"] * 3
assert table["rules"][1]["rule"] == {"file": here + "/part/rules.inc", "line": 1, "id": "café"}
assert table["rules"][1]["conditions"] == {"block": {"low": 0, "high": 512}}
assert table["rules"][2] == {
    "operation": "alltoallv", "rule": {"file": here + "/site.cfg", "line": 7, "id": ""},
    "conditions": {"ranks": {"low": 64, "high": 4095}, "block": {"low": 513, "high": 8192}},
    "algorithm": "parlogna", "parameters": "radix=sqrt(P)x2", "memory": 1 << 20}
END

finish_checks
