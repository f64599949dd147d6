#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt diff: exactly the calls about which two tables differ, against what shunt explain says of
# each; merged cells, one layout, forms, exit status, and bad input. Needs no MPI.
# shellcheck disable=SC2016 # awk expands it
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"

cat >a.cfg <<'END'
schema = 1;
machine = { name = "alpha"; };
alltoall = (
  { id = "one node"; nodes = 1; algorithm = "native"; },
  { id = "small"; nodes = "2-"; ranks = "64-127"; block = "16-4K"; algorithm = "node-pair"; },
  { id = "rest"; algorithm = "native"; }
);
alltoallv = ( { id = "p"; block = "1-64"; algorithm = "parlogna"; radix = "sqrt(P)"; } );
END
sed 's/"node-pair"/"bruck"; radix = 4/; s/sqrt(P)/4/; s/"one node"/"single"/' a.cfg >b.cfg

# Equal tables, however they are written.
code 0 "$shunt" diff a.cfg a.cfg
line out 'no difference'
empty err
cat >c.cfg <<'END'
schema = 1;
alltoall = ( { block = "0-100"; algorithm = "bruck"; }, { block = "101-"; algorithm = "scattered"; } );
END
cat >d.cfg <<'END'
schema = 1;
alltoall = ( { block = "0-50"; algorithm = "bruck"; radix = 2; }, { block = "-100"; algorithm = "bruck"; },
             { algorithm = "scattered"; } );
END
code 0 "$shunt" diff c.cfg d.cfg
code 0 "$shunt" diff found built-in
code 0 "$shunt" diff --host=nowhere built-in found

# What differs is told with both rules; cells are merged; a name of a rule alone is no difference.
code 1 "$shunt" diff a.cfg b.cfg
empty err
part out 'ranks 64-127, nodes 2-  16-4K  node-pair -> bruck:radix=4'
part out "$work/a.cfg:5 \"small\"  -> $work/b.cfg:5 \"small\""
tests=$((tests + 1))
[ "$(grep -c '^alltoall ' out)" = 1 ] || fail "one difference of alltoall is told on several lines"
part out 'parlogna:radix=sqrt(P) -> parlogna:radix=4'
part out 'some: '
code 1 "$shunt" diff --wide --op=alltoall b.cfg a.cfg
part out 'bruck:radix=4 -> node-pair '
tests=$((tests + 1))
grep -q '^alltoallv' out && fail "--op=alltoall tells of alltoallv"

# Sparse calls: densities are cut like everything else, and there is no density 0 but of empty blocks.
printf 'schema = 1; alltoallv = ( { density = "0-30"; algorithm = "native"; }, { algorithm = "parlogna"; } );\n' >s.cfg
printf 'schema = 1; alltoallv = ( { density = "0-10"; algorithm = "native"; }, { algorithm = "parlogna"; } );\n' >t.cfg
code 1 "$shunt" diff --wide --ranks=64 --nodes=4 s.cfg t.cfg
part out ', density 11-30  native -> parlogna'
code 1 "$shunt" diff s.cfg t.cfg
part out 'any, density 11-30  native -> parlogna'
code 0 "$shunt" diff --density=31- s.cfg t.cfg
code 0 "$shunt" diff --density=0-10 s.cfg t.cfg
code 1 "$shunt" diff --density=5-20 --csv --ranks=64 --nodes=4 s.cfg t.cfg
part out ',11,20,1,64,4,16,16,0,20,native,'
code 2 "$shunt" diff --density=101 s.cfg t.cfg
code 2 "$shunt" diff --density=0 --block=8- s.cfg t.cfg
part err 'no call is within --block and --density together'

# Jobs with more ranks than processors are asked about by themselves.
printf 'schema = 1; alltoall = ( { oversubscribed = true; algorithm = "bruck"; }, { algorithm = "native"; } );\n' >s.cfg
printf 'schema = 1; alltoall = ( { algorithm = "native"; } );\n' >t.cfg
code 0 "$shunt" diff s.cfg t.cfg
code 0 "$shunt" diff --oversubscribed=false s.cfg t.cfg
code 1 "$shunt" diff --oversubscribed=true s.cfg t.cfg
part out 'bruck -> native'
code 1 "$shunt" diff --oversubscribed=true --layout=2x4 s.cfg t.cfg
code 2 "$shunt" diff --oversubscribed=yes s.cfg t.cfg
part err '"yes" is not true or false'

# Options ask about some calls.
code 1 "$shunt" diff --ranks=64 --nodes=4 --op=alltoall a.cfg b.cfg
part out 'alltoall  64 ranks on 4 nodes  16-4K  node-pair:leaders=1:fragment=1G -> bruck:radix=4'
code 1 "$shunt" diff --ranks=64 --nodes=4 --op=alltoallv a.cfg b.cfg
part out 'parlogna:radix=8:'
code 0 "$shunt" diff --ranks=16 --nodes=4 --op=alltoallv a.cfg b.cfg
code 0 "$shunt" diff --op=alltoall --ranks=128- a.cfg b.cfg
code 0 "$shunt" diff --op=alltoall --block=4097- a.cfg b.cfg
code 0 "$shunt" diff --op=alltoall --nodes=1 a.cfg b.cfg
code 1 "$shunt" diff --op=alltoall --layout=3,61 a.cfg b.cfg
part out '64 ranks on 2 nodes, 3 to 61 per node  16-4K'
code 0 "$shunt" diff --op=alltoall --layout=3,5 a.cfg b.cfg
code 0 "$shunt" diff --op=alltoall --memory=0 a.cfg b.cfg
code 1 "$shunt" diff --op=alltoall --ranks=100-110 --ppn=10 a.cfg b.cfg --csv
tests=$((tests + 1))
awk -F , 'NR == 2 && $2 == 100 && $3 == 110 && $6 == 10 && $9 == 10 && $10 == 16 && $11 == 4096 &&
    $15 >= 100 && $15 <= 110 && $15 == $16 * 10 { ok = 1 } END { exit !(ok && NR == 2) }' out ||
    fail "the line of --csv is not that of the options"

# decided FILE OP RANKS NODES BLOCK: algorithm and parameters, as explain tells them.
decided()
{
    "$shunt" explain --op="$2" --ranks="$3" --nodes="$4" --block="$5" "$1" |
        sed -n 's/^algorithm *//p'
}

# told OP RANKS NODES BLOCK: whether a line of found.csv holds that call; "some" where one does in
# part.
told()
{
    awk -F , -v op="$1" -v p="$2" -v n="$3" -v b="$4" '
        function in_(v, low, high) { return v >= low && (high == "" || v <= high + 0) }
        NR > 1 && $1 == op && in_(p, $2, $3) && in_(n, $4, $5) && in_(p / n, $6, $7) &&
            in_(p / n, $8, $9) && in_(b, $10, $11) { print $12 == 1 ? "yes" : "some"; exit }' found.csv
}

# Both ways: what is told differs, and what differs is told.
for pair in 'a.cfg b.cfg' 'a.cfg built-in' 'built-in c.cfg'; do
    # shellcheck disable=SC2086 # two words
    code 1 "$shunt" diff --csv $pair
    cp out found.csv
    for op in alltoall alltoallv; do
        for shape in '2 1' '8 2' '16 1' '16 16' '48 16' '64 4' '64 16' '128 8' '130 2' '1024 32'; do
            for block in 0 1 15 16 64 100 101 2048 4096 4097 65536 1000000; do
                tests=$((tests + 1))
                one=$(decided "${pair% *}" $op "${shape% *}" "${shape#* }" $block)
                other=$(decided "${pair#* }" $op "${shape% *}" "${shape#* }" $block)
                seen=$(told $op "${shape% *}" "${shape#* }" $block)
                case $seen in
                yes) [ "$one" != "$other" ] || fail "$pair $op $shape $block: no difference is told as one" ;;
                '') [ "$one" = "$other" ] || fail "$pair $op $shape $block: \"$one\", \"$other\" is not told" ;;
                esac
            done
        done
    done
done

# JSON.
code 1 "$shunt" diff --json a.cfg b.cfg
part out '"conditions": {"ranks": {"low": 64, "high": 127}, "nodes": {"low": 2, "high": null}, "block": {"low": 16, "high": 4096}}, "everywhere": true'
if python3 -c 'import jsonschema' 2>/dev/null; then
    cp out diff.1.json
    code 0 "$shunt" diff --json a.cfg a.cfg
    cp out diff.2.json
    code 1 "$shunt" diff --json c.cfg built-in
    cp out diff.3.json
    code 0 python3 "$top/tests/unit/valid.py" "$top/src/tools/diff/diff.schema.json" diff.?.json
    sed 's/"everywhere"/"throughout"/' diff.1.json >changed.json
    code 1 python3 "$top/tests/unit/valid.py" "$top/src/tools/diff/diff.schema.json" changed.json
fi

# What a model chooses.
cat >chosen.cfg <<'END'
schema = 1;
machine = { name = "x"; model = { name = "m"; between = { latency_us = 1.5; overhead_us = 0.5; byte_ns = 0.04; };
  inside = { latency_us = 0.5; overhead_us = 0.2; byte_ns = 0.02; }; copy = { block_ns = 20; byte_ns = 0.1; }; }; };
policy = { no_match = "model"; margin = 1.1; };
alltoall = ( { ranks = "2-15"; algorithm = "native"; } );
END
sed '/^policy/d' chosen.cfg >unchosen.cfg
code 0 "$shunt" diff --ranks=16-64 --nodes=4 chosen.cfg chosen.cfg
code 0 "$shunt" diff --ranks=2-15 chosen.cfg unchosen.cfg
code 1 "$shunt" diff --ranks=64 --nodes=16 --block=0-1K chosen.cfg unchosen.cfg
part out 'the model  -> no rule'
code 1 "$shunt" diff --ranks=64 --nodes=16 --block=0-1K --json unchosen.cfg chosen.cfg
part out '"rule": null, "modelled": true'

# Bad input.
code 4 "$shunt" diff a.cfg nothing.cfg
part err 'nothing.cfg: cannot be read'
echo 'alltoall = ( { algorithm = "brick"; } );' >bad.cfg
code 3 "$shunt" diff bad.cfg a.cfg
part err 'bad.cfg:1'
code 2 "$shunt" diff a.cfg
part err 'two tables are compared'
code 2 "$shunt" diff a.cfg b.cfg c.cfg
part err '"c.cfg" is one word too many'
code 2 "$shunt" diff --ranks=8to9 a.cfg b.cfg
part err '--ranks: "8to9" is not a range'
code 2 "$shunt" diff --ranks=2 --nodes=8- a.cfg b.cfg
part err 'no layout is within --ranks, --nodes and --ppn together'
code 2 "$shunt" diff --host=x a.cfg b.cfg
code 2 "$shunt" diff --csv --json a.cfg b.cfg
code 2 "$shunt" diff --layout=3 --ranks=3 a.cfg b.cfg
code 2 "$shunt" diff --op=bcast a.cfg b.cfg
# shellcheck disable=SC2016 # the inner shell expands it
code 4 sh -c '"$1" diff a.cfg b.cfg >/dev/full' sh "$shunt"

# Tables with many rules that differ nearly everywhere: joined on the way, and bounded in memory.
rules()
{
    echo 'schema = 1; alltoallv = ('
    awk -v count="$1" -v every="$2" 'BEGIN {
        for (i = 0; i < count; i++)
            printf "%s{ %s block = \"%d-%d\"; algorithm = \"%s\"; }", i ? ",\n" : "",
                   every ? "ranks = \"" i % every + 2 "\";" : "", 10 * i, 10 * i + 9,
                   i % 2 ? "scattered" : "pairwise" }'
    echo ');'
}
rules 600 40 >many.cfg
code 1 timeout 120 "$shunt" diff --nodes=1 many.cfg built-in
count=$(grep -c . out)
tests=$((tests + 1))
[ "$count" -gt 600 ] || fail "only $count lines about 600 rules"
# shellcheck disable=SC2016,SC3045 # the inner shell expands it; dash and bash have ulimit -v
if sh -c 'ulimit -v 200000; "$1" --version' sh "$shunt" >/dev/null 2>&1; then
    rules 3000 0 >blocks.cfg
    code 2 timeout 120 sh -c 'ulimit -v 200000; exec "$1" diff blocks.cfg built-in' sh "$shunt"
    part err 'the tables differ in more than 50000 places: ask about some calls alone'
fi

# Rules at random: four times as many take about four times as long, not sixteen times.
scattered()
{
    awk -v count="$1" -v seed="$2" 'BEGIN {
        srand(seed)
        print "schema = 1; alltoallv = ("
        for (i = 0; i < count; i++) {
            ranks = 2 + int(500 * rand())
            block = int(1e6 * rand())
            printf "{ ranks = \"%d-%d\"; nodes = \"%d-\"; block = \"%d-%d\"; algorithm = \"%s\"; },\n",
                ranks, ranks + int(500 * rand()), 1 + int(4 * rand()), block,
                block + int(1e6 * rand()), rand() < 0.5 ? "spread-out" : "scattered"
        }
        print "{ algorithm = \"native\"; } );" }' >"scattered.$2.cfg"
}
# seconds COUNT: of a processor, for five comparisons of as many rules.
seconds()
{
    scattered "$1" 1
    scattered "$1" 2
    # shellcheck disable=SC2016 # the inner shell expands it
    sh -c 'for i in 1 2 3 4 5; do "$1" diff scattered.1.cfg scattered.2.cfg >/dev/null; done; times' \
        sh "$shunt" | awk -F '[ms ]+' 'END { print 60 * $1 + $2 + 60 * $3 + $4 }'
}
few=$(seconds 100)
many=$(seconds 400)
tests=$((tests + 1))
awk -v few="$few" -v many="$many" 'BEGIN { exit !(few > 0 && many < 6 * few) }' ||
    fail "100 rules take $few s, 400 take $many s"

finish_checks
