# SPDX-License-Identifier: BSD-3-Clause
# Includes nothing of ours.
noinst_LIBRARIES += src/libbase.a
src_libbase_a_SOURCES = src/base/clock.c src/base/clock.h src/base/environment.c src/base/environment.h src/base/notice.c \
	src/base/notice.h src/base/arithmetic.c src/base/arithmetic.h src/base/output.c src/base/output.h src/base/room.c \
	src/base/room.h src/base/hash.h src/base/growth.c src/base/growth.h \
	src/base/size.c src/base/size.h src/base/thread.c src/base/thread.h
