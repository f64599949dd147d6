# SPDX-License-Identifier: BSD-3-Clause
# What is linked with what: each list has a folder's archive and all that it needs, in the order in
# which the linker wants them. An archive has position-independent objects whose names are hidden
# (AM_CFLAGS), so programs and shared objects take the same ones.
base_libs = src/libbase.a -lm
schedule_libs = src/libschedule.a src/librows.a $(base_libs)
model_libs = src/libmodel.a $(schedule_libs)
log_libs = src/liblog.a $(base_libs)
table_archives = src/libtable.a src/libmodel.a src/libschedule.a src/librows.a src/liblog.a src/libbase.a
table_libs = $(table_archives) -lm
route_archives = src/libroute.a $(table_archives)
route_libs = src/libroute.a $(table_libs)
parse_libs = src/libparse.a $(route_libs) $(LIBCONFIG_LIBS)
tools_libs = src/libtools.a $(parse_libs)
bench_libs = src/libbench.a src/libmeasure.a src/libmatrix.a $(tools_libs)

# Shared objects; those in which calls of a program go on stay in the process.
shared_flags = -shared -Wl,-soname,$(@F)
resident_flags = $(shared_flags) -Wl,-z,now -Wl,-z,nodelete

include src/base/local.mk
include src/schedule/local.mk
include src/algorithms/local.mk
include src/events/local.mk
include src/model/local.mk
include src/route/local.mk
include src/log/local.mk
include src/tools/local.mk
include src/library.mk
include src/viewer/local.mk
EXTRA_DIST += src/tools/README.md src/front/README.md src/intercept/README.md src/execute/README.md \
	src/comm/README.md src/learn/README.md src/process/README.md src/shm/README.md src/route/README.md src/algorithms/README.md \
	src/events/README.md \
	src/schedule/README.md src/log/README.md src/pmpi/README.md src/base/README.md
