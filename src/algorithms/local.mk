# SPDX-License-Identifier: BSD-3-Clause
# One file per algorithm: a new one is named here and in list.h. No MPI.
src_librows_a_SOURCES += \
	src/algorithms/native.c src/algorithms/spread_out.c src/algorithms/scattered.c \
	src/algorithms/pairwise.c src/algorithms/linear.c \
	src/algorithms/exclusive_or.c src/algorithms/bruck.c src/algorithms/bruck_rotated.c \
	src/algorithms/bruck_zero_copy.c \
	src/algorithms/two_phase_bruck.c src/algorithms/sloav.c src/algorithms/padded.c \
	src/algorithms/parlogna.c \
	src/algorithms/parlinna.c src/algorithms/parlinna_shared.c \
	src/algorithms/shared_segment.c src/algorithms/peer_read.c \
	src/algorithms/node_pair.c src/algorithms/node_bruck.c \
	src/algorithms/algorithm.c src/algorithms/algorithm.h src/algorithms/operation.h \
	src/algorithms/formula.c src/algorithms/formula.h src/algorithms/parameter.c \
	src/algorithms/parameter.h \
	src/algorithms/memory.c src/algorithms/memory.h src/algorithms/rows.h \
	src/algorithms/lengths.h src/algorithms/list.h

# The list is apart from what it names: tests build it with a row more (tests/sample).
src_libschedule_a_SOURCES = src/algorithms/registry.c src/algorithms/registry.h
