#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes the parser of decision files. It runs in a build folder that clang's sanitizers have
# instrumented (scripts/test makes one), after "make tests/unit/fuzz_parse". SHUNT_FUZZ_SECONDS: how
# long (default 10). Exit status: 0 nothing found, 1 a crash; the input is kept and named.
set -u
seconds=${SHUNT_FUZZ_SECONDS:-10}
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"

mkdir "$work/corpus"
cp "$top"/tests/data/fuzz/* "$top"/conf/*.cfg "$top"/conf/machines/*.cfg "$work/corpus"
if ! tests/unit/fuzz_parse -max_total_time="$seconds" -max_len=4096 -timeout=10 \
    -print_final_stats=1 -dict="$top/tests/data/fuzz.dict" \
    -artifact_prefix="$work/found-" "$work/corpus" >"$work/log" 2>&1; then
    tail -n 60 "$work/log"
    for found in "$work"/found-*; do
        [ -f "$found" ] && cp "$found" . && echo "input kept as ${found##*/}"
    done
    exit 1
fi
grep -E 'number_of_executed_units|DONE' "$work/log"
pass "no decision file breaks the parser, in $seconds s"
finish
