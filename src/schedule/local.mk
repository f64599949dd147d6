# SPDX-License-Identifier: BSD-3-Clause
# Pure arithmetic: no MPI.
noinst_LIBRARIES += src/librows.a src/libschedule.a
src_librows_a_SOURCES = \
	src/schedule/layout.c src/schedule/layout.h \
	src/schedule/schedule.c src/schedule/schedule.h \
	src/schedule/radix.c src/schedule/radix.h \
	src/schedule/bundle.c src/schedule/bundle.h \
	src/schedule/arena.c src/schedule/arena.h
