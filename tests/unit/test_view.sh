#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt view: which page it takes, and what it embeds. The page is one of the test's own
# (tool_common.sh). Needs no MPI.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"
export LC_ALL=C
version=$("$shunt" --version | sed 's/^shunt //')
own_page
rm bin/viewer/viewer.html

# image KIND NAME: the bytes of a table or machine in data.json.
image()
{
    awk -v kind="\"$1\": [" -v name="{\"name\": \"$2\"," '
        index($0, kind) { on = 1 }
        on && (at = index($0, name)) {
            text = substr($0, at)
            sub(/.*"image": "/, "", text)
            sub(/".*/, "", text)
            print text
            exit
        }' data.json | base64 -d
}

if [ ! -e "$(sed -n 's/^pkgdatadir = //p' "$build/Makefile")/viewer.html" ]; then
    code 4 "$shunt" view
    part err 'this Shunt was built without the page of the viewer, which is neither beside this program nor at '
    part err 'apt-get install npm clang lld wasi-libc libclang-rt-14-dev-wasm32), then run configure and make'
    part err 'text, --csv and --json of the other commands need no page'
    code 4 "$shunt" explain --grid --op=alltoall --ranks=4 --ppn=2 --html=map.html built-in
    part err 'this Shunt was built without the page of the viewer, which is neither beside this program nor at '
fi
page ''
code 4 "$shunt" view
part err "is a page of Shunt of unknown version, and this is $version: install both together"
page '{"version": "0.0.1", "tables": []}'
code 4 "$shunt" view
part err "is a page of Shunt 0.0.1, and this is $version"
echo '<p>"version": "9"</p>' >bin/viewer/viewer.html
code 4 "$shunt" view
part err 'is no page of the viewer: it has no place for data'

page "{\"version\": \"$version\", \"tables\": []}"
code 0 "$shunt" view
line out 'shunt-view.html: written; open it in a browser, which needs no network'
empty err
grep -q '^<!doctype html><p>before</p><script ' shunt-view.html || fail "what is before the data"
grep -q '</script><script>after()</script>$' shunt-view.html || fail "what is behind the data"
embedded shunt-view.html >data.json
part data.json '{"name": "user", "path": "built-in", "image": "'
image tables user >table
code 0 grep -q 'parlogna\|native\|built-in' table
for machine in fugaku-like hoefler-moor-2014 polaris-like theta-like; do
    image machines $machine >machine.image
    code 0 grep -q "$machine" machine.image
done
# A page that was written can be the page: its data are replaced.
cp shunt-view.html bin/viewer/viewer.html
code 0 "$shunt" view -o again.html
code 0 cmp shunt-view.html again.html
code 0 "$shunt" view -o -
cp out written.html
code 0 cmp written.html shunt-view.html

# Tables: by name, the first is "user"; the text in them cannot end the script.
cat >mine.cfg <<'END'
schema = 1;
alltoall = ( { id = "</script><b>"; ranks = "2-8"; algorithm = "bruck"; } );
END
mkdir -p '</script><i>'
cp mine.cfg '</script><i>/other.cfg'
code 0 "$shunt" view --table=mine.cfg --table=built-in --table='</script><i>/other.cfg' -o mine.html
[ "$(grep -o '</script>' mine.html | wc -l)" -eq 2 ] || fail "a name ends the script"
embedded mine.html >data.json
part data.json "{\"name\": \"user\", \"path\": \"$(realpath mine.cfg)\", "
part data.json '{"name": "table2", "path": "built-in", '
part data.json '{"name": "table3", "path": "'
part data.json '\u003c/script>\u003ci>/other.cfg'
image tables user >table
part table '</script><b>'
printf 'schema = 1;\nalltoall = ( { algorithm = "bruk"; } );\n' >wrong.cfg
code 3 "$shunt" view --table=wrong.cfg -o wrong.html
part err 'wrong.cfg:2'
[ ! -e wrong.html ] || fail "a page was written with a table that is wrong"
code 4 "$shunt" view --table=nowhere.cfg
mkdir -p xdg/shunt/machines
sed 's/name = "[^"]*"/name = "my own"/' conf/installed/theta-like.cfg >xdg/shunt/machines/own.cfg
echo 'elephant = 1;' >xdg/shunt/machines/broken.cfg
code 0 "$shunt" view
part err 'broken.cfg:1'
embedded shunt-view.html >data.json
image machines own >machine.image
code 0 grep -q 'my own' machine.image
grep -q '"name": "broken"' data.json && fail "a description that is wrong is embedded"
# One that is given comes first, and in place of one of the same name; a name alone is one, too.
cp xdg/shunt/machines/own.cfg given.cfg
sed 's/name = "[^"]*"/name = "another"/' given.cfg >theta-like.cfg
code 0 "$shunt" view --machine=given.cfg --machine=./theta-like.cfg --machine=own
embedded shunt-view.html >data.json
grep -o '^{"name": "[^"]*"' data.json | sed 's/.*"\([^"]*\)"$/\1/' >names
printf '%s\n' user given theta-like own fugaku-like hoefler-moor-2014 polaris-like >wanted.names
code 0 cmp names wanted.names
part data.json '{"name": "given", "path": "given.cfg", "image": '
image machines theta-like >machine.image
code 0 grep -q 'another' machine.image
code 4 "$shunt" view --machine=nowhere.cfg -o nothing.html
part err 'nowhere.cfg: cannot be read'
code 4 "$shunt" view --machine=nowhere -o nothing.html
part err 'no machine description is called "nowhere"'
code 3 "$shunt" view --machine=xdg/shunt/machines/broken.cfg -o nothing.html
part err 'broken.cfg:1'
code 2 "$shunt" view --machine=given.cfg --machine=./given.cfg -o nothing.html
part err 'two descriptions are called given'
code 2 "$shunt" view --machine=1 --machine=2 --machine=3 --machine=4 --machine=5 --machine=6 \
    --machine=7 --machine=8 --machine=9 -o nothing.html
part err "is one too many: a page takes 8 descriptions"
[ ! -e nothing.html ] || fail "a page was written without a machine that was asked for"
rm -r xdg given.cfg theta-like.cfg

# A table is shown under the name of its machine.
printf 'schema = 1;\nmachine = { name = "Elbe \\"1\\""; };\n%s\n' \
    'alltoall = ( { algorithm = "bruck"; } );' >elbe.cfg
code 0 "$shunt" view --table=elbe.cfg --table=mine.cfg
embedded shunt-view.html >data.json
part data.json "\"path\": \"$(realpath elbe.cfg)\", \"machine\": \"Elbe \\\"1\\\"\", \"image\": "
part data.json "\"path\": \"$(realpath mine.cfg)\", \"image\": "

# Options.
code 2 "$shunt" view --elephant
code 2 "$shunt" view --table=1 --table=2 --table=3 --table=4 --table=5 --table=6 --table=7 \
    --table=8 --table=9
part err "is one too many: a page takes 8 tables"
code 2 "$shunt" view --open -o -
part err '--open needs a file'
code 4 "$shunt" view -o nowhere/page.html
part err 'nowhere/page.html: cannot be written'
keeps kept.html view -o kept.html
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\necho "shown $*"\n' >bin/xdg-open
chmod +x bin/xdg-open
PATH=$work/bin:$PATH code 0 "$shunt" view --open
line out 'shunt-view.html: written'
line out 'shown shunt-view.html'
PATH=$work/none code 4 "$shunt" view --open
part err 'xdg-open cannot be started'
part err 'open shunt-view.html in a browser'

# Figures of a file.
cat >figures.json <<'END'
[{"kind": "lines", "title": "Times </script>", "x": {"name": "ranks"}, "y": {"name": "time", "unit": "s"},
  "lines": [{"name": "bruck", "predicted": true, "points": [[2, 0.5], [4, 1e-6]]}]},
 {"kind": "tiles", "title": "Who", "x": {"name": "ranks"}, "y": {"name": "bytes"},
  "tiles": [{"x": 2, "y": "many", "name": "bruck", "hint": "why"}]},
 {"kind": "bars", "title": "Parts", "caption": "of a call", "x": {"name": ""}, "y": {"name": "time"},
  "bars": [{"name": "bruck", "parts": [{"name": "copy", "value": 3}]}]},
 {"kind": "table", "title": "All", "columns": ["a", "b"], "rows": [["x", 1], ["y", null]]}]
END
"$shunt" log - </dev/null 2>err
if grep -q 'built without json-c' err; then
    code 4 "$shunt" view --figures=figures.json
    part err 'figures cannot be read: this Shunt was built without json-c'
else
    code 0 "$shunt" view --figures=figures.json -o figures.html
    embeds figures.html figures figures.json
    cp data.json figures.data.json
    # bad CHANGE TEXT: after a change by sed, what is said.
    bad()
    {
        sed "$1" figures.json >bad.json
        code 4 "$shunt" view --figures=bad.json -o bad.html
        line err "shunt: bad.json$2"
    }
    bad 's/"lines": \[/"curves": [/' \
        ': figure 1 "Times </script>": lines: give each a "name" and "points", a list of [x, y]'
    bad 's/\[4, 1e-6\]/[4]/' \
        ': figure 1 "Times </script>": lines: give each a "name" and "points", a list of [x, y]'
    bad 's/"y": "many", //' ': figure 2 "Who": tiles: give each "x", "y" and a "name"'
    bad 's/"value": 3/"value": "3"/' \
        ': figure 3 "Parts": bars: give each a "name" and "parts" with "name" and "value"'
    bad 's/\["y", null\]/["y"]/' ': figure 4 "All": rows: give each as many cells as there are columns'
    bad 's/"kind": "bars"/"kind": "pie"/' ': figure 3 "Parts": kind: give lines, tiles, bars or table'
    bad 's/"title": "Who", //' ': figure 2: title: give a text'
    bad 's/"x": {"name": ""}, //' ': figure 3 "Parts": x and y: give each axis a "name"'
    sed '2s/:/;/' figures.json >bad.json
    code 4 "$shunt" view --figures=bad.json -o bad.html
    part err 'shunt: bad.json:2: no JSON: '
    head -n 6 figures.json >bad.json
    code 4 "$shunt" view --figures=bad.json -o bad.html
    line err 'shunt: bad.json:6: the JSON ends too early: write the file again'
    # A browser reads neither of these, nor what stands behind the list.
    for number in NaN -Infinity 1e400; do
        sed "s/0\\.5/$number/" figures.json >bad.json
        code 4 "$shunt" view --figures=bad.json -o bad.html
        part err 'shunt: bad.json:'
    done
    for rest in junk '[]' ','; do
        { cat figures.json && echo "$rest"; } >bad.json
        code 4 "$shunt" view --figures=bad.json -o bad.html
        part err "shunt: bad.json:$(($(wc -l <figures.json) + 1)): no JSON: "
    done
    { cat figures.json && printf '\n \t\n'; } >bad.json
    code 0 "$shunt" view --figures=bad.json -o spaced.html
    code 4 "$shunt" view --figures=. -o bad.html
    line err 'shunt: .: cannot be read: Is a directory'
    echo '{}' >bad.json
    code 4 "$shunt" view --figures=bad.json
    line err 'shunt: bad.json: is no list of figures: begin it with ['
    code 4 "$shunt" view --figures=nowhere.json
    line err 'shunt: nowhere.json: cannot be read: No such file or directory'
    [ ! -e bad.html ] || fail "a page was written with figures that are wrong"
fi

# Logs.
for rank in 0 1 2; do
    awk -v ranks=3 -v calls=12 -v rank=$rank -f "$top/tests/unit/log_lines.awk" \
        >job.$rank.jsonl
done
code 0 "$shunt" view --log job.0.jsonl job.1.jsonl --log=job.2.jsonl
embedded shunt-view.html >data.json
part data.json '"operation": "alltoallv", "ranks": 3, "nodes": 2, '
logged=$(grep -o '"calls": [0-9]*' data.json | awk '{ sum += $2 } END { print sum }')
[ "$logged" -eq 36 ] || fail "$logged calls of 36 are embedded"
part data.json '"whole": []'
# Calls with the bytes of all ranks, whatever the order of ranks; unequal nodes. The second has
# one rank only, the third no data, the fourth is no MPI_Alltoallv, and the fifth no number.
for rank in 2 0 1; do
    awk -v rank=$rank 'BEGIN {
        place = "\"communicator\": \"row\", \"communicator_id\": \"0123456789abcdef\", \"ranks\": 3"
        printf "{\"event\": \"header\", \"schema\": 1, \"rank\": %d, \"ranks\": 3}\n", rank
        printf "{\"event\": \"communicator\", \"rank\": %d, %s, \"nodes\": 2, \"ppn_min\": 1, ", rank, place
        printf "\"ppn_max\": 2, \"layout\": [2, 1]}\n"
        for (c = 1; c <= 5; c++) {
            if (c == 2 && rank > 0)
                continue
            printf "{\"event\": \"call\", \"rank\": %d, %s, \"call\": %d, ", rank, place, c
            printf "\"operation\": \"%s\", \"nodes\": 2, \"ppn_max\": 2, ", c == 4 ? "alltoall" : "alltoallv"
            printf "\"largest\": 12, \"bytes\": 9, \"algorithm\": \"parlogna\", \"parameters\": \"radix=2\", "
            printf "\"seconds\": 0.001, \"send_bytes\": [%s]}\n", \
                c == 3 ? "0, 0, 0" : c == 5 ? "1, -1, 0" : rank ", 5, 1" rank
        }
    }' >whole.$rank.jsonl
done
code 0 "$shunt" view --log whole.2.jsonl whole.0.jsonl whole.1.jsonl
embedded shunt-view.html >data.json
part data.json '"communicator_id": "0123456789abcdef", "call": 1, "algorithm": "parlogna", "parameters": "radix=2", "layout": [2, 1], "send_bytes": [[0, 5, 10], [1, 5, 11], [2, 5, 12]]'
[ "$(grep -c '"send_bytes"' data.json)" -eq 1 ] || fail "other calls have the sizes of all ranks"
part data.json '"ppn_max": 2, "layout": [2, 1], "largest": 12'
# The list of a hundred thousand nodes is not embedded in each row.
awk 'BEGIN {
    place = "\"communicator\": \"big\", \"communicator_id\": \"0123456789abcdef\", \"ranks\": 150000"
    print "{\"event\": \"header\", \"schema\": 1, \"rank\": 0, \"ranks\": 150000}"
    printf "{\"event\": \"communicator\", \"rank\": 0, %s, \"nodes\": 100000, ", place
    printf "\"ppn_min\": 1, \"ppn_max\": 2, \"layout\": [1"
    for (node = 1; node < 100000; node++)
        printf ", %d", 1 + node % 2
    print "]}"
    for (c = 1; c <= 20; c++)
        printf "{\"event\": \"call\", \"rank\": 0, %s, \"call\": %d, \"operation\": \"alltoall\", \"nodes\": 100000, \"ppn_max\": 2, \"largest\": %d, \"bytes\": 9, \"algorithm\": \"native\", \"parameters\": null, \"seconds\": 0.001}\n", place, c, 2 ^ c
}' >big.jsonl
code 0 "$shunt" view big.jsonl
embedded shunt-view.html >data.json
[ "$(grep -c '"ranks": 150000, "nodes": 100000, "ppn_max": 2, "largest"' data.json)" -eq 20 ] ||
    fail "rows of a log of 100,000 nodes"
echo 'no line of a log' >>job.0.jsonl
code 1 "$shunt" view job.0.jsonl
code 4 "$shunt" view nowhere.jsonl
if python3 -c 'import jsonschema' 2>/dev/null; then
    code 0 python3 "$top/tests/unit/valid.py" "$top/src/tools/view/view.schema.json" data.json \
        figures.data.json
    sed 's/"path"/"folder"/' data.json >changed.json
    code 1 python3 "$top/tests/unit/valid.py" "$top/src/tools/view/view.schema.json" changed.json
else
    echo "not tried: the schema (python3 has no module jsonschema)"
fi
finish_checks
