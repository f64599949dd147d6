# SPDX-License-Identifier: BSD-3-Clause
dist_pkgdata_DATA += src/log/log.schema.json
noinst_LIBRARIES += src/liblog.a
src_liblog_a_SOURCES = \
	src/log/log.c src/log/log.h src/log/record.h \
	src/log/clock.c src/log/clock.h \
	src/log/event.c src/log/event.h \
	src/log/guard.c src/log/guard.h \
	src/log/json.c src/log/json.h src/log/keys.h \
	src/log/line.c src/log/line.h \
	src/log/output.c src/log/output.h src/log/pattern.c \
	src/log/passed.c src/log/passed.h \
	src/log/columns.c src/log/columns.h \
	src/log/elapsed.c src/log/elapsed.h \
	src/log/estimate.c src/log/estimate.h \
	src/log/rows.c src/log/rows.h \
	src/log/sizes.c src/log/sizes.h \
	src/log/summary_human.c \
	src/log/summary_json.c \
	src/log/say.c \
	src/log/set.c src/log/set.h \
	src/log/site.c src/log/site.h \
	src/log/summary.c src/log/summary.h src/log/suggestion.c src/log/suggestion.h src/log/left.c src/log/left.h \
	src/log/verdict.c \
	src/log/text.c src/log/text.h
