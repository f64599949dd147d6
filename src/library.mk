# SPDX-License-Identifier: BSD-3-Clause
# What routes a call, for libshunt.so and for the measuring program, which add src/libschedule.la:
# neither linked with MPI nor with libconfig.
noinst_LTLIBRARIES += src/libcore.la
src_libcore_la_SOURCES = \
	src/pmpi/pmpi.c src/pmpi/pmpi.h src/pmpi/version.c src/pmpi/version.h \
	src/communicator/comm.c src/communicator/comm.h src/communicator/lifetime.c \
	src/communicator/lifetime.h \
	src/communicator/states.c src/communicator/states.h \
	src/communicator/warm_up.c src/communicator/warm_up.h src/communicator/setup.c \
	src/communicator/setup.h \
	src/communicator/setup_cost.c src/communicator/setup_cost.h \
	src/communicator/decisions.c src/communicator/decisions.h \
	src/communicator/lessons.c src/communicator/lessons.h src/communicator/learned.c \
	src/communicator/learned.h src/communicator/arms.c src/communicator/arms.h \
	src/communicator/arm_order.c src/communicator/arm_order.h src/communicator/windows.c \
	src/communicator/windows.h src/communicator/verdicts.c src/communicator/verdicts.h \
	src/communicator/context.c src/communicator/context.h src/communicator/make_context.c \
	src/communicator/make_context.h src/communicator/records.c src/communicator/collective.c \
	src/communicator/collective.h \
	src/communicator/clocks.c src/communicator/clocks.h src/communicator/journal.c \
	src/communicator/journal.h src/communicator/recurrence.c src/communicator/recurrence.h \
	src/communicator/adapt.c src/communicator/adapt.h \
	src/communicator/agree.c src/communicator/agree.h src/communicator/watch.c src/communicator/wait.h \
	src/communicator/wait.c src/communicator/signal.c \
	src/communicator/node.c src/communicator/node.h src/communicator/barrier.c \
	src/communicator/barrier.h \
	src/communicator/segment.c src/communicator/segment.h src/communicator/segment_header.h \
	src/communicator/areas.c src/communicator/areas.h src/communicator/pieces.c \
	src/communicator/alone.c src/communicator/alone.h \
	src/communicator/shown.c src/communicator/errors.c src/communicator/errors.h \
	src/communicator/group.c src/communicator/group.h \
	src/communicator/seats.c src/communicator/seats.h \
	src/communicator/identity.c src/communicator/identity.h src/communicator/process.c \
	src/communicator/process.h \
	src/communicator/start.c src/communicator/start.h \
	src/communicator/tables.c src/communicator/tables.h src/communicator/tags.c \
	src/communicator/tags.h \
	src/communicator/device.c src/communicator/device.h src/communicator/trace.h \
	src/communicator/agreement.h src/communicator/doubling.h src/communicator/shared.h \
	src/execute/exchange.h src/execute/native.c src/execute/type.c src/execute/validity.c \
	src/execute/blocks.c src/execute/blocks.h src/execute/plan.c src/execute/plan.h \
	src/execute/plan_cache.c \
	src/execute/plan_cache.h src/execute/reserve.c src/execute/executor.c src/execute/executor.h \
	src/execute/forward_plan.c src/execute/forward_state.h src/execute/bundle_plan.c \
	src/execute/share_state.c src/execute/share_state.h src/execute/area.c src/execute/area.h \
	src/execute/messages.c src/execute/messages.h \
	src/execute/direct.c src/execute/direct.h src/execute/forward.c src/execute/fused.c \
	src/execute/padded.c \
	src/execute/datatype.c \
	src/execute/bundle.c src/execute/bundle.h src/execute/bundle_run.h \
	src/execute/bundle_messages.c src/execute/collect.c src/execute/peer_read.c \
	src/intercept/dispatch.c src/intercept/intercept.h src/intercept/counts.c src/intercept/counts.h \
	src/intercept/trial.c src/intercept/trial.h src/intercept/record.c \
	src/intercept/record.h src/intercept/verify.c src/intercept/witness.c \
	src/intercept/witness.h
src_libcore_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
src_libcore_la_LIBADD = src/libroute.la src/liblog.la src/libbase.la

# libshunt.so: the same behind MPI's names, preloaded.
lib_LTLIBRARIES += src/libshunt.la
src_libshunt_la_SOURCES = src/intercept/entry.c src/intercept/entry.h src/intercept/ahead.c \
	src/intercept/passthrough.c src/intercept/loaded.c
src_libshunt_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
src_libshunt_la_LIBADD = src/libcore.la src/libschedule.la
src_libshunt_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,now -Wl,-z,nodelete \
	-Wl,--version-script=$(srcdir)/src/intercept/libshunt.map
src_libshunt_la_DEPENDENCIES = src/libcore.la src/libschedule.la \
	$(srcdir)/src/intercept/libshunt.map
EXTRA_DIST += src/intercept/libshunt.map
