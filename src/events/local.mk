# SPDX-License-Identifier: BSD-3-Clause
# What ranks do in a call, from schedules. No MPI.
src_librows_a_SOURCES += \
	src/events/events.c src/events/events.h src/events/build.h src/events/list.c \
	src/events/pieces.c src/events/family.c src/events/family.h src/events/nodes.c \
	src/events/ranks.c src/events/sizes.c src/events/sizes.h src/events/copies.c \
	src/events/copies.h src/events/carried.c src/events/carried.h src/events/moves.c \
	src/events/moves.h
