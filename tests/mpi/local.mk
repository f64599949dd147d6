# SPDX-License-Identifier: BSD-3-Clause
# Tests under mpiexec. The programs know nothing of Shunt; the wrapper of the MPI library builds them,
# with the compiler of this build.
mpi_build = $(AM_V_CC)$(MKDIR_P) tests/mpi && MPICH_CC='$(CC)' OMPI_CC='$(CC)' $(MPICC) -std=c11 -D_GNU_SOURCE -pthread $(SHUNT_CFLAGS) $(CFLAGS)
mpi_matrix = tests/mpi/matrix_types.o tests/mpi/matrix_buffers.o tests/mpi/matrix_call.o \
	tests/mpi/matrix_cases.o tests/mpi/pairwise.o
mpi_soak = tests/mpi/soak.c tests/mpi/soak_steps.c tests/mpi/soak_groups.c
mpi_headers = tests/mpi/soak.h tests/mpi/trace.h tests/mpi/matrix.h tests/mpi/pairwise.h \
	tests/mpi/exchange.h tests/mpi/transcript.h tests/mpi/inject.h tests/mpi/dawdle.h tests/mpi/mpi4.h
mpi_single = steady differ threads lifetimes churn alone device conformance_errors \
	conformance_truncation conformance_inter conformance_messages conformance_objects \
	conformance_lifecycle overlap progress shy sizes afterwards constant uneven faults freed \
	limited coincide many handlers farewell large astray comings turns towers traced lessons sparse struck reused leftovers crooked \
	refused leaves footprint forgetful trapping narrow
mpi_common = tests/mpi/exchange.o tests/mpi/transcript.o
mpi_parts = $(mpi_matrix) $(mpi_common)
mpi_preloads = tests/mpi/corrupt.so tests/mpi/ptracer.so tests/mpi/lose.so tests/mpi/tally.so tests/mpi/inject.so \
	tests/mpi/slow.so tests/mpi/sluggish.so tests/mpi/heavy.so tests/mpi/clockwork.so tests/mpi/stubborn.so \
	tests/mpi/doze.so tests/mpi/cards.so
mpi_programs = tests/mpi/matrix tests/mpi/first tests/mpi/soak tests/mpi/pairs tests/mpi/libcuda.so.1 tests/mpi/libze_loader.so.1 \
	$(mpi_preloads) $(mpi_single:%=tests/mpi/%)
mpi_scripts = tests/mpi/memory.sh tests/mpi/verify.sh tests/mpi/matrix.sh \
	tests/mpi/settings_differ.sh tests/mpi/forgetful.sh tests/mpi/trapping.sh tests/mpi/narrow.sh tests/mpi/tables_differ.sh tests/mpi/choice.sh tests/mpi/learn.sh tests/mpi/guard.sh tests/mpi/verdict.sh tests/mpi/communicators.sh \
	tests/mpi/missing_preload.sh tests/mpi/conformance.sh tests/mpi/device.sh \
	tests/mpi/shared.sh tests/mpi/memcheck.sh tests/mpi/bench.sh tests/mpi/testbed.sh \
	tests/mpi/lengths.sh tests/mpi/events.sh tests/mpi/inject.sh tests/mpi/inject_setup.sh tests/mpi/inject_learning.sh \
	tests/mpi/limits.sh tests/mpi/first.sh tests/mpi/first_calls.sh tests/mpi/many.sh tests/mpi/freed.sh tests/mpi/reused.sh \
	tests/mpi/farewell.sh tests/mpi/large.sh tests/mpi/counts.sh tests/mpi/log.sh \
	tests/mpi/sparse.sh tests/mpi/soak.sh tests/mpi/struck.sh tests/mpi/refused.sh tests/mpi/leaves.sh tests/mpi/scarce.sh tests/mpi/gain.sh tests/mpi/machine.sh tests/mpi/tune.sh

$(mpi_parts): tests/mpi/%.o: tests/mpi/%.c $(mpi_headers)
	$(mpi_build) -c -o $@ $(srcdir)/tests/mpi/$*.c

check_DATA += $(mpi_programs)
TESTS += $(mpi_scripts)
CLEANFILES += $(mpi_programs) $(mpi_parts)
EXTRA_DIST += $(mpi_scripts) $(mpi_parts:.o=.c) tests/mpi/matrix.c tests/mpi/first.c $(mpi_soak) $(mpi_headers) \
	$(mpi_single:%=tests/mpi/%.c) tests/mpi/pairs.c \
	tests/mpi/fakecuda.c tests/mpi/fakeze.c $(mpi_preloads:.so=.c) \
	tests/mpi/common.sh tests/mpi/log_check.py tests/mpi/injecting.sh tests/mpi/apart.sh tests/mpi/mpich.supp

$(mpi_single:%=tests/mpi/%): %: %.c $(mpi_common) $(mpi_headers)
	$(mpi_build) -o $@ $(srcdir)/$*.c $(mpi_common) $(LIBS) -lm
$(mpi_preloads): %.so: %.c $(mpi_headers)
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/$*.c
tests/mpi/matrix: tests/mpi/matrix.c $(mpi_matrix) $(mpi_headers)
	$(mpi_build) -o $@ $(srcdir)/tests/mpi/matrix.c $(mpi_matrix)
tests/mpi/first: tests/mpi/first.c $(mpi_matrix) $(mpi_headers)
	$(mpi_build) -o $@ $(srcdir)/tests/mpi/first.c $(mpi_matrix) $(LIBS)
tests/mpi/soak: $(mpi_soak) $(mpi_matrix) $(mpi_common) $(mpi_headers)
	$(mpi_build) -o $@ $(mpi_soak:%=$(srcdir)/%) $(mpi_matrix) $(mpi_common)
tests/mpi/pairs: tests/mpi/pairs.c tests/mpi/pairwise.o
	$(mpi_build) -o $@ $(srcdir)/tests/mpi/pairs.c tests/mpi/pairwise.o
tests/mpi/libcuda.so.1: tests/mpi/fakecuda.c
	$(mpi_build) -shared -fPIC -Wl,-soname,libcuda.so.1 -o $@ $(srcdir)/tests/mpi/fakecuda.c
tests/mpi/libze_loader.so.1: tests/mpi/fakeze.c
	$(mpi_build) -shared -fPIC -Wl,-soname,libze_loader.so.1 -o $@ $(srcdir)/tests/mpi/fakeze.c

# What events promise: reads the registry, needs no MPI.
check_PROGRAMS += tests/mpi/promised
tests_mpi_promised_SOURCES = tests/mpi/promised.c tests/mpi/event_lines.h
tests_mpi_promised_LDADD = $(route_libs)

# What really happens: a back end that keeps a trace, from the same sources, for the MPI that
# configure has found; beside it in a folder of its own the front.
check_PROGRAMS += tests/mpi/back_end_traced.so
tests_mpi_back_end_traced_so_SOURCES = $(core_sources) $(back_end_sources) tests/mpi/trace.c tests/mpi/trace.h \
	tests/mpi/event_lines.h
tests_mpi_back_end_traced_so_CPPFLAGS = $(core_CPPFLAGS) -DSHUNT_TRACE
tests_mpi_back_end_traced_so_LDADD = $(route_libs)
tests_mpi_back_end_traced_so_LDFLAGS = $(resident_flags)
check_DATA += tests/mpi/traced-library/libshunt.so
tests/mpi/traced-library/libshunt.so: src/libshunt.so tests/mpi/back_end_traced.so
	$(MKDIR_P) $(@D)
	cp -f src/libshunt.so $@.new
	cp -f tests/mpi/back_end_traced.so $@.back
	mv -f $@.back $(@D)/shunt-$(mpi_abi).so
	mv -f $@.new $@
CLEANFILES += tests/mpi/traced-library/libshunt.so tests/mpi/traced-library/shunt-$(mpi_abi).so
