#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Fuzzes the parser of decision files with clang's libFuzzer and its sanitizers. SHUNT_FUZZ_SECONDS:
# how long (default 20). Exit status: 0 nothing found, 1 a crash (the input is kept and named), 77
# not possible here.
set -u
seconds=${SHUNT_FUZZ_SECONDS:-20}
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
compiler=${FUZZ_CC:-clang}

need_command "$compiler"
flags="-std=gnu11 -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined"
flags="$flags ${LIBCONFIG_CPPFLAGS:-}"
echo 'int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n); int LLVMFuzzerTestOneInput(const unsigned char *d, unsigned long n) { return d && n > 99 ? 0 : 0; }' >"$work/probe.c"
# shellcheck disable=SC2086 # a list of words
"$compiler" $flags -o "$work/probe" "$work/probe.c" 2>/dev/null \
    || skip "$compiler has no libFuzzer or sanitizers"

# The built-in table is made by the build, in its folder.
[ -f src/route/builtin.c ] || skip "src/route/builtin.c is not built: run this through make check"
sources=
for file in "$top"/src/base/*.c "$top"/src/route/*.c "$top"/src/algorithms/*.c "$top"/src/events/*.c \
    "$top"/src/schedule/*.c "$top"/src/model/*.c; do
    case $file in */module.c | */builtin.c) ;; *) sources="$sources $file" ;; esac
done
# shellcheck disable=SC2086
"$compiler" $flags -D_GNU_SOURCE -DSHUNT_SYSCONFDIR='"/nowhere"' -DSHUNT_PKGDATADIR='"/nowhere"' \
    -DSHUNT_BINDIR='"/nowhere"' -DSHUNT_LIBDIR='"/nowhere"' -DSHUNT_LIBEXECDIR='"/nowhere"' \
    -I"$top/src" -o "$work/fuzz" \
    "$top/tests/unit/fuzz_parse.c" $sources \
    src/route/builtin.c ${LIBCONFIG_LIBS:--lconfig} || exit 1

mkdir "$work/corpus"
cp "$top"/tests/data/fuzz/* "$top"/conf/*.cfg "$top"/conf/machines/*.cfg "$work/corpus"
if ! "$work/fuzz" -max_total_time="$seconds" -max_len=4096 -timeout=10 -print_final_stats=1 \
    -dict="$top/tests/data/fuzz.dict" \
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
