# SPDX-License-Identifier: BSD-3-Clause
# Pure arithmetic: no MPI.
noinst_LTLIBRARIES += src/librows.la src/libschedule.la
src_librows_la_SOURCES = \
	src/schedule/layout.c src/schedule/layout.h \
	src/schedule/schedule.c src/schedule/schedule.h \
	src/schedule/radix.c src/schedule/radix.h \
	src/schedule/bundle.c src/schedule/bundle.h \
	src/schedule/arena.c src/schedule/arena.h
