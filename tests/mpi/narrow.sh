#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls of a thread with a small stack: what natively suffices, and 16 KiB more, is enough, for
# set-up, for what ranks agree on, and for every kind of algorithm.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

printf 'schema = 1;\nmachine = { name = "m"; };\n' >"$work/gaps.cfg"
cat >"$work/model.cfg" <<'END'
schema = 1;
machine = { name = "m"; model = "theta-like"; };
policy = { no_match = "model"; margin = 1; };
END

least=
for kib in 16 24 32 48 64; do
    job_native 60 -n 4 "$programs/narrow" $((kib << 10)) 300
    [ "$job_status" -eq 0 ] || continue
    least=$kib
    break
done
[ -n "$least" ] || skip "natively calls need more than 64 KiB of stack here"
kib=$((least + 16))
echo "natively $least KiB suffice"

while read -r settings; do
    rm -rf "$XDG_CACHE_HOME"
    # shellcheck disable=SC2086 # words are wanted
    job 60 -genv SHUNT_WARMUP 2 $settings -n 4 "$programs/narrow" $((kib << 10)) 1000
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$kib KiB of stack are enough: ${settings:-the built-in table}"
    else
        fail "$kib KiB of stack are enough: ${settings:-the built-in table}"
    fi
done <<END

-genv SHUNT_GUARD 1
-genv SHUNT_WARMUP 100
-genv SHUNT_FORCE alltoall=shared-segment,alltoallv=shared-segment
-genv SHUNT_FORCE alltoall=bruck,alltoallv=parlogna -genv SHUNT_TEST_LAYOUT 2
-genv SHUNT_FORCE alltoall=node-pair,alltoallv=node-pair -genv SHUNT_TEST_LAYOUT 2
-genv SHUNT_FORCE alltoall=padded-alltoall,alltoallv=padded-alltoall
-genv SHUNT_FORCE alltoall=parlinna-shared,alltoallv=parlinna-shared -genv SHUNT_TEST_LAYOUT 2
-genv SHUNT_FORCE alltoall=bruck-zero-copy,alltoallv=scattered
-genv SHUNT_FORCE alltoall=spread-out,alltoallv=pairwise
-genv SHUNT_CONFIG $work/model.cfg
-genv SHUNT_CONFIG $work/gaps.cfg -genv SHUNT_LEARN on
-genv SHUNT_LOG calls -genv SHUNT_LOG_FILE $work/calls.%r.jsonl
END
finish
