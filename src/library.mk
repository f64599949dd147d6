# libshunt.so: preloaded, so neither linked with MPI nor with libconfig.
lib_LTLIBRARIES += src/libshunt.la
src_libshunt_la_SOURCES = \
	src/pmpi/pmpi.c src/pmpi/pmpi.h \
	src/communicator/comm.c src/communicator/comm.h src/communicator/setup.c src/communicator/process.c \
	src/communicator/tables.c src/communicator/agree.c src/communicator/wait.c src/communicator/device.c \
	src/algorithms/exchange.c src/algorithms/exchange.h src/algorithms/blocks.c src/algorithms/plan.c \
	src/algorithms/direct.c src/algorithms/forward.c src/algorithms/padded.c src/algorithms/datatype.c \
	src/intercept/entry.c src/intercept/entry.h src/intercept/dispatch.c src/intercept/intercept.h src/intercept/verify.c \
	src/intercept/passthrough.c
src_libshunt_la_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
src_libshunt_la_LIBADD = src/libroute.la src/libschedule.la src/liblog.la
src_libshunt_la_LDFLAGS = -module -avoid-version -shared -Wl,--version-script=$(srcdir)/src/intercept/libshunt.map
src_libshunt_la_DEPENDENCIES = src/libroute.la src/libschedule.la src/liblog.la $(srcdir)/src/intercept/libshunt.map
EXTRA_DIST += src/intercept/libshunt.map
