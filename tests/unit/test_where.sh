#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt where, shunt env and shunt --libpath: where Shunt is, which decision file counts and why,
# and which settings. Needs no MPI.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"
export LC_ALL=C
here=$(uname -n)

# starts FILE TEXT: some line of FILE begins with TEXT.
starts()
{
    tests=$((tests + 1))
    awk -v text="$2" 'index($0, text) == 1 { found = 1 } END { exit !found }' "$1" ||
        fail "no line of $1 begins with \"$2\""
}

# where: no file anywhere, then every state that a file may be in.
code 2 "$shunt" where --elephant
line err 'shunt where: --elephant is not an option; see "shunt where --help"'
code 2 "$shunt" where one
code 0 "$shunt" where
line out "host     $here"
line out 'table    built-in'
starts out "  $work/xdg/shunt"
starts out 'library  '
empty err
mkdir -p xdg/shunt
rules='alltoallv = ( { algorithm = "scattered"; } );'
printf 'schema = 1;\nmachine = { hosts = ( "gpu[1-4]", "login1" ); };\n%s\n' "$rules" >xdg/shunt/a.cfg
printf 'schema = 1;\n%s\n' "$rules" >xdg/shunt/b.cfg
printf 'schema = 1;\nmachine = { hosts = "elsewhere"; };\nalltoall = (\n' >xdg/shunt/c.cfg
printf 'schema = 1;\nmachine = { name = "alpha"; hosts = ( "x", "node*" ); };\n%s\n' "$rules" \
    >xdg/shunt/d.cfg
cp xdg/shunt/a.cfg xdg/shunt/e.cfg
: >xdg/shunt/notes.txt
code 0 "$shunt" where --host=node7.example.org
sed 's/  */ /g' out >squeezed
line out 'host     node7.example.org'
line out "  $work/xdg/shunt"
line squeezed ' a.cfg for other hosts: "gpu[1-4]", "login1"'
line squeezed ' b.cfg for no host: it has no machine.hosts'
line squeezed ' c.cfg cannot be parsed, and does not seem to be for this host'
line squeezed ' d.cfg used: its machine.hosts has "node*"'
line squeezed ' e.cfg comes later, so it is not looked at'
line out "table    $work/xdg/shunt/d.cfg (alpha)"
tests=$((tests + 1))
grep -q notes out && fail "where tells of a file that is no decision file"
line err "$work/xdg/shunt/c.cfg:3: the \"(\" opened here is never closed (skipped: it does not seem to be meant for host node7.example.org)"
# The same file as check, for every host.
for host in node1 gpu2 login1 nobody; do
    "$shunt" where --host=$host >out 2>err
    "$shunt" check --host=$host >checked 2>err
    tests=$((tests + 1))
    [ "$(sed -n 's/^table  *\([^ ]*\).*/\1/p' out)" = "$(sed -n 's/^table of host .*: //p' checked)" ] ||
        fail "where and check name different files for $host"
done
code 3 "$shunt" where --host=elsewhere
sed 's/  */ /g' out >squeezed
line squeezed ' c.cfg for this host, and not valid: nothing else is looked at'
line squeezed ' d.cfg comes later, so it is not looked at'
line out 'table    none, for the file is not valid'
line err "$work/xdg/shunt/c.cfg:3: the \"(\" opened here is never closed"
code 0 env SHUNT_CONFIG=xdg/shunt/a.cfg "$shunt" where
line out 'searched SHUNT_CONFIG names the table, so no folder is'
line out "table    $work/xdg/shunt/a.cfg"
code 0 env SHUNT_CONFIG=built-in "$shunt" where
line out 'searched SHUNT_CONFIG names the table, so no folder is'
line out 'table    built-in'
code 4 env SHUNT_CONFIG=missing.cfg "$shunt" where
if command -v python3 >/dev/null 2>&1; then
    code 0 "$shunt" where --json --host node7
    tests=$((tests + 1))
    python3 - "$work" "$("$shunt" --version | sed 's/^shunt //')" <<'END' || fail "where --json"
import json, sys
answer = json.load(open("out"))
assert answer["version"] == sys.argv[2] and answer["host"] == "node7"
assert answer["table"] == sys.argv[1] + "/xdg/shunt/d.cfg" and answer["machine"] == "alpha"
folder = answer["folders"][0]
assert folder["folder"] == sys.argv[1] + "/xdg/shunt" and folder["state"] == "searched"
assert [(one["file"], one["state"]) for one in folder["files"]] == [
    ("a.cfg", "other"), ("b.cfg", "no hosts"), ("c.cfg", "skipped"), ("d.cfg", "used"), ("e.cfg", "later")]
assert folder["files"][3]["patterns"] == '"node*"'
assert len(answer["folders"]) == 2
END
fi

# Where the library is: a copy that was moved, with its module and its measuring program.
mkdir -p moved/bin moved/lib/shunt moved/libexec/shunt
cp "$shunt" moved/bin/shunt
: >moved/lib/libshunt.so
: >moved/lib/shunt/shunt-table.so
: >moved/libexec/shunt/shunt-bench
chmod +x moved/libexec/shunt/shunt-bench
code 0 moved/bin/shunt where
line out "library  $work/moved/lib/libshunt.so"
line out "module   $work/moved/lib/shunt/shunt-table.so"
line out "bench    $work/moved/bin/../libexec/shunt/shunt-bench"
code 0 moved/bin/shunt --libpath
line out "$work/moved/lib/libshunt.so"
empty err
rm moved/lib/libshunt.so
if [ ! -e /usr/local/lib/libshunt.so ]; then
    code 4 moved/bin/shunt --libpath
    empty out
    code 0 moved/bin/shunt where
    line out 'library  not found'
fi

# env.
code 2 "$shunt" env --elephant
line err 'shunt env: --elephant is not an option; see "shunt env --help"'
code 2 "$shunt" env LOG
unset SHUNT_GUARD # that tests have
code 0 "$shunt" env
empty err
starts out 'SHUNT_CONFIG '
unfold out
tests=$((tests + 1))
[ "$(grep -c ' default  ' out)" -eq "$(wc -l <out)" ] || fail "env: not all are defaults"
code 0 env SHUNT_LOG=calls SHUNT_LOG_FILE=x.%r.jsonl SHUNT_WARMUP= "$shunt" env
sed 's/  */ /g' out >squeezed
starts squeezed 'SHUNT_LOG calls environment '
starts squeezed 'SHUNT_LOG_FORMAT json default '
starts squeezed 'SHUNT_LOG_RANKS all default '
starts squeezed 'SHUNT_WARMUP by the table default '
code 1 env SHUNT_LOG=loud SHUNT_FORSE=x "$shunt" env
sed 's/  */ /g' out >squeezed
starts squeezed 'SHUNT_LOG loud not understood the default counts: '
starts squeezed 'SHUNT_FORSE x unknown has no effect'
line err 'SHUNT_LOG=loud: expected off, start, summary or calls'
line err 'unknown variable SHUNT_FORSE (did you mean SHUNT_FORCE?)'
# A name of a file may hold anything: it stays on its line, and drives no terminal.
mkdir -p "odd/shunt"
odd=$(printf 'odd\nname\033[31m.cfg')
printf 'schema = 1;\nmachine = { hosts = "*"; };\n%s\n' "$rules" >"odd/shunt/$odd"
code 0 env XDG_CONFIG_HOME="$work/odd" "$shunt" where
line out "table    $work/odd/shunt/odd\\x0aname\\x1b[31m.cfg"
code 0 env XDG_CONFIG_HOME="$work/odd" "$shunt" check
line out "$work/odd/shunt/odd\\x0aname\\x1b[31m.cfg: ok, rules: 0 alltoall, 1 alltoallv"
code 0 "$shunt" explain --op=alltoallv --block=1 --ranks=4 --nodes=1 "odd/shunt/$odd"
line out "table      $work/odd/shunt/odd\\x0aname\\x1b[31m.cfg"
code 0 "$shunt" explain --grid --csv --op=alltoallv --block=1 --ranks=4 --nodes=1 "odd/shunt/$odd"
tests=$((tests + 1))
grep -q "$(printf '\033')" out && fail "--csv has what a terminal obeys"
part out 'odd\x0aname\x1b[31m.cfg'
# A value with a newline stays on its line.
code 0 env SHUNT_CONFIG="a
b" "$shunt" env
sed 's/  */ /g' out >squeezed
starts squeezed 'SHUNT_CONFIG a\\x0ab environment '
if command -v python3 >/dev/null 2>&1; then
    code 1 env SHUNT_LOG=loud SHUNT_FORSE=x SHUNT_WARMUP=3 "$shunt" env --json
    tests=$((tests + 1))
    python3 - <<'END' || fail "env --json"
import json
rows = {row["name"]: row for row in json.load(open("out"))["settings"]}
assert rows["SHUNT_LOG"]["set_by"] == "not understood" and rows["SHUNT_LOG"]["default"] == "off"
assert rows["SHUNT_WARMUP"]["value"] == "3" and rows["SHUNT_WARMUP"]["set_by"] == "environment"
assert rows["SHUNT_FORSE"]["set_by"] == "unknown" and "meaning" not in rows["SHUNT_FORSE"]
assert all(row["meaning"] and row["expects"] for row in rows.values() if row["set_by"] != "unknown")
END
fi
finish_checks
