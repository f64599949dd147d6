# SPDX-License-Identifier: BSD-3-Clause
# What routes a call, once for each ABI, with an mpi.h of our own: neither linked with MPI nor with
# libconfig. Back ends are made of it, and so are the programs that measure, which are linked with
# the MPI that configure has found: $(core) is that of its ABI.
core = src/libcore-@mpi_abi@.a
core_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src/pmpi/@mpi_abi@
noinst_LIBRARIES += src/libcore-mpich.a src/libcore-standard.a src/libcore-open-mpi.a
core_sources = \
	src/pmpi/library.c src/pmpi/library.h src/pmpi/pmpi.c src/pmpi/pmpi.h src/pmpi/functions.h \
	src/pmpi/version.c src/pmpi/version.h \
	src/comm/comm.c src/comm/comm.h src/comm/lifetime.c \
	src/comm/lifetime.h \
	src/comm/states.c src/comm/states.h \
	src/comm/warm_up.c src/comm/warm_up.h src/comm/setup.c \
	src/comm/setup.h src/comm/named.c src/comm/named.h \
	src/comm/setup_cost.c src/comm/setup_cost.h \
	src/comm/decisions.c src/comm/decisions.h \
	src/comm/learning.h src/learn/learn.c src/learn/learn.h src/learn/learn_candidates.c src/learn/learn_candidates.h \
	src/learn/learn_guard.c src/learn/learn_guard.h \
	src/learn/lessons.c src/learn/lessons.h src/learn/learned_file.c \
	src/learn/learned_file.h src/learn/candidates.c src/learn/candidates.h \
	src/learn/candidate_order.c src/learn/candidate_order.h src/learn/windows.c \
	src/learn/windows.h src/learn/verdicts.c src/learn/verdicts.h \
	src/comm/team.c src/comm/team.h src/comm/make_team.c \
	src/comm/make_team.h src/comm/records.c src/comm/collective.c \
	src/comm/collective.h \
	src/comm/clocks.c src/comm/clocks.h src/comm/comm_log.c \
	src/comm/comm_log.h src/comm/recurrence.c src/comm/recurrence.h \
	src/comm/adapt.c src/comm/adapt.h \
	src/comm/agree.c src/comm/agree.h src/comm/watch.c src/comm/wait.h \
	src/comm/wait.c src/shm/signal.c src/shm/signal.h \
	src/comm/node.c src/comm/node.h src/comm/node_areas.c src/comm/node_control.h src/shm/barrier.c \
	src/shm/barrier.h \
	src/shm/segment.c src/shm/segment.h src/shm/segment_header.h \
	src/shm/areas.c src/shm/areas.h src/shm/pieces.c \
	src/process/alone.c src/process/alone.h \
	src/shm/shown.c src/process/errors.c src/process/errors.h \
	src/process/group.c src/process/group.h \
	src/process/imports.c src/process/imports.h \
	src/process/seats.c src/process/seats.h \
	src/process/identity.c src/process/identity.h src/process/process.c \
	src/process/process.h \
	src/process/start.c src/process/start.h \
	src/process/tables.c src/process/tables.h src/comm/tags.c \
	src/comm/tags.h \
	src/process/device.c src/process/device.h src/comm/trace.h \
	src/shm/agreement.h src/shm/doubling.h src/shm/shared.h \
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
	src/execute/bundle_messages.c src/execute/parlinna_shared.c src/execute/peer_read.c \
	src/intercept/dispatch.c src/intercept/carry_out.c src/intercept/carry_out.h src/intercept/intercept.h src/intercept/counts.c src/intercept/counts.h \
	src/intercept/trial.c src/intercept/trial.h src/intercept/record.c \
	src/intercept/record.h src/intercept/verify.c
src_libcore_mpich_a_SOURCES = $(core_sources) src/pmpi/mpich/mpi.h
src_libcore_mpich_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src/pmpi/mpich
src_libcore_standard_a_SOURCES = $(core_sources) src/pmpi/standard/mpi.h
src_libcore_standard_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src/pmpi/standard
src_libcore_open_mpi_a_SOURCES = $(core_sources) src/pmpi/open-mpi/mpi.h
src_libcore_open_mpi_a_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src/pmpi/open-mpi

# A back end for each ABI: the same behind one symbol. Installed in the folder "shunt" beside
# libshunt.so.
module_PROGRAMS += src/shunt-mpich.so src/shunt-standard.so src/shunt-open-mpi.so
back_end_sources = src/intercept/back_end.c src/intercept/entry.c src/intercept/entry.h \
	src/intercept/passthrough.c src/pmpi/back_end.h
back_end_map = $(srcdir)/src/intercept/back_end.map
back_end_flags = $(resident_flags) -Wl,--version-script=$(back_end_map)
EXTRA_DIST += src/intercept/back_end.map
src_shunt_mpich_so_SOURCES = $(back_end_sources)
src_shunt_mpich_so_CPPFLAGS = $(src_libcore_mpich_a_CPPFLAGS)
src_shunt_mpich_so_LDADD = src/libcore-mpich.a $(route_libs)
src_shunt_mpich_so_LDFLAGS = $(back_end_flags)
src_shunt_mpich_so_DEPENDENCIES = src/libcore-mpich.a $(route_archives) $(back_end_map)
src_shunt_standard_so_SOURCES = $(back_end_sources)
src_shunt_standard_so_CPPFLAGS = $(src_libcore_standard_a_CPPFLAGS)
src_shunt_standard_so_LDADD = src/libcore-standard.a $(route_libs)
src_shunt_standard_so_LDFLAGS = $(back_end_flags)
src_shunt_standard_so_DEPENDENCIES = src/libcore-standard.a $(route_archives) $(back_end_map)
src_shunt_open_mpi_so_SOURCES = $(back_end_sources)
src_shunt_open_mpi_so_CPPFLAGS = $(src_libcore_open_mpi_a_CPPFLAGS)
src_shunt_open_mpi_so_LDADD = src/libcore-open-mpi.a $(route_libs)
src_shunt_open_mpi_so_LDFLAGS = $(back_end_flags)
src_shunt_open_mpi_so_DEPENDENCIES = src/libcore-open-mpi.a $(route_archives) $(back_end_map)

# libshunt.so: the front, which is preloaded. Programs are what make calls it: it is linked by the
# compiler alone, as all shared objects here are.
shuntlibdir = $(libdir)
shuntlib_PROGRAMS = src/libshunt.so
src_libshunt_so_SOURCES = src/front/front.c src/front/front.h src/front/open.c src/front/open.h \
	src/front/fortran.c src/front/duplicate.c src/front/witness.c \
	src/front/witness.h src/pmpi/library.c src/pmpi/library.h src/pmpi/back_end.h
src_libshunt_so_LDADD = $(base_libs)
src_libshunt_so_LDFLAGS = $(resident_flags) -Wl,--version-script=$(srcdir)/src/front/libshunt.map
src_libshunt_so_DEPENDENCIES = src/libbase.a $(srcdir)/src/front/libshunt.map
EXTRA_DIST += src/front/libshunt.map
