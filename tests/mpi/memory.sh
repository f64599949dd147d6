#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The memory of parlogna is what paper 002, section 3.3, promises: P - K - 1 slots of the largest block, and the messages of one round (one
# out, one in, each with its lengths). Counted from the log's record of every call, for several numbers of ranks and radices.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# What the log says against the formulas, computed here from their definition. Prints the number of calls compared.
compare()
{
    grep "\"communicator\": *\"MPI_COMM_WORLD\"" "$work/log.jsonl" |
        sed -n 's/.*"operation": *"alltoallv".*"max": *\([0-9]*\).*"algorithm": *"parlogna".*"memory": *\([0-9]*\).*/\1 \2/p' |
        awk -v P="$1" -v r="$2" '
        BEGIN {
            rounds = 0; most = 0
            for (power = 1; power < P; power *= r)
                for (z = 1; z < r && z * power < P; z++) {
                    rounds++; blocks = 0
                    for (o = 1; o < P; o++) if (int(o / power) % r == z) blocks++
                    if (blocks > most) most = blocks
                }
        }
        $1 > 0 {
            if ($1 > largest) largest = $1
            wanted = (P - rounds - 1) * largest + 2 * most * (largest + 8)
            calls++
            if ($2 != wanted) { print "largest block " largest ": " $2 " bytes instead of " wanted > "/dev/stderr"; bad = 1 }
        }
        END { print calls + 0; exit bad }'
}

for case in 4:2 7:2 8:2 8:4 8:8 13:3 16:2 16:4; do
    ranks=${case%:*}
    radix=${case#*:}
    rm -f "$work/log.jsonl"
    job 60 -genv SHUNT_FORCE "alltoallv=parlogna:radix=$radix" -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE "$work/log.jsonl" \
        -n "$ranks" "$programs/steady"
    if [ "$job_status" -ne 0 ]; then
        fail "$ranks ranks, radix $radix: the program failed"
    elif ! calls=$(compare "$ranks" "$radix") || [ "$calls" -lt 5 ]; then
        fail "$ranks ranks, radix $radix: memory is not what the paper says"
    else
        pass "$ranks ranks, radix $radix: $calls calls within P - K - 1 slots and one round's messages"
    fi
done
finish
