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
# Announcements in shared memory.
soft set-up "" "$(forced shared-segment)"
finish
