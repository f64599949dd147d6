#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt explain --grid: every cell of a map against shunt explain of that call; rows cut where
# decisions change; the drawing; forms; bad input. Needs no MPI.
# shellcheck disable=SC2016 # awk expands it
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"

cat >some.cfg <<'END'
schema = 1;
machine = { name = "alpha"; };
alltoall = (
  { id = "small <&>"; ranks = "16-64"; block = "0-100"; algorithm = "bruck"; radix = "sqrt(P)"; },
  { nodes = "2-"; block = "64-4K"; memory = "100K"; algorithm = "node-pair"; },
  { id = "large"; block = "5000-"; algorithm = "scattered"; batch_size = 8; }
);
END

# decided FILE OP RANKS NODES BLOCK: "ALGORITHM,PARAMETERS,ID", as the map's CSV has it.
decided()
{
    "$shunt" explain --op="$2" --ranks="$3" --nodes="$4" --block="$5" "$1" | awk '
        $1 == "algorithm" { name = $2; $1 = $2 = ""; gsub("^ *", ""); parameters = $0 }
        $1 == "rule" { id = ""; if (match($0, /".*"$/)) id = substr($0, RSTART + 1, RLENGTH - 2) }
        END { print name "," parameters "," id }'
}

# Named sizes.
for op in alltoall alltoallv; do
    code 0 "$shunt" explain --grid --op=$op --ranks=8-64 --ppn=8 --block=0,64-4K,100,9000 --csv some.cfg
    cp out map.csv
    tests=$((tests + 1))
    [ "$(wc -l <map.csv)" -eq 41 ] || fail "4 columns and 10 rows are not 40 lines"
    tail -n +2 map.csv | while IFS=, read -r _ ranks nodes _ _ from to algorithm parameters _ _ id; do
        [ "$from" = "$to" ] || echo "$ranks $from: one size is told as several"
        [ "$(decided some.cfg $op "$ranks" "$nodes" "$from")" = "$algorithm,$parameters,$id" ] ||
            echo "$op $ranks $from: not what explain tells"
    done >wrong
    empty wrong
done

# Without sizes the rows are all of them, and both ends of each are decided alike; neighbours are
# not.
code 0 "$shunt" explain --grid --op=alltoall --nodes=1-4 --ppn=16 --csv some.cfg
cp out map.csv
tail -n +2 map.csv | while IFS=, read -r _ ranks nodes _ _ from to algorithm parameters _ _ id; do
    for block in "$from" "${to:-1000000000}"; do
        [ "$(decided some.cfg alltoall "$ranks" "$nodes" "$block")" = "$algorithm,$parameters,$id" ] ||
            echo "$ranks $block: not what explain tells"
    done
done >wrong
empty wrong
tests=$((tests + 1))
awk -F , 'NR > 1 && $2 == 16 { if ($6 != next_) exit 1; next_ = $7 + 1; last = $7; n++ }
    END { exit !(n > 3 && last == "") }' map.csv || fail "the rows are not all sizes"
tests=$((tests + 1))
awk -F , 'NR > 1 { row[$6] = row[$6] $8 "," $9 "," $11 ";" } END { for (i in row) print i, row[i] }' \
    map.csv | sort -n | awk '$2 == last { exit 1 } { last = $2 }' || fail "two rows are equal"

# For people.
code 0 "$shunt" explain --grid --op=alltoall --nodes=1-4 --ppn=16 some.cfg
line out 'call       alltoall'
part out "table      $work/some.cfg (alpha)"
line out '          block        1        2        4'
line out '          0-100        a        a        a'
part out 'a  bruck:radix=sqrt(P)'
part out "some.cfg:4 \"small <&>\""
part out 'b  native                  no rule'
printf 'schema = 1; alltoallv = ( { id = "sparse"; density = "0-30"; algorithm = "native"; }, { algorithm = "parlogna"; } );\n' >sparse.cfg
code 0 "$shunt" explain --grid --op=alltoallv --nodes=1-4 --ppn=16 --density=30 --csv sparse.cfg
part out ',native,'
code 0 "$shunt" explain --grid --op=alltoallv --nodes=1-4 --ppn=16 --density=31 --csv sparse.cfg
part out ',parlogna,'
code 2 "$shunt" explain --grid --op=alltoall --nodes=1-4 --ppn=16 --density=31 sparse.cfg
code 0 "$shunt" explain --op=alltoallv --nodes=4 --ppn=16 --block=64 --density=30 sparse.cfg
part out '30 percent of the blocks not empty'
part out '"sparse"'
code 0 "$shunt" explain --op=alltoallv --nodes=4 --ppn=16 --block=64 sparse.cfg
part out 'density 100 not in 0-30'
code 0 "$shunt" explain --op=alltoallv --nodes=4 --ppn=16 --block=0 sparse.cfg
part out 'algorithm  native'
code 2 "$shunt" explain --op=alltoallv --nodes=4 --ppn=16 --block=0 --density=30 sparse.cfg
code 2 "$shunt" explain --op=alltoallv --nodes=4 --ppn=16 --block=64 --density=x sparse.cfg
code 2 "$shunt" explain --op=alltoall --nodes=4 --ppn=16 --block=64 --density=30 sparse.cfg
code 0 "$shunt" show sparse.cfg
part out 'density'
code 0 "$shunt" show --json sparse.cfg
part out '"density": {"low": 0, "high": 30}'
code 0 "$shunt" check --density=0-50 --ranks=8- sparse.cfg
printf 'schema = 1; alltoallv = ( { density = "0-30"; algorithm = "native"; } );\n' >sparse-gap.cfg
code 0 "$shunt" check sparse-gap.cfg
part out 'no rule takes density 31-100'
printf 'schema = 1; alltoall = ( { density = "0-30"; algorithm = "native"; } );\n' >wrong.cfg
code 3 "$shunt" check wrong.cfg
part err 'only rules of alltoallv test it'
printf 'schema = 1; alltoallv = ( { density = "0-300"; algorithm = "native"; } );\n' >wrong.cfg
code 3 "$shunt" check wrong.cfg
part err 'percent of the blocks'

printf 'schema = 1; alltoall = ( { id = "crowd"; oversubscribed = true; algorithm = "bruck"; }, { oversubscribed = false; algorithm = "scattered"; } );\n' >crowd.cfg
code 0 "$shunt" explain --op=alltoall --nodes=4 --ppn=16 --block=64 crowd.cfg
part out 'algorithm  scattered'
part out '"crowd"  not oversubscribed'
code 0 "$shunt" explain --op=alltoall --nodes=4 --ppn=16 --block=64 --oversubscribed=true crowd.cfg
part out 'more ranks than processors'
part out 'algorithm  bruck'
code 0 "$shunt" explain --json --op=alltoall --nodes=4 --ppn=16 --block=64 --oversubscribed=true crowd.cfg
part out '"oversubscribed": true'
code 2 "$shunt" explain --op=alltoall --nodes=4 --ppn=16 --block=64 --oversubscribed=1 crowd.cfg
code 0 "$shunt" explain --grid --op=alltoall --nodes=1-4 --ppn=16 --csv crowd.cfg
part out ',scattered,'
code 0 "$shunt" explain --grid --op=alltoall --nodes=1-4 --ppn=16 --csv --oversubscribed=true crowd.cfg
part out ',bruck,'
code 0 "$shunt" show crowd.cfg
part out 'oversubscribed'
code 0 "$shunt" show --json crowd.cfg
part out '"conditions": {"oversubscribed": true}'
code 0 "$shunt" show --cfg crowd.cfg
part out 'oversubscribed = true; algorithm = "bruck"'
printf 'schema = 1; alltoall = ( { id = "crowd"; oversubscribed = true; algorithm = "bruck"; } );\n' >crowd.cfg
code 0 "$shunt" check crowd.cfg
part out 'alltoall: no rule takes any of these calls'
code 0 "$shunt" check --oversubscribed=true crowd.cfg
tests=$((tests + 1))
grep -q 'alltoall: no rule takes' out && fail "a rule for these calls leaves a gap"
code 2 "$shunt" check --oversubscribed=maybe crowd.cfg
printf 'schema = 1; alltoall = ( { oversubscribed = 1; algorithm = "native"; } );\n' >wrong.cfg
code 3 "$shunt" check wrong.cfg
part err 'oversubscribed: expected true or false, found a number'
printf 'schema = 1; alltoall = ( { oversubscribed = true; algorithm = "native"; }, { oversubscribed = false; algorithm = "native"; }, { algorithm = "native"; } );\n' >wrong.cfg
code 1 "$shunt" check wrong.cfg
part err 'rule 3 is never reached'

code 0 "$shunt" explain --grid --op=alltoallv --layout=3,5,8 built-in
part out 'ranks'
part out 'built-in:'

# The page has what --json prints.
own_page
code 0 "$shunt" explain --grid --op=alltoall --nodes=1-4 --ppn=16 --block=64,4K --json some.cfg
cp out grid.json
code 0 "$shunt" explain --grid --op=alltoall --nodes=1-4 --ppn=16 --block=64,4K --html=map.html some.cfg
part out 'small <&>'
embeds map.html explain grid.json
part data.json '{"name": "user", "path": "'
code 4 "$shunt" explain --grid --op=alltoall --ranks=4 --ppn=2 --html=/nowhere/map.html some.cfg
part err '/nowhere/map.html: cannot be written'

# JSON.
if python3 -c 'import jsonschema' 2>/dev/null; then
    schema=$top/src/tools/explain/explain-grid.schema.json
    code 0 "$shunt" explain --grid --op=alltoall --nodes=1-4 --ppn=16 --json some.cfg
    cp out grid.1.json
    code 0 "$shunt" explain --grid --op=alltoallv --layout=3,5 --block=64 --json built-in
    cp out grid.2.json
    code 0 python3 "$top/tests/unit/valid.py" "$schema" grid.?.json
    sed 's/"to": null/"to": -1/' grid.1.json >changed.json
    code 1 python3 "$top/tests/unit/valid.py" "$schema" changed.json
fi

# Bad input.
code 2 "$shunt" explain --grid --ranks=4 --ppn=2
part err '--op is missing'
code 2 "$shunt" explain --grid --op=alltoall --ranks=4
part err 'give --nodes or --ppn beside --ranks'
code 2 "$shunt" explain --grid --op=alltoall --ranks=4,9 --ppn=2
part err '9 ranks are not a multiple of 2'
code 2 "$shunt" explain --grid --op=alltoall --ranks=4-8 --nodes=2-4
part err 'one of the two may have several values'
code 2 "$shunt" explain --grid --op=alltoall --ranks=4 --ppn=2 --predict
part err '--predict is about one call'
code 2 "$shunt" explain --grid --op=alltoall --ranks=4 --ppn=2 --csv --json
code 2 "$shunt" explain --grid --op=alltoall --ranks=4 --ppn=2 --block=8-
part err 'has no upper end'
code 3 sh -c 'echo "alltoall = 1;" >bad.cfg; "$1" explain --grid --op=alltoall --ranks=4 --ppn=2 bad.cfg' sh "$shunt"

# Borders of sizes are in K and M, and the last row is open. README.md shows this map.
code 0 "$shunt" explain --grid --op=alltoallv --nodes=1,2,4,8 --ppn=4 built-in
line out '          block        1        2        4        8'
line out '         8K-16K        a        d        d        d'
line out '        24K-32K        e        d        f        d'
line out '       32K-256M        e        d        d        d'
line out '          256M-        d        d        d        d'
tests=$((tests + 1))
awk '/^ *block  / { map = 1; next } map && NF >= 5 && $1 ~ /^[0-9].*-/ { print $1, $2, $3, $4, $5 }' \
    "$top/README.md" | sed 's/native/d/g; s/c/e/g' >shown
awk 'NF == 5 && $1 ~ /^[0-9].*-[0-9]/ { gsub("f", "c"); gsub("c", "b"); print }' out | tr -s ' ' | sed 's/^ //' >wanted
cmp -s shown wanted || fail "the map of README.md: $(cat shown), instead of $(cat wanted)"

finish_checks
