#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the published algorithms send: in each round one message of data, and before it, where blocks
# are passed on, one with 4 bytes for the length of each. Messages whose blocks all arrive need no
# lengths: with r = P that is the direct exchange, byte by byte. Counted on rank 0, without the
# first calls and what comes with them.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
doze

# sent RANKS ALGORITHM CALLS BYTES: messages and bytes of so many calls.
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

# Where the next rule begins, calls go by it, also while no log is written: then sizes that were
# native before are passed on without a look at the rules. Blocks of 16 and 36 bytes are among those
# of the program.
# sent_from BYTES: messages of a whole job whose calls of MPI_Alltoall are routed from that size on.
sent_from()
{
    cat >"$work/table.cfg" <<END
schema = 1;
policy = { warmup = 0; };
alltoall = ( { block = "0-$(($1 - 1))"; algorithm = "native"; }, { algorithm = "pairwise"; } );
END
    job_run "$lib:$programs/tally.so:$yield" 60 -genv SHUNT_CONFIG "$work/table.cfg" -n 3 \
        "$programs/sizes" && sed -n 's/^TALLY \([0-9]*\) .*/\1/p' "$work/out"
}
with=$(sent_from 36)
without=$(sent_from 37)
if [ -n "$with" ] && [ -n "$without" ] && [ "$with" -eq $((without + 2)) ]; then
    pass "the first size of a rule is routed after native calls: $with messages, not $without"
else
    fail "the first size of a rule is routed after native calls: $with messages and $without"
fi

# Ranks, radix, algorithm. Many ranks only with SHUNT_TEST_FULL=1: there are complete and incomplete
# digits with few.
[ "$full" = 1 ] && more="13:4 16:16" || more=
for case in 4:2 5:5 7:3 8:2 8:8 9:3 10:4 7:2:two-phase-bruck 8:2:two-phase-bruck $more; do
    ranks=${case%%:*}
    radix=$(echo "$case" | cut -d: -f2)
    algorithm=$(echo "$case" | cut -d: -f3)
    [ -n "$algorithm" ] || algorithm=parlogna:radix=$radix:metadata=separate:batch_size=1
    for block in 1 24; do
        what="$algorithm, $ranks ranks, blocks of $block bytes"
        tallied=$(sent "$ranks" "$algorithm" 20 $block) || tallied=
        measured=$(echo "$tallied" | awk 'NF == 2 { print $1 / 20, $2 / 20 }')
        wanted=$(promised "$ranks" "$radix" $block)
        if [ -n "$tallied" ] && [ "$measured" = "$wanted" ]; then
            pass "$what: $measured messages and bytes in a call"
        else
            fail "$what: \"$measured\" messages and bytes in a call instead of \"$wanted\""
        fi
    done
done
finish
