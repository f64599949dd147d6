#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The tables made from papers: they are valid, take the hosts of their machines and no others, decide
# as their figures and predictions say, and leave native what neither covers. Needs no MPI. Two seconds.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"
export LC_ALL=C
mkdir -p "$work/xdg/shunt"
for machine in theta polaris fugaku; do
    cp "$top/conf/$machine.cfg" "$work/xdg/shunt/"
    code 0 "$shunt" check --complete "$work/xdg/shunt/$machine.cfg"
    unfold out
    part out "$machine.cfg: ok, rules: "
    part out "model: $machine-like"
    empty err
    # Each rule that routes has, above it or above the one before, the paper and its figure or section,
    # or says that it is predicted.
    tests=$((tests + 1))
    awk '/^alltoallv? = / { far = 9; rules++ }
        /# .*\[[ABC]\].*(fig\.|section)/ || /# \[M\] predicted of / { far = 0 }
        /\{ id = / && !/algorithm = "native"/ { routed++; if (++far > 2) bad = 1 }
        END { exit bad || routed == 0 || rules != 2 }' "$top/conf/$machine.cfg" ||
        fail "$machine.cfg: a rule without a source"
done

# host TABLE NAME...: these hosts use the file of that machine, or built-in.
host()
{
    table=$1
    shift
    for name; do
        code 0 "$shunt" where --host="$name"
        case $table in
        built-in) line out 'table    built-in' ;;
        *) part out "table    $work/xdg/shunt/$table.cfg (" ;;
        esac
    done
}
host theta nid00024 nid00985 nid04607
host polaris x3000c0s1b0n0 x3005c0s7b0n0 x3111c0s7b0n0 x3210c0s37b1n0 \
    x3005c0s31b0n0.hsn.cm.polaris.alcf.anl.gov
host fugaku a01-0000c a26-4003c
# Others with like names: login nodes, Cray XC with more nodes, Cray EX, whose nid have six digits
# or whose nodes stand in other racks and chassis.
host built-in nid00023 nid04608 nid12345 nid000985 nid001234 nid0985 x1000c0s0b0n0 x3000c1s0b0n0 \
    x3005c0s7b0n1 x3020c0s1b0n0 x9000c3s7b1n0 polaris-login-04.hsn.cm.polaris.alcf.anl.gov \
    thetalogin4 a01-0000 a1-0000c aa01-0000c a01-00000c fn01sv01 node001 gpu1

# cell MACHINE OPERATION RANKS PPN BLOCK ALGORITHM RULE: what a call gets.
cell()
{
    code 0 "$shunt" explain --op="$2" --ranks="$3" --ppn="$4" --block="$5" "$work/xdg/shunt/$1.cfg"
    tests=$((tests + 1))
    { [ "$(sed -n 's/^algorithm  *//p' out)" = "$6" ] && grep -q "^rule .* \"$7\"\$" out; } ||
        fail "$1: $2 of $3 ranks, $4 per node, $5 bytes: not $6 by \"$7\""
}
cell theta alltoall 512 64 64 'bruck radix=23' 'radix near sqrt(P)'
cell theta alltoall 4096 64 1K 'bruck radix=64' 'radix near sqrt(P)'
cell theta alltoall 4096 64 63 native rest
cell theta alltoall 4096 64 1025 native rest
cell theta alltoall 8192 64 512 native rest
cell theta alltoallv 256 64 128 'padded-bruck radix=2' 'padded, few ranks'
cell theta alltoallv 256 64 129 two-phase-bruck two-phase
cell theta alltoallv 1024 64 16 'padded-bruck radix=2' 'padded, tiny'
cell theta alltoallv 2048 64 16 two-phase-bruck two-phase
cell theta alltoallv 32768 64 2K two-phase-bruck two-phase
cell theta alltoallv 32768 64 2049 native rest
cell theta alltoallv 1024 32 512 native rest
batch='batch_size=32 metadata=fused'
cell polaris alltoall 1024 32 512 native 'not measured'
cell polaris alltoallv 8192 32 1K 'node-pair leaders=32 fragment=1G' 'predicted: node-pair'
cell polaris alltoallv 8192 32 2K "parlinna-coalesced radix=6 $batch" 'coalesced, middle'
cell polaris alltoallv 8192 32 2049 native rest
cell polaris alltoallv 256 32 16 'node-pair leaders=32 fragment=1G' 'predicted: node-pair'
cell polaris alltoallv 96 32 16 native rest
cell polaris alltoallv 1024 4 16 native rest
cell fugaku alltoall 1024 32 512 native 'not measured'
cell fugaku alltoallv 4096 32 1K 'node-pair leaders=32 fragment=1G' 'predicted: node-pair'
cell fugaku alltoallv 16384 32 16 'node-pair leaders=32 fragment=1G' 'predicted: node-pair'
cell fugaku alltoallv 256 32 16 'node-pair leaders=32 fragment=1G' 'predicted: node-pair'
cell fugaku alltoallv 4096 32 8K "parlinna-coalesced radix=6 $batch" 'coalesced, middle'
cell fugaku alltoallv 4096 32 16K 'parlinna-staggered radix=6 batch_size=2 metadata=fused' \
    'staggered, long'
cell fugaku alltoallv 1024 32 16K 'parlogna radix=32 batch_size=1023 metadata=fused' \
    'parlogna, long'
cell fugaku alltoallv 16384 32 8K "parlinna-coalesced radix=6 $batch" 'coalesced, middle'
cell fugaku alltoallv 16384 32 16K native rest # for want of memory
cell fugaku alltoallv 32768 32 16 native rest
cell fugaku alltoallv 4128 48 16 native rest
finish_checks
