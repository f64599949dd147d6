# SPDX-License-Identifier: BSD-3-Clause
# What a call costs on a described machine. No MPI, no libconfig, no libm.
noinst_LIBRARIES += src/libmodel.a
src_libmodel_a_SOURCES = \
	src/model/machine.c src/model/machine.h src/model/plausible.c src/model/plausible.h \
	src/model/cost.c src/model/cost.h src/model/native.c \
	src/model/program.c src/model/program.h src/model/match.c \
	src/model/symmetry.c src/model/symmetry.h \
	src/model/queue.c src/model/queue.h \
	src/model/run.c src/model/run.h src/model/run_state.h \
	src/model/run_messages.c src/model/run_processors.c src/model/run_record.c \
	src/model/trace.c src/model/trace.h \
	src/model/candidates.c src/model/candidates.h src/model/alike.c src/model/alike.h \
	src/model/bound.c src/model/bound.h \
	src/model/choose.c src/model/choose.h src/model/choosing.h \
	src/model/choose_known.c src/model/choose_bounds.c src/model/choose_predict.c \
	src/model/choose_look.c src/model/choose_ranges.c
# A product and a sum must round twice everywhere: processors that can do both in one instruction
# would choose other algorithms than the rest.
src_libmodel_a_CFLAGS = $(AM_CFLAGS) -ffp-contract=off
EXTRA_DIST += src/model/README.md
