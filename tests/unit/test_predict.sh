#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt predict: figures worked out by hand from the constants of Hoefler and Moor, the set that
# nothing beats, caps, maps, sweeps, curves, pages, and what is told of bad input. Needs no MPI.
# shellcheck disable=SC2016 # awk expands it
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"

# predict EXIT-STATUS OPTION...
predict()
{
    wanted_code=$1
    shift
    code "$wanted_code" "$shunt" predict --machine=hoefler-moor-2014 "$@"
}

# holds SENTENCE FILE AWK-PROGRAM: the program ends with 0; columns have the names of the first
# line: $(c["time_s"]).
holds()
{
    tests=$((tests + 1))
    awk -F , 'function near(a, b) { return a - b < 1e-6 * b && b - a < 1e-6 * b }
        NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }'"$3" "$2" || fail "$1"
}

# paged OPTION...: the page has what --json prints.
own_page
paged()
{
    predict 0 "$@" --json
    cp out wanted.json
    predict 0 "$@" --html=page.html
    embeds page.html predict wanted.json
}

# Energy is that of the messages and 0.5 W for as long as the call lasts.
one='--op=alltoall --ranks=1024 --ppn=1 --block=8'
# shellcheck disable=SC2086 # words
predict 0 $one --algorithm='bruck:radix=2,32,spread-out' --csv
cp out paper.csv
holds "Bruck's algorithm has ten rounds of half the blocks: L + 2o each, and G per byte" paper.csv '
    $(c["algorithm"]) == "bruck" && $(c["parameters"]) == "radix=2" {
        D = 1024 * 10 * (16.5e-12 + 512 * 8 * 8.1e-9); T = 10 * 15.4e-6 + 10 * 512 * 8 * 0.73e-9
        ok = near($(c["time_s"]), T) && near($(c["dynamic_energy_j"]), D) && $(c["rounds"]) == 10 &&
            near($(c["energy_j"]), D + T / 2) && $(c["descriptors"]) == 320 &&
            $(c["messages"]) == 10240 && $(c["bytes"]) == 1024 * 10 * 512 * 8 }
    END { exit !ok }'
holds "with radix 32 it has two digits of 31 rounds, each with 32 blocks" paper.csv '
    $(c["parameters"]) == "radix=32" {
        ok = near($(c["time_s"]), 62 * (15.4e-6 + 32 * 8 * 0.73e-9)) && $(c["rounds"]) == 62 &&
            near($(c["dynamic_energy_j"]), 1024 * 62 * (16.5e-12 + 32 * 8 * 8.1e-9)) &&
            $(c["descriptors"]) == 1984 }
    END { exit !ok }'
holds "direct messages take the least energy of messages, and the most descriptors" paper.csv '
    $(c["algorithm"]) == "spread-out" {
        ok = near($(c["dynamic_energy_j"]), 1024 * 1023 * (16.5e-12 + 8 * 8.1e-9)) &&
            $(c["messages"]) == 1024 * 1023 && $(c["descriptors"]) == 1023 * 32 &&
            $(c["memory"]) == 0 }
    END { exit !ok }'

# One call: order, the set that nothing beats, the choice.
small='--op=alltoall --nodes=4 --ppn=4 --block=64'
# shellcheck disable=SC2086 # words
predict 0 $small --all --csv
cp out all.csv
beaten='{ n++; t[n] = $(c["time_s"]) + 0; e[n] = $(c["energy_j"]) + 0; m[n] = $(c["memory"]) + 0
        p[n] = $(c["pareto"]); a[n] = $(c["algorithm"]); ok[n] = $(c["allowed"])
        if ($(c["choice"]) == 1) choice = n }'
holds "the marks are those of settings that nothing beats" all.csv "$beaten"'
    END { for (i = 1; i <= n; i++) {
            beat = 0
            for (j = 1; j <= n; j++)
                beat += t[j] <= t[i] && e[j] <= e[i] && m[j] <= m[i] &&
                    (t[j] < t[i] || e[j] < e[i] || m[j] < m[i])
            if (p[i] == (beat > 0)) exit 1
            marked += p[i] }
        exit !(n > 50 && marked > 1 && marked < n) }'
holds "the least time is first, and the choice" all.csv "$beaten"'
    END { for (i = 2; i <= n; i++) if (t[i] < t[i - 1]) exit 1; exit choice != 1 }'
# shellcheck disable=SC2086 # words
predict 0 $small --csv
holds "each algorithm is there once, with its best setting" out '
    { n++; seen[$(c["algorithm"])]++; p = $(c["place"]) + 0; if (p < last) exit 1; last = p } END { for (i in seen) if (seen[i] > 1) exit 1; exit n < 15 }'
cut -d , -f 9-13 out | sort >best
tail -n +2 all.csv | awk -F , '!seen[$9]++' | cut -d , -f 9-13 | sort >wanted
tests=$((tests + 1))
tail -n +1 best | grep -v '^algorithm' | cmp -s - wanted || fail "the best of each is not that of --all"
for objective in energy memory; do
    # shellcheck disable=SC2086 # words
    predict 0 $small --all --csv --objective=$objective
    holds "--objective=$objective: the least is first" out "$beaten"'
        END { for (i = 2; i <= n; i++) if ('"$(printf %.1s $objective)"'[i] < '"$(printf %.1s $objective)"'[i - 1]) exit 1
            exit choice != 1 }'
done

# Caps: the first that keeps them.
cap=$(awk -F , 'NR > 1 { print $15 }' all.csv | sort -n | awk '{ v[NR] = $1 } END { print v[int(NR / 2)] }')
# shellcheck disable=SC2086 # words
predict 0 $small --all --csv --memory-at-most="$cap"
holds "--memory-at-most: the choice is the first that keeps it" out "$beaten"'
    END { for (i = 1; i <= n && m[i] > '"$cap"'; i++) if (ok[i]) exit 1; exit choice != i || !ok[i] || i == 1 }'
least=$(awk -F , 'NR > 1 { print $13 }' all.csv | sort -g | head -n 1)
# shellcheck disable=SC2086 # words
predict 0 $small --all --csv --energy-at-most="$least"
holds "--energy-at-most: likewise" out "$beaten"'
    END { for (i = 1; i <= n; i++) if (ok[i] != (e[i] <= '"$least"')) exit 1; exit !ok[choice] }'
# shellcheck disable=SC2086 # words
predict 1 $small --energy-at-most=1nJ
tests=$((tests + 1))
grep -q '^choice     none is within the caps: the least energy is .*J, the least memory 0 B$' out ||
    fail "nothing says what is least"

# For people: aligned, no blanks at the end of a line.
# shellcheck disable=SC2086 # words
predict 0 $small
line out 'call       alltoall, 16 ranks, 4 nodes, blocks of 64 B'
line out 'machine    hoefler-moor-2014'
tests=$((tests + 1))
grep -q ' $' out && fail "blanks at the end of a line"
tests=$((tests + 1))
grep -q '^    1  .* us .*x  .* uJ  .* \* <-$' out || fail "no line of the choice"
cp out first
# shellcheck disable=SC2086 # words
predict 0 $small
tests=$((tests + 1))
cmp -s first out || fail "two answers differ"

# One rank has nothing to send.
predict 0 --op=alltoallv --ranks=1 --ppn=1 --block=1K --csv
holds "one rank sends nothing and takes no time" out '
    { n++; if ($(c["messages"]) != 0 || $(c["remote_bytes"]) != 0) exit 1 }
    $(c["algorithm"]) == "native" { ok = $(c["time_s"]) == 0 && $(c["speedup"]) == "" } END { exit !(ok && n > 5) }'

# A map: each place is the choice of that call.
predict 0 --op=alltoall --ranks=4,16 --ppn=2 --block=64-4K --csv
cp out map.csv
paged --op=alltoall --ranks=4,16 --ppn=2 --block=64-4K
holds "a map has all places" map.csv '{ n++; seen[$(c["ranks"]) "," $(c["block"])] } END { for (i in seen) k++; exit !(n == 14 && k == 14) }'
for place in 4,64 16,4096 16,512; do
    ranks=${place%,*} block=${place#*,}
    predict 0 --op=alltoall --ranks="$ranks" --ppn=2 --block="$block" --csv
    awk -F , '$(NF - 1) == 1 { print $9 "," $10 "," $11 "," $13 }' out >single
    awk -F , -v r="$ranks" -v b="$block" '$2 == r && $6 == b { print $8 "," $9 "," $10 "," $11 }' map.csv >cell
    tests=$((tests + 1))
    { [ -s cell ] && cmp -s single cell; } || fail "the place $place is not the choice of that call"
done
predict 0 --op=alltoall --nodes=2,4,8 --ppn=2 --block=8,4K
tests=$((tests + 1))
awk '/^ *block / { head = NF == 4 && $2 == 2 && $4 == 8 }
    $1 == "8" || $1 == "4K" { rows += NF == 7; for (i = 2; i < NF; i += 2) used[$i] }
    /^[a-z]  [a-z-]+$/ { legend[$1] }
    END { for (i in used) if (!(i in legend)) exit 1
        for (i in legend) if (!(i in used)) exit 1; exit !(head && rows == 2) }' out ||
    fail "the map for people or its legend"
predict 0 --op=alltoall --ranks=4 --ppn=2 --block=8,16 --energy-at-most=1nJ
line out '.  none is within the caps'
predict 0 --op=alltoall --ranks=4 --ppn=2 --block=8,16 --energy-at-most=1nJ --csv
holds "cells say that all is above the caps" out '$(c["algorithm"]) == "" && $(c["capped"]) == 1 { n++ } END { exit n != 2 }'

# Where the caps change the choice, and only there, a map says so.
calls='--op=alltoall --ranks=4,16 --ppn=2 --block=8,64K'
# shellcheck disable=SC2086 # words are wanted
predict 0 $calls --csv
cp out uncapped.csv
# shellcheck disable=SC2086 # words are wanted
predict 0 $calls --memory-at-most=0 --csv
paste -d , uncapped.csv out >both
holds "cells say whether the caps changed the choice" both '
    { w = NF / 2; changed = $8 != $(8 + w) || $9 != $(9 + w); if (changed != $(NF - 1)) bad = 1; n += changed; all++ }
    END { exit !(!bad && n > 0 && all == 4) }'
# shellcheck disable=SC2086 # words are wanted
predict 0 $calls --memory-at-most=0
line out '!  something better is above the caps'
tests=$((tests + 1))
grep -q '^ *8 .*x!' out || fail "no cell of the map says that something better is above the caps"
# shellcheck disable=SC2086 # words are wanted
paged $calls --memory-at-most=0
part data.json '"capped": true, "better": {"algorithm": "'
# shellcheck disable=SC2086 # words are wanted
predict 0 $calls
tests=$((tests + 1))
if grep '!' out; then fail "a map without caps speaks of caps"; fi

# A map shows what is to be least, and says so; what it picks is the choice of that call.
predict 0 --op=alltoall --ranks=4,16 --ppn=2 --block=64,4K --objective=energy
line out '3.1x: native takes as many times the energy; --csv and --json tell the parameters'
awk '$1 == "4K" { print $3 }' out >gain
predict 0 --op=alltoall --ranks=4,16 --ppn=2 --block=64,4K --objective=energy --csv
holds "the gain of a map is that of energies" out '
    FNR == NR && $(c["ranks"]) == 4 && $(c["block"]) == 4096 {
        g = sprintf("%.1fx", $(c["native_energy_j"]) / $(c["energy_j"])); getline want <"gain"; ok = g == want }
    END { exit !ok }'
predict 0 --op=alltoall --ranks=4,16 --ppn=2 --block=64,4K --objective=memory
line out '64 B: scratch memory of a rank; native has none of ours; --csv and --json tell the parameters'
predict 0 --op=alltoall --ranks=16 --ppn=4 --block=64-1K --objective=memory --csv
cp out map.csv
for block in 64 256; do
    predict 0 --op=alltoall --ranks=16 --ppn=4 --block=$block --objective=memory --csv
    awk -F , '$(NF - 1) == 1 { print $9 "," $10 "," $11 "," $13 }' out >single
    awk -F , -v b="$block" '$6 == b { print $8 "," $9 "," $10 "," $11 }' map.csv >cell
    tests=$((tests + 1))
    { [ -s cell ] && cmp -s single cell; } || fail "$block: the least memory of a map is not the choice of that call"
done
holds "the last column is the machine" map.csv '{ n += $(c["machine"]) == "\"hoefler-moor-2014\"" } END { exit n != 5 }'

# More ranks than can be run one by one are told of: in a map by a mark, in a call by name.
predict 0 --op=alltoall --layout=10000,10001 --block=8K,64K --algorithm=node-pair
line out '?  too many messages to predict: 2 calls'
predict 0 --op=alltoall --ranks=40000 --ppn=1 --block=8 --algorithm=linear
line out 'left out   linear, 1 setting: more than 200 million messages and copies to be run one by one'

# A range doubles; 0 is a size of its own.
predict 0 --op=alltoall --ranks=2 --ppn=1 --block=0-5,3 --csv
cut -d , -f 6 out | tr '\n' ' ' >blocks
tests=$((tests + 1))
grep -qx 'block 0 1 2 3 4 ' blocks || fail "0-5,3 are other sizes: $(cat blocks)"
predict 0 --op=alltoall --ranks=2 --ppn=1 --block=0 --all --csv

# A sweep: the rounds that shunt schedule counts.
predict 0 --op=alltoall --ranks=48 --ppn=1 --block=8 --sweep=radix --algorithm=bruck --csv
cut -d , -f 9,17 out | tail -n +2 >rounds
code 0 "$shunt" schedule --algorithm=bruck --op=alltoall --ranks=48 --sweep=radix --csv
cut -d , -f 1,2 out | tail -n +2 >wanted
tests=$((tests + 1))
{ [ "$(wc -l <rounds)" -eq 47 ] && cmp -s rounds wanted; } || fail "rounds over the radix"

predict 0 --op=alltoall --ranks=48 --ppn=1 --block=8 --sweep=radix --algorithm=bruck
line out 'call       alltoall, ranks 48, nodes 48, block 8'

# Curves: direct messages are faster among few ranks, slower among many, and take less energy.
predict 0 --op=alltoall --ranks=2-256 --ppn=1 --block=8 --curves --csv
holds "curves cross: direct messages are faster up to 8 ranks, slower from 16, and take less energy" out '
    $8 == "spread-out" { d[$2] = $9 + 0; x[$2] = $10 + 0; f[$2] = $13 }
    $8 == "bruck:radix=2" { b[$2] = $9 + 0; y[$2] = $10 + 0; g[$2] = $13; n++ }
    END { exit !(n == 8 && d[4] < b[4] && d[8] < b[8] && d[16] > b[16] &&
        d[256] > 9 * b[256] && x[256] < y[256] && f[256] == 255 * 32 && g[256] == 8 * 32) }'

# Sizes of their own: a file in which all are equal is as a block of that size.
awk 'BEGIN { for (i = 0; i < 8; i++) { for (j = 0; j < 8; j++) printf "%s64", j ? " " : ""; print "" } }' >equal.txt
predict 0 --op=alltoallv --nodes=4 --ppn=2 --algorithm=spread-out,pairwise --csv --counts=equal.txt
cp out counts.csv
predict 0 --op=alltoallv --nodes=4 --ppn=2 --algorithm=spread-out,pairwise --csv --block=64
tests=$((tests + 1))
cut -d , -f 7 counts.csv | tr '\n' ' ' >sizes
grep -qx 'distribution *' sizes || fail "sizes of a file have a distribution: $(cat sizes)"
tests=$((tests + 1))
{ cut -d , -f 1-6,8- counts.csv >left && cut -d , -f 1-6,8- out | cmp -s - left; } || fail "64 bytes for each in a file are not a block of 64"
drawn='--op=alltoallv --nodes=4 --ppn=2 --block=1K --distribution=uniform --algorithm=spread-out --csv'
# shellcheck disable=SC2086 # words
predict 0 $drawn --seed=5
cp out five
# shellcheck disable=SC2086 # words
predict 0 $drawn --seed=5
tests=$((tests + 1))
cmp -s out five || fail "equal seeds differ"
# shellcheck disable=SC2086 # words
predict 0 $drawn --seed=6
tests=$((tests + 1))
cmp -s out five && fail "the seed changes nothing"
holds "a line says which call it is about" out '
    { ok = $(c["operation"]) == "alltoallv" && $(c["ranks"]) == 8 && $(c["nodes"]) == 4 &&
        $(c["block"]) > 900 && $(c["distribution"]) == "uniform"; if (!ok) exit 1 }'
holds "sizes from 0 to 1 KiB come to about half of that" out '
    $(c["algorithm"]) == "spread-out" { ok = $(c["bytes"]) > 56 * 400 && $(c["bytes"]) < 56 * 624 } END { exit !ok }'

# The machine of a table; explain tells the same.
cat >site.cfg <<'END_OF_FILE'
schema = 1;
machine = { name = "site"; model = "hoefler-moor-2014"; };
alltoall = ( { id = "all"; algorithm = "pairwise"; } );
END_OF_FILE
code 0 "$shunt" predict --op=alltoall --nodes=4 --ppn=4 --block=64 site.cfg
tests=$((tests + 1))
cmp -s first out || fail "the machine of the table is another one"
time=$(awk '$2 == "pairwise" { print $3, $4 }' out)
code 0 "$shunt" explain --op=alltoall --nodes=4 --ppn=4 --block=64 --predict site.cfg
tests=$((tests + 1))
grep -q "^predicted  $time, " out || fail "explain predicts another time than $time"
best=$(sed -n 's/^choice     \(.*\), [^,]*, .*$/\1/p' first)
tests=$((tests + 1))
grep -qF "best on hoefler-moor-2014: $best, " out || fail "explain names another best than $best"

# A machine of which no energy is known.
cat >dry.cfg <<'END_OF_FILE'
schema = 1;
model = { name = "dry";
  inside = { latency_us = 0.3; overhead_us = 0.2; byte_ns = 0.05; };
  between = { latency_us = 1.5; overhead_us = 0.5; byte_ns = 0.04; eager = "16K"; };
  copy = { block_ns = 20; byte_ns = 0.1; }; };
END_OF_FILE
code 0 "$shunt" predict --machine=./dry.cfg --op=alltoall --nodes=4 --ppn=4 --block=64
line out '* nothing beats it in time and memory at once'
tests=$((tests + 1))
grep -q '^    1  .* us .*x       -  ' out || fail "an unknown energy is no -"
code 0 "$shunt" predict --machine=./dry.cfg --op=alltoall --nodes=4 --ppn=4 --block=64 --csv --all
holds "an unknown energy is empty" out '{ n++; if ($(c["energy_j"]) $(c["dynamic_energy_j"]) != "") exit 1 } END { exit !(n > 50) }'
code 0 "$shunt" predict --machine=./dry.cfg --op=alltoall --nodes=4 --ppn=4 --block=64 --json
tests=$((tests + 1))
grep -q '"energy_j": *null' out || fail "an unknown energy is no null"
for option in --energy-at-most=1 --objective=energy; do
    code 2 "$shunt" predict --machine=./dry.cfg --op=alltoall --nodes=4 --ppn=4 --block=64 $option
    tests=$((tests + 1))
    grep -q "^shunt predict: ${option%%=1}: the description of dry says nothing of energy: .*energy.static_w" err || fail "$option: no word of the keys"
done

# Padded blocks go by the library's MPI_Alltoall, which is known as native is.
predict 0 --op=alltoallv --ranks=8 --ppn=2 --block=64 --algorithm=padded-alltoall --csv
holds "padded-alltoall has a cost" out '$(c["algorithm"]) == "padded-alltoall" { ok = $(c["time_s"]) > 0 } END { exit !ok }'
printf 'schema = 1;\nalltoallv = ( { algorithm = "padded-alltoall"; } );\n' >padded.cfg
code 0 "$shunt" explain --op=alltoallv --nodes=4 --ppn=2 --block=64 --predict --machine=hoefler-moor-2014 padded.cfg
tests=$((tests + 1))
grep -q '^predicted  .* s, .*J' out || grep -q '^predicted  .*us, .*J' out || fail "explain knows nothing of padded-alltoall"

# Points that no algorithm can serve are told of.
predict 1 --op=alltoall --ranks=3,6 --ppn=1 --block=8 --curves --algorithm=exclusive-or --csv
tests=$((tests + 1))
grep -q '^shunt: left out: 2 of 2 points' err || fail "points are left out silently"

# With very many ranks what takes seconds is predicted, or it is said at once that it is not known.
begun=$(date +%s)
predict 2 --op=alltoall --ranks=1000000 --ppn=50 --block=512
line err 'shunt: not known: with more than 65536 ranks only what takes seconds is predicted, and native takes longer: ask about fewer ranks'
predict 0 --op=alltoall --ranks=81920 --ppn=32 --block=4K --algorithm=node-pair:leaders=1,bruck:radix=2,linear
part out 'native '
part out 'node-pair '
part out 'left out   linear, 1 setting: more work than is done with more than 65536 ranks'
predict 0 --op=alltoall --ranks=81920 --ppn=32 --block=4K --algorithm=node-pair:leaders=1,linear --json
part out '"reason": "too much work for so many ranks"'
tests=$((tests + 1))
[ $(($(date +%s) - begun)) -lt 300 ] || fail "that took minutes"

# Pages of the other forms: what the page draws of them is tested in src/viewer/app.
paged --op=alltoall --ranks=48 --ppn=1 --block=8 --sweep=radix --algorithm=bruck
paged --op=alltoall --ranks=2-256 --ppn=1 --block=8 --curves
part data.json '{"name": "hoefler-moor-2014", '

# What is wrong is told, with the way out.
code 2 "$shunt" predict --op=alltoall --ranks=4 --ppn=2 --block=8 built-in
tests=$((tests + 1))
grep -q '^shunt predict: the table (built-in) describes no machine: name one by --machine .*"shunt machine"' err ||
    fail "no word of --machine and shunt machine"
code 4 "$shunt" predict --op=alltoall --ranks=4 --ppn=2 --block=8 --machine=elephant
tests=$((tests + 1))
grep -q 'elephant.*hoefler-moor-2014' err || fail "the names that there are"
# bad OPTION... -- TEXT: an error of usage that begins with TEXT.
bad()
{
    bad_words=$1
    # shellcheck disable=SC2086 # words
    predict 2 $bad_words
    empty out
    tests=$((tests + 1))
    grep -qF -e "shunt predict: $2" err || fail "$bad_words: no message \"$2\""
    tests=$((tests + 1))
    [ "$(wc -l <err)" -eq 1 ] || fail "$bad_words: more than one message"
}
bad '--ranks=4 --ppn=2 --block=8' '--op is missing'
bad '--op=alltoall --ranks=4 --ppn=2' '--block is missing'
bad '--op=alltoall --ranks=4 --block=8' 'give --nodes or --ppn beside --ranks'
bad '--op=alltoall --ranks=64-16 --ppn=2 --block=8' '--ranks: "64-16" ends before it begins'
bad '--op=alltoall --ranks=16- --ppn=2 --block=8' '--ranks: "16-" has no upper end'
bad '--op=alltoall --ranks=0-4 --ppn=2 --block=8' '--ranks: "0-4" is not between 1 and'
bad '--op=alltoall --ranks=4,,8 --ppn=2 --block=8' '--ranks: "" is neither a number nor a range such as'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8x' '--block: "8x" is neither a size nor a range such as'
bad '--op=alltoall --ranks=6,9 --ppn=2 --block=8' '9 ranks are not a multiple of 2'
bad '--op=alltoall --ranks=4,8 --nodes=1,2 --block=8' '--ranks and --nodes can not both have several values'
bad '--op=alltoall --ranks=1024 --ppn=1 --block=8796093022208' '--block: 1024 times 1024 blocks of'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --html=x.html' '--html draws several calls'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --sweep=radix' '--sweep: give one --algorithm'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --sweep=radix --algorithm=pairwise' '--sweep: pairwise has no radix'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --sweep=batch' '--sweep: "batch" is not radix'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --curves' '--curves: give --ranks or --nodes several values'
bad '--op=alltoallv --ranks=4 --ppn=2 --block=8 --algorithm=bruck' '--algorithm: '
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --distribution=uniform' '--distribution goes with --op=alltoallv'
bad '--op=alltoallv --ranks=4 --ppn=2 --block=8 --distribution=even' '--distribution: "even" is not constant, '
bad '--op=alltoallv --ranks=4 --ppn=2 --block=8 --counts=equal.txt' '--counts goes without --block'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --seed=3' '--seed goes with --distribution'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --objective=money' '--objective: "money" is not time, energy or memory'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --energy-at-most=1W' '--energy-at-most: "1W" is not an energy'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --csv --json' '--csv and --json: give one'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 site.cfg' 'site.cfg and --machine name two machines'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --energy-at-most=1e308kJ' '--energy-at-most: "1e308kJ" is not an energy'
bad '--op=alltoall --ranks=4 --ppn=2 --block=8 --energy-at-most=0x1p2' '--energy-at-most: "0x1p2" is not an energy'
bad '--op=alltoall --ranks=4 --ppn=2 --block=-1' '--block: "-1" has no lower end'
bad '--op=alltoall --ranks=-8 --ppn=2 --block=1' '--ranks: "-8" has no lower end'
bad '--op=alltoall --ranks=8 --ppn=1 --block=8 --sweep=radix --algorithm=bruck:radix=4x2' '--sweep: bruck:radix=4x2 has radices of single digits'
bad '--op=alltoallv --ranks=1000000 --ppn=1 --block=8 --distribution=uniform' '--distribution: 1000000 times 1000000 sizes take '
predict 2 --op=alltoallv --ranks=4 --ppn=2 --counts=equal.txt
line err "shunt: --counts: equal.txt: line 1: 8 numbers instead of one for each of 4 ranks"
predict 4 --op=alltoall --ranks=2,4 --ppn=1 --block=8 --html=missing/map.html
line err "shunt: missing/map.html: cannot be written: No such file or directory"

# What descriptions got later has a neutral value: predictions without it stay what they were.
data=$top/tests/unit
for block in 16 1000 20000; do
    code 0 "$shunt" predict --all --csv --machine="$data/neutral.cfg" --op=alltoallv --ranks=12 --ppn=4 \
        --block=$block
    cat out
done | awk -F , '/^operation/ { for (i = 1; i <= NF; i++) c[$i] = i }
    { print $(c["block"]) "," $(c["algorithm"]) "," $(c["parameters"]) "," $(c["time_s"]) }' >neutral.now
tests=$((tests + 1))
cmp -s neutral.now "$data/neutral.csv" || fail "a description with neutral values predicts what it always did"

finish_checks
