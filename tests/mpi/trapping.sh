#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The floating-point environment is the program's: what it traps does not come from arithmetic of the
# library's, no flag is set that it did not raise, and it rounds as it did; whatever decides.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

cat >"$work/model.cfg" <<'END'
schema = 1;
machine = { name = "slow"; model = { library = "any";
    inside = { latency_us = 1; overhead_us = 500; byte_ns = 0.1; };
    between = { latency_us = 10; overhead_us = 1000; byte_ns = 1; };
    copy = { block_ns = 10; byte_ns = 0.1; };
    read = { block_ns = 500; byte_ns = 0.1; };
    barrier = { start_us = 1; rank_us = 0.1; };
    native = { short = 0; medium = "32K"; ranks = 8; throttle = 32; };
  }; };
policy = { warmup = 2; no_match = "model"; margin = 1; };
END
printf 'schema = 1;\nmachine = { name = "m"; };\n' >"$work/gaps.cfg"
cat >"$work/shared.cfg" <<'END'
schema = 1;
policy = { warmup = 3; };
alltoall = ( { algorithm = "shared-segment"; } );
alltoallv = ( { algorithm = "shared-segment"; } );
END

# leads FIRST SECOND THIRD: each of four ranks has a mode of its own, rank 0 the first, which decides
# for all. The program's library is slow in one case, where there is something to learn.
leads()
{
    rm -rf "$XDG_CACHE_HOME"
    # shellcheck disable=SC2086 # words are wanted
    job_run "$(preload "${lib:+$programs/sluggish.so:$lib}")" 100 -genv SLUGGISH_MS "$slow" \
        $settings -n 1 "$programs/trapping" "$1" "$calls" : -n 1 "$programs/trapping" "$2" "$calls" : \
        -n 1 "$programs/trapping" "$3" "$calls" : -n 1 "$programs/trapping" "$1" "$calls"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$what: rank 0 $1, others $2 and $3"
    else
        fail "$what: rank 0 $1, others $2 and $3"
    fi
}

# One mode for rank 0 in each case, with SHUNT_TEST_FULL=1 all.
while read -r what mode slow calls settings; do
    for first in traps flags upward; do
        [ "$SHUNT_TEST_FULL" = 1 ] || [ $first = "$mode" ] || continue
        case $first in
        traps) leads traps flags upward ;;
        flags) leads flags upward traps ;;
        upward) leads upward traps flags ;;
        esac
    done
done <<END
default-settings flags 0 40
a-log-of-calls upward 0 40 -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE $work/%r.jsonl -genv SHUNT_LOG_PHASES 1
the-model traps 0 20 -genv SHUNT_CONFIG $work/model.cfg
shared-memory upward 0 60 -genv SHUNT_CONFIG $work/shared.cfg
compared-with-native traps 0 20 -genv SHUNT_CONFIG $work/shared.cfg -genv SHUNT_VERIFY 1
learning flags 2 60 -genv SHUNT_CONFIG $work/gaps.cfg -genv SHUNT_LEARN on
END
finish
