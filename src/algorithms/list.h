/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * list.h: the algorithms, one per line, by the names of their rows; whoever includes this says what
 * ALGORITHM(name) stands for. No include guard: it is read once per meaning. The order is part of
 * what ranks must have in common: new ones come last.
 */
ALGORITHM(native)
ALGORITHM(spread_out)
ALGORITHM(scattered)
ALGORITHM(pairwise)
ALGORITHM(linear)
ALGORITHM(exclusive_or)
ALGORITHM(bruck)
ALGORITHM(bruck_basic)
ALGORITHM(bruck_modified)
ALGORITHM(bruck_basic_dt)
ALGORITHM(bruck_modified_dt)
ALGORITHM(bruck_zero_copy)
ALGORITHM(two_phase_bruck)
ALGORITHM(sloav)
ALGORITHM(padded_bruck)
ALGORITHM(padded_alltoall)
ALGORITHM(parlogna)
ALGORITHM(parlinna_coalesced)
ALGORITHM(parlinna_staggered)
ALGORITHM(parlinna_shared)
ALGORITHM(shared_segment)
ALGORITHM(peer_read)
ALGORITHM(node_pair)
ALGORITHM(node_bruck)
