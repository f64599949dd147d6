#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# As inject.sh, while communicators are set up.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

[ "$native" != 1 ] || skip "without the library there is nothing that could fail"
. "$(dirname "$0")/injecting.sh"

for algorithm in parlogna shared-segment node-pair; do
    case $algorithm in shared-segment) layout=64 ;; *) layout=2 ;; esac
    soft set-up $layout "$(forced $algorithm)"
    hard set-up $layout "$(forced $algorithm)"
done
# Clocks are compared, on nodes that MPICH pretends.
export MPIR_CVAR_NUM_CLIQUES=3 SHUNT_LOG=calls SHUNT_LOG_RANKS=all SHUNT_LOG_FILE="$work/calls.log"
soft set-up "" "$(forced parlogna)"
hard set-up "" "$(forced parlogna)"
check "clocks were compared meanwhile" grep -q '^shunt: clock' "$work/calls.log"
unset MPIR_CVAR_NUM_CLIQUES SHUNT_LOG SHUNT_LOG_RANKS SHUNT_LOG_FILE
# The model chooses, and rules stand before it: whoever has no memory to ask it says so.
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
policy = { warmup = 0; no_match = "model"; margin = 1; };
alltoall = ( { id = "few"; block = "0-16"; algorithm = "pairwise"; } );
END
export SHUNT_CONFIG="$work/model.cfg"
soft set-up 2 ""
soft set-up "" ""
unset SHUNT_CONFIG
finish
