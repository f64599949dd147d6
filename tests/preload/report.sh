#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# shunt report of the logs that a program which knows nothing of the library left behind.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need "$build/plain" "the program of this test"
shunt=$top_build/src/shunt
"$shunt" report - </dev/null >"$work/out" 2>"$work/err"
grep -q 'built without json-c' "$work/err" && skip "shunt was built without json-c"

cat >"$work/site.cfg" <<'END'
schema = 1;
machine = { name = "alpha"; };
alltoall = ( { id = "unused"; block = "1M-"; algorithm = "scattered"; batch_size = 2; },
             { id = "none"; algorithm = "native"; } );
alltoallv = ( { id = "all"; algorithm = "two-phase-bruck"; } );
END

job 4 -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/log.%r.jsonl" -genv SHUNT_WARMUP 6 \
    -genv SHUNT_LOG_SITES 1 -genv SHUNT_CONFIG "$work/site.cfg" "$build/plain" children
check "the program is right" grep -q '^ranks 4 wrong 0$' "$work/out"
check "the report is made" "$shunt" report --table=built-in --machine=polaris-like \
    --csv "$work"/log.?.jsonl >"$work/report.out"
if [ -e "$top_build/src/viewer/viewer.html" ]; then
    check "the page is made" "$shunt" report --html="$work/run.html" "$work"/log.?.jsonl >"$work/out"
    check "it has the table of the job" grep -q '"from": 0, "algorithm": "two-phase-bruck", .*"line": 5, "id": "all"' \
        "$work/run.html"
else
    echo "SKIP: the page of the report: this build has no page of the viewer (see configure)"
fi
"$shunt" report --table=built-in "$work"/log.?.jsonl >"$work/out" 2>"$work/err"
check "nothing is wrong with the logs" [ ! -s "$work/err" ]

# says WHAT PATTERN: a line of the report matches (extended).
says()
{
    if grep -qE "$2" "$work/out"; then
        pass "$1"
    else
        fail "$1: no line matches $2" "$work/out"
    fi
}
says "all calls of all ranks are in the sums" '^calls       80 of all ranks, 35\.0 % routed$'
says "a rule has its calls" '^alltoallv, site\.cfg:5 "all" +28 '
says "calls before set-up are told apart" '^alltoallv, warm-up +[0-9]+ .* 0\.0%  -$'
says "what the rules left native" '^alltoall, site\.cfg:4 "none" +28 '
says "the rule without a call is named" '^  alltoall .*/site\.cfg:3 "unused"$'
says "the host and its ranks are named" "^hosts       1 with 4 ranks: [^ ]"
says "the program is named" '^program     .*plain children$'
says "the calls of a site are one line" '^alltoall, plain\+0x[0-9a-f]+ +40 '
says "those of the other site as well" '^alltoallv, plain\+0x[0-9a-f]+ +40 '
check "there are two sites" [ "$(grep -c 'plain+0x' "$work/out")" = 2 ]
says "late ranks are named" '^arrive late  rank [0-3]: .* behind the first'
says "the other table was asked" '^with the table built-in$'
if python3 -c 'import jsonschema' 2>/dev/null; then
    "$shunt" report --json --table=built-in "$work"/log.?.jsonl >"$work/report.json"
    check "JSON is as its schema" python3 "$top/tests/unit/valid.py" \
        "$top/src/tools/report/report.schema.json" "$work/report.json"
fi

# A job whose table is completed by what programs had learned: both files are found again. Ranks
# that tell nothing of rules leave it to the table.
mkdir -p "$work/cache/shunt"
cat >"$work/cache/shunt/alpha.cfg" <<'END'
schema = 1;
alltoall = ( { id = "learned"; ranks = "64"; calls = 250; native_us = 90; algorithm = "scattered"; } );
END
job 4 -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/both.%r.jsonl" -genv SHUNT_WARMUP 6 \
    -genv XDG_CACHE_HOME "$work/cache" -genv SHUNT_CONFIG "$work/site.cfg" "$build/plain" children
grep -hv '"event": "summary"' "$work"/both.?.jsonl >"$work/both.jsonl"
# tell [OPTION...]: the report of that job.
tell()
{
    "$shunt" report --wide "$@" "$work/both.jsonl" >"$work/out" 2>"$work/err"
}
# lacks PATTERN: no line of the report matches.
# shellcheck disable=SC2317 # "check" calls it
lacks()
{
    ! grep -E "$1" "$work/out"
}
tell
says "the log names both files" "^table       $work/site\\.cfg, $work/cache/shunt/alpha\\.cfg$"
says "a rule that was learned is one of the table" '^  alltoall .*/alpha\.cfg:2 "learned"$'
says "and one of the other file" '^  alltoall .*/site\.cfg:3 "unused"$'
check "the table is as it was" lacks '^(the table|what programs)'
tell --config="$work/site.cfg"
check "so it is with --config" lacks '^(the table|what programs)'
says "which has both as well" '^  alltoall .*/alpha\.cfg:2 "learned"$'
sed -i 's/64/65/' "$work/cache/shunt/alpha.cfg"
tell
says "what has changed is said" "^the table of the job, $work/site\\.cfg, or what programs had \
learned before the job, $work/cache/shunt/alpha\\.cfg, is not as it was then: the rules of the \
latter are left out$"
says "the first file is still used" '^  alltoall .*/site\.cfg:3 "unused"$'
check "the changed one is not" lacks '^  alltoall .*/alpha'
finish
