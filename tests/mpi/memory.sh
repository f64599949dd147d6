#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The memory of parlogna is what is promised. With separate metadata that of Fan 2025, section 3.3:
# P - K - 1 slots of the largest block, and the messages of one round, with 4 bytes per block for
# its length. Fused: the messages that are kept until their blocks have been passed on, those of the
# round that arrives, and those of one round that are sent, with 9 bytes per block. Counted from the
# log's record of every call, for several numbers of ranks, radices and batch sizes. Where the cap
# leaves no room for kept messages, blocks wait in slots, and a call is refused only if that is too
# much as well; then the log says so.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# What the log says against the formulas, computed here from their definition. Prints the number of
# calls compared.
compare()
{
    grep "\"communicator\": *\"MPI_COMM_WORLD\"" "$work/log.jsonl" |
        sed -n 's/.*"operation": *"alltoallv".*"largest": *\([0-9]*\).*"algorithm": *"parlogna".*"memory": *\([0-9]*\).*/\1 \2/p' |
        awk -v P="$1" -v r="$2" -v batch="$3" -v metadata="$4" '
        BEGIN {
            rounds = 0; most = 0; kept = 0; peak = 0
            for (power = 1; power < P; power *= r)
                for (z = 1; z < r && z * power < P; z++) {
                    rounds++
                    if ((z - 1) % batch == 0) { sent = 0; here = kept }
                    forwarded = 0
                    for (o = 1; o < P; o++)
                        if (int(o / power) % r == z) {
                            sent++; here++
                            if (int(o / (power * r)) > 0) forwarded++
                        }
                    if (forwarded > 0) kept = here
                    if (sent > most) most = sent
                    if (here > peak) peak = here
                }
        }
        $1 > 0 {
            if ($1 > largest) largest = $1
            wanted = metadata == "separate" ? (P - rounds - 1) * largest + 2 * most * (largest + 4) : (peak + most) * (largest + 9)
            calls++
            if ($2 != wanted) { print "largest block " largest ": " $2 " bytes instead of " wanted > "/dev/stderr"; bad = 1 }
        }
        END { print calls + 0; exit bad }'
}

# Ranks, radix, batch size, metadata. Many ranks only with SHUNT_TEST_FULL=1: there are two and more
# digits, complete and incomplete ones, and batches of all sizes with few.
more=
[ "$full" != 1 ] || more="4:2:1:separate 8:2:1:separate 13:3:1:separate 16:2:1:separate
    16:4:2:separate 13:3:1:fused 13:3:2:fused 16:2:15:fused 16:4:1:fused 16:4:2:fused
    16:4:15:fused"
for case in 7:2:1:separate 8:4:1:separate 8:8:1:separate 10:3:1:separate 10:4:2:separate \
    7:2:1:fused 8:8:7:fused 10:3:1:fused 10:3:2:fused 9:2:15:fused 10:4:1:fused 10:4:2:fused \
    10:4:15:fused $more; do
    ranks=${case%%:*}
    metadata=${case##*:}
    radix=$(echo "$case" | cut -d: -f2)
    batch=$(echo "$case" | cut -d: -f3)
    rm -f "$work/log.jsonl"
    job 60 -genv SHUNT_FORCE \
        "alltoall=native,alltoallv=parlogna:radix=$radix:batch_size=$batch:metadata=$metadata" \
        -genv SHUNT_LOG calls \
        -genv SHUNT_LOG_FILE "$work/log.jsonl" -n "$ranks" "$programs/steady" --rounds 2
    what="$ranks ranks, radix $radix, batch size $batch, metadata $metadata"
    if [ "$job_status" -ne 0 ]; then
        fail "$what: the program failed"
    elif ! calls=$(compare "$ranks" "$radix" "$batch" "$metadata") || [ "$calls" -lt 5 ]; then
        fail "$what: memory is not what was promised"
    else
        pass "$what: $calls calls within the promised memory"
    fi
done

# large OPERATION LIMIT CAP: how many calls with blocks above LIMIT were native, how many were not,
# and how many records have memory above CAP.
large()
{
    grep "\"operation\": *\"$1\"" "$work/log.jsonl" |
        sed -n 's/.*"largest": *\([0-9]*\).*"algorithm": *"\([a-z-]*\)".*"memory": *\([0-9]*\).*/\1 \2 \3/p' |
        awk -v limit="$2" -v cap="$3" '$1 > limit && $2 == "native" { native++ } $1 > limit && $2 != "native" { taken++ } $3 > cap { over++ }
            END { print native + 0, taken + 0, over + 0 }'
}

# Small blocks and ones of up to 80,000 bytes in turn. Taken: blocks above those that can be kept
# (cap / 16 - 9 bytes with 8 ranks and radix 2) wait in slots. Refused: above what 12 blocks (8 of
# them with 4 bytes more) leave for each. Two levels: 100 blocks kept, or 16 and 52. Cap, outcome
# for blocks above a limit, layout, algorithm.
for case in 1000000:taken:62491:8:parlogna 1000000:taken:62491:8:bruck \
    900000:refused:74997:8:parlogna 900000:refused:75000:8:bruck \
    6000000:taken:59991:3,5:parlinna-coalesced 5000000:refused:73526:3,5:parlinna-coalesced; do
    cap=${case%%:*}
    algorithm=${case##*:}
    outcome=$(echo "$case" | cut -d: -f2)
    limit=$(echo "$case" | cut -d: -f3)
    operation=alltoallv
    other=alltoall
    [ "$algorithm" != bruck ] || {
        operation=alltoall
        other=alltoallv
    }
    rm -f "$work/log.jsonl"
    job 60 -genv SHUNT_FORCE "$operation=$algorithm:radix=2,$other=native" -genv SHUNT_MEMORY \
        "$cap" -genv SHUNT_LOG calls \
        -genv SHUNT_TEST_LAYOUT "$(echo "$case" | cut -d: -f4)" -genv SHUNT_LOG_FILE \
        "$work/log.jsonl" -n 8 "$programs/sizes"
    what="$algorithm, cap of $cap bytes, blocks above $limit"
    seen=$(large "$operation" "$limit" "$cap")
    if [ "$job_status" -ne 0 ]; then
        fail "$what: the program failed"
    elif [ "$outcome" = taken ] && [ "$seen" = "0 ${seen#0 }" ] && [ "$seen" != "0 0 0" ] \
        && [ "${seen##* }" = 0 ]; then
        pass "$what: native, taken, above the cap: $seen"
    elif [ "$outcome" = refused ] && [ "$seen" = "${seen%% *} 0 0" ] && [ "${seen%% *}" -gt 0 ] &&
        [ "$(grep -c "needs .*, cap is" "$work/log.jsonl")" -eq "${seen%% *}" ]; then
        pass "$what: native, taken, above the cap: $seen, and the log says why"
    else
        fail "$what: native, taken, above the cap: $seen"
    fi
done
finish
