#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Buffers in device memory on one rank: such a call is native on all ranks, and the log says why;
# every other call is routed.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# blocks SIZE NATIVE FILE: calls of blocks of SIZE bytes in a log that are native with a reason that
# names the device (NATIVE: yes), or routed.
blocks()
{
    awk -v size="$1" -v native="$2" '
        /"event": "call"/ && $0 ~ ("\"bytes\": " 4 * size ",") && !/"reason": "warm-up"/ {
            is = /"algorithm": "native"/ && /"reason": "[^"]*device/
            if (native == "yes" ? is : !/"algorithm": "native"/) n++
        }
        END { print n + 0 }' "$3"
}

# run_case "TEXT" ARGUMENT...: 4 ranks; the program makes 12 + 4 calls of blocks of 20 bytes and 24
# of 28 bytes.
run_case()
{
    case_text=$1
    shift
    for force in spread-out parlogna:radix=2 parlinna-staggered:radix=2:batch_size=1 node-pair; do
        rm -f "$work"/*.jsonl
        job 120 -genv SHUNT_FORCE "alltoall=$force,alltoallv=$force" -genv SHUNT_LOG calls \
            -genv SHUNT_LOG_FILE "$work/%r.jsonl" -n 4 \
            "$programs/device" "$programs/libcuda.so.1" "$@"
        if [ $job_status -ne 0 ] || ! grep -q '^PASS: ' "$work/out"; then
            fail "$case_text, $force"
            continue
        fi
        wrong=
        for rank in 0 1 2 3; do
            [ "$native" = 1 ] && continue
            [ "$(blocks 20 no "$work/$rank.jsonl")" -ge 16 ] \
                || wrong="rank $rank routed $(blocks 20 no "$work/$rank.jsonl") of 16 calls"
            [ "$(blocks 28 yes "$work/$rank.jsonl")" -eq 24 ] ||
                wrong="on rank $rank $(blocks 28 yes \
                    "$work/$rank.jsonl") of 24 calls were native because of a device"
        done
        if [ -n "$wrong" ]; then
            fail "$case_text, $force: $wrong"
        else
            pass "$case_text: such calls are native and the others routed, $force"
        fi
    done
}

run_case "device buffers on one rank, the runtime on all"
run_case "device buffers on the only rank with a runtime" 2
finish
