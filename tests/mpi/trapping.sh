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

# The program's library is slow in one case, where there is something to learn.
while read -r what slow calls settings; do
    for mode in traps flags upward; do
        rm -rf "$XDG_CACHE_HOME"
        # shellcheck disable=SC2086 # words are wanted
        job_run "$(preload "${lib:+$programs/sluggish.so:$lib}")" 100 -genv SLUGGISH_MS "$slow" \
            $settings -n 4 "$programs/trapping" $mode "$calls"
        if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
            pass "$mode: $what"
        else
            fail "$mode: $what"
        fi
    done
done <<END
default-settings 0 40
a-log-of-calls 0 40 -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE $work/%r.jsonl -genv SHUNT_LOG_PHASES 1
the-model 0 20 -genv SHUNT_CONFIG $work/model.cfg
shared-memory 0 60 -genv SHUNT_CONFIG $work/shared.cfg
compared-with-native 0 20 -genv SHUNT_CONFIG $work/shared.cfg -genv SHUNT_VERIFY 1
learning 2 60 -genv SHUNT_CONFIG $work/gaps.cfg -genv SHUNT_LEARN on
END
finish
