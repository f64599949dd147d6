# SPDX-License-Identifier: BSD-3-Clause
# Unmodified programs under the preloaded library. Each script says why it skips.

# Helper for programs over TCP (scripts/testbed).
check_PROGRAMS += tests/preload/libshuntleave.so
tests_preload_libshuntleave_so_SOURCES = tests/preload/leave.c
tests_preload_libshuntleave_so_LDFLAGS = $(shared_flags)

# Programs and a plugin that know nothing of Shunt. MPICH_CC and OMPI_CC make the wrapper use the
# compiler of this build.
preload_compile = $(AM_V_CC)$(MKDIR_P) tests/preload && MPICH_CC='$(CC)' OMPI_CC='$(CC)' $(MPICC) -std=c11 -D_GNU_SOURCE $(SHUNT_CFLAGS) $(CFLAGS)
preload_sources = tests/preload/exchange.c tests/preload/plain.c tests/preload/plugin.c
preload_headers = tests/preload/exchange.h tests/preload/plugin.h
preload_binaries = tests/preload/plain tests/preload/plugin.so
check_DATA += $(preload_binaries)
CLEANFILES += $(preload_binaries)

tests/preload/plain: tests/preload/plain.c tests/preload/exchange.c tests/preload/exchange.h
	$(preload_compile) -o $@ $(srcdir)/tests/preload/plain.c $(srcdir)/tests/preload/exchange.c
# -O2: the call in plugin_exchange must become a jump, whatever the flags of this build.
tests/preload/plugin.so: tests/preload/plugin.c tests/preload/exchange.c $(preload_headers)
	$(preload_compile) -O2 -fPIC -shared -o $@ $(srcdir)/tests/preload/plugin.c \
	$(srcdir)/tests/preload/exchange.c

check_PROGRAMS += tests/preload/host
tests_preload_host_SOURCES = tests/preload/host.c tests/preload/plugin.h

preload_scripts = tests/preload/innocents.sh tests/preload/symbols.sh \
	tests/preload/plugin.sh tests/preload/children.sh \
	tests/preload/no_libconfig.sh tests/preload/search.sh tests/preload/open_mpi.sh tests/preload/which_abi.sh tests/preload/stand_in.sh \
	tests/preload/mpi4py.sh tests/preload/start.sh tests/preload/run.sh \
	tests/preload/past.sh tests/preload/summary.sh tests/preload/report.sh
TESTS += $(preload_scripts)
EXTRA_DIST += $(preload_scripts) $(preload_sources) $(preload_headers) tests/preload/common.sh \
	tests/preload/abi_library.c tests/preload/abi_world.c tests/preload/abi_names.c tests/preload/abi_program.c tests/preload/abi_told.c
