#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the published algorithms send: in each round one message of data, and before it, where blocks
# are passed on, one with 4 bytes for the length of each. Messages whose blocks all arrive need no
# lengths: with r = P that is the direct exchange, byte by byte. Counted on rank 0, as the
# difference between a job with many calls and one with few.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# sent RANKS ALGORITHM CALLS BYTES: messages and bytes of a whole job.
sent()
{
    job_run "$lib:$programs/tally.so:$yield" 60 -genv SHUNT_FORCE "alltoall=native,alltoallv=$2" \
        -n "$1" "$programs/constant" "$3" "$4" &&
        sed -n 's/^TALLY //p' "$work/out"
}

# promised RANKS RADIX BYTES: messages and bytes of one call.
promised()
{
    awk -v P="$1" -v r="$2" -v block="$3" 'BEGIN {
        for (power = 1; power < P; power *= r)
            for (z = 1; z < r && z * power < P; z++) {
                blocks = forwarded = 0
                for (o = 1; o < P; o++)
                    if (int(o / power) % r == z) {
                        blocks++
                        forwarded += int(o / (power * r)) > 0
                    }
                messages += 1 + (forwarded > 0)
                bytes += blocks * block + (forwarded > 0 ? 4 * blocks : 0)
            }
        print messages, bytes
    }'
}

[ "$native" != 1 ] || skip "only the library sends what is counted here"
# Ranks, radix, algorithm.
for case in 4:2 5:5 7:3 8:2 8:8 9:3 13:4 16:16 7:2:two-phase-bruck 8:2:two-phase-bruck; do
    ranks=${case%%:*}
    radix=$(echo "$case" | cut -d: -f2)
    algorithm=$(echo "$case" | cut -d: -f3)
    [ -n "$algorithm" ] || algorithm=parlogna:radix=$radix:metadata=separate:batch_size=1
    for block in 1 24; do
        what="$algorithm, $ranks ranks, blocks of $block bytes"
        few=$(sent "$ranks" "$algorithm" 10 $block) \
            && many=$(sent "$ranks" "$algorithm" 30 $block) || few=
        measured=$(echo "$few $many" | awk 'NF == 4 { print ($3 - $1) / 20, ($4 - $2) / 20 }')
        wanted=$(promised "$ranks" "$radix" $block)
        if [ -n "$few" ] && [ "$measured" = "$wanted" ]; then
            pass "$what: $measured messages and bytes in a call"
        else
            fail "$what: \"$measured\" messages and bytes in a call instead of \"$wanted\""
        fi
    done
done
finish
