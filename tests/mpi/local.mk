# SPDX-License-Identifier: BSD-3-Clause
# Tests under mpiexec. The programs know nothing of Shunt; the wrapper of the MPI library builds them,
# with the compiler of this build.
mpi_build = $(AM_V_CC)$(MKDIR_P) tests/mpi && MPICH_CC='$(CC)' OMPI_CC='$(CC)' $(MPICC) -std=c11 -D_GNU_SOURCE -pthread $(SHUNT_CFLAGS) $(CFLAGS)
mpi_matrix = tests/mpi/matrix_types.o tests/mpi/matrix_buffers.o tests/mpi/matrix_call.o \
	tests/mpi/matrix_cases.o tests/mpi/pairwise.o
mpi_soak = tests/mpi/soak.c tests/mpi/soak_steps.c tests/mpi/soak_groups.c
mpi_headers = tests/mpi/soak.h tests/mpi/trace.h tests/mpi/matrix.h tests/mpi/pairwise.h \
	tests/mpi/exchange.h tests/mpi/transcript.h tests/mpi/inject.h tests/mpi/mpi4.h
mpi_single = steady differ threads lifetimes churn alone device conformance_errors \
	conformance_truncation conformance_inter conformance_messages conformance_objects \
	conformance_lifecycle overlap progress shy sizes afterwards constant uneven faults freed \
	limited coincide many handlers farewell large astray comings turns towers traced lessons sparse struck reused leftovers crooked \
	refused footprint forgetful trapping narrow
mpi_common = tests/mpi/exchange.o tests/mpi/transcript.o
mpi_parts = $(mpi_matrix) $(mpi_common)
mpi_programs = tests/mpi/matrix tests/mpi/first tests/mpi/soak tests/mpi/pairs tests/mpi/libcuda.so.1 tests/mpi/libze_loader.so.1 \
	tests/mpi/corrupt.so tests/mpi/ptracer.so tests/mpi/lose.so tests/mpi/tally.so \
	tests/mpi/inject.so tests/mpi/slow.so tests/mpi/sluggish.so tests/mpi/heavy.so tests/mpi/clockwork.so tests/mpi/stubborn.so $(mpi_single:%=tests/mpi/%)
mpi_scripts = tests/mpi/memory.sh tests/mpi/verify.sh tests/mpi/matrix.sh \
	tests/mpi/settings_differ.sh tests/mpi/forgetful.sh tests/mpi/trapping.sh tests/mpi/narrow.sh tests/mpi/tables_differ.sh tests/mpi/choice.sh tests/mpi/learn.sh tests/mpi/guard.sh tests/mpi/communicators.sh \
	tests/mpi/missing_preload.sh tests/mpi/conformance.sh tests/mpi/device.sh \
	tests/mpi/shared.sh tests/mpi/memcheck.sh tests/mpi/bench.sh tests/mpi/testbed.sh \
	tests/mpi/lengths.sh tests/mpi/events.sh tests/mpi/inject.sh tests/mpi/inject_setup.sh tests/mpi/inject_learning.sh \
	tests/mpi/limits.sh tests/mpi/first.sh tests/mpi/first_calls.sh tests/mpi/many.sh tests/mpi/freed.sh tests/mpi/reused.sh \
	tests/mpi/farewell.sh tests/mpi/large.sh tests/mpi/counts.sh tests/mpi/log.sh \
	tests/mpi/sparse.sh tests/mpi/soak.sh tests/mpi/struck.sh tests/mpi/refused.sh tests/mpi/scarce.sh tests/mpi/gain.sh tests/mpi/machine.sh tests/mpi/tune.sh

mpi_single_build = $(mpi_build) -o $@ $(srcdir)/$@.c $(mpi_common) $(LIBS)

mpi_part_build = $(mpi_build) -c -o $@ $(srcdir)/$(@:.o=.c)
tests/mpi/matrix_types.o: tests/mpi/matrix_types.c $(mpi_headers)
	$(mpi_part_build)
tests/mpi/matrix_buffers.o: tests/mpi/matrix_buffers.c $(mpi_headers)
	$(mpi_part_build)
tests/mpi/matrix_call.o: tests/mpi/matrix_call.c $(mpi_headers)
	$(mpi_part_build)
tests/mpi/matrix_cases.o: tests/mpi/matrix_cases.c $(mpi_headers)
	$(mpi_part_build)
tests/mpi/pairwise.o: tests/mpi/pairwise.c $(mpi_headers)
	$(mpi_part_build)
tests/mpi/exchange.o: tests/mpi/exchange.c $(mpi_headers)
	$(mpi_part_build)
tests/mpi/transcript.o: tests/mpi/transcript.c $(mpi_headers)
	$(mpi_part_build)

check_DATA += $(mpi_programs)
TESTS += $(mpi_scripts)
CLEANFILES += $(mpi_programs) $(mpi_parts)
EXTRA_DIST += $(mpi_scripts) $(mpi_parts:.o=.c) tests/mpi/matrix.c tests/mpi/first.c $(mpi_soak) $(mpi_headers) \
	$(mpi_single:%=tests/mpi/%.c) tests/mpi/pairs.c \
	tests/mpi/fakecuda.c tests/mpi/fakeze.c tests/mpi/corrupt.c tests/mpi/ptracer.c tests/mpi/lose.c \
	tests/mpi/tally.c tests/mpi/inject.c tests/mpi/slow.c tests/mpi/sluggish.c tests/mpi/heavy.c tests/mpi/clockwork.c tests/mpi/stubborn.c tests/mpi/dawdle.h \
	tests/mpi/common.sh tests/mpi/log_check.py tests/mpi/injecting.sh tests/mpi/apart.sh tests/mpi/mpich.supp

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
tests/mpi/lose.so: tests/mpi/lose.c
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/tests/mpi/lose.c

tests/mpi/inject.so: tests/mpi/inject.c tests/mpi/inject.h
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/tests/mpi/inject.c

tests/mpi/slow.so: tests/mpi/slow.c tests/mpi/dawdle.h
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/tests/mpi/slow.c
tests/mpi/sluggish.so: tests/mpi/sluggish.c tests/mpi/dawdle.h
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/tests/mpi/sluggish.c
tests/mpi/heavy.so: tests/mpi/heavy.c tests/mpi/dawdle.h
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/tests/mpi/heavy.c
tests/mpi/clockwork.so: tests/mpi/clockwork.c
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/tests/mpi/clockwork.c
tests/mpi/stubborn.so: tests/mpi/stubborn.c
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/tests/mpi/stubborn.c
tests/mpi/tally.so: tests/mpi/tally.c
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/tests/mpi/tally.c

tests/mpi/ptracer.so: tests/mpi/ptracer.c
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/tests/mpi/ptracer.c

tests/mpi/corrupt.so: tests/mpi/corrupt.c
	$(mpi_build) -shared -fPIC -o $@ $(srcdir)/tests/mpi/corrupt.c
tests/mpi/sparse: tests/mpi/sparse.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/towers: tests/mpi/towers.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/turns: tests/mpi/turns.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/comings: tests/mpi/comings.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/reused: tests/mpi/reused.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/freed: tests/mpi/freed.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/astray: tests/mpi/astray.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/steady: tests/mpi/steady.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build) -lm
tests/mpi/differ: tests/mpi/differ.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/threads: tests/mpi/threads.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/lifetimes: tests/mpi/lifetimes.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/churn: tests/mpi/churn.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/alone: tests/mpi/alone.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/device: tests/mpi/device.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/conformance_errors: tests/mpi/conformance_errors.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/conformance_truncation: tests/mpi/conformance_truncation.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/conformance_inter: tests/mpi/conformance_inter.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/conformance_messages: tests/mpi/conformance_messages.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/conformance_objects: tests/mpi/conformance_objects.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/conformance_lifecycle: tests/mpi/conformance_lifecycle.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/progress: tests/mpi/progress.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/sizes: tests/mpi/sizes.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/afterwards: tests/mpi/afterwards.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/leftovers: tests/mpi/leftovers.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/faults: tests/mpi/faults.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/constant: tests/mpi/constant.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/uneven: tests/mpi/uneven.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/shy: tests/mpi/shy.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/overlap: tests/mpi/overlap.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/lessons: tests/mpi/lessons.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/struck: tests/mpi/struck.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/limited: tests/mpi/limited.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/coincide: tests/mpi/coincide.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/many: tests/mpi/many.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/handlers: tests/mpi/handlers.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/farewell: tests/mpi/farewell.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/large: tests/mpi/large.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/trapping: tests/mpi/trapping.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build) -lm
tests/mpi/narrow: tests/mpi/narrow.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/forgetful: tests/mpi/forgetful.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/footprint: tests/mpi/footprint.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/crooked: tests/mpi/crooked.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)
tests/mpi/refused: tests/mpi/refused.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)

tests/mpi/traced: tests/mpi/traced.c $(mpi_common) $(mpi_headers)
	$(mpi_single_build)

# What events promise: reads the registry, needs no MPI.
check_PROGRAMS += tests/mpi/promised
tests_mpi_promised_SOURCES = tests/mpi/promised.c tests/mpi/event_lines.h
tests_mpi_promised_LDADD = src/libroute.la src/libschedule.la src/libbase.la

# What really happens: a back end that keeps a trace, from the same sources, for the MPI that
# configure has found; beside it in a folder of its own the front. -rpath makes libtool build a
# module that is never installed.
check_LTLIBRARIES += tests/mpi/back_end_traced.la
tests_mpi_back_end_traced_la_SOURCES = $(core_sources) $(back_end_sources) tests/mpi/trace.c tests/mpi/trace.h \
	tests/mpi/event_lines.h
tests_mpi_back_end_traced_la_CPPFLAGS = $(core_CPPFLAGS) -DSHUNT_TRACE
tests_mpi_back_end_traced_la_LIBADD = $(core_libraries) src/libschedule.la
tests_mpi_back_end_traced_la_LDFLAGS = -module -avoid-version -shared -Wl,-z,now -rpath \
	$(abs_builddir)/tests/mpi
check_DATA += tests/mpi/traced-library/libshunt.so
tests/mpi/traced-library/libshunt.so: src/libshunt.la tests/mpi/back_end_traced.la
	$(MKDIR_P) $(@D)
	cp -f src/.libs/libshunt.so $@.new
	cp -f tests/mpi/.libs/back_end_traced.so $@.back
	mv -f $@.back $(@D)/shunt-$(mpi_abi).so
	mv -f $@.new $@
CLEANFILES += tests/mpi/traced-library/libshunt.so tests/mpi/traced-library/shunt-$(mpi_abi).so
