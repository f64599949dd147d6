# SPDX-License-Identifier: BSD-3-Clause
# Instructions that Shunt adds to a call; printed, not asserted.
EXTRA_DIST += tests/bench/results.txt tests/bench/papers.txt tests/bench/accuracy.txt tests/bench/learning.txt tests/bench/tune.txt \
	tests/bench/applications.txt tests/bench/mpis.txt tests/bench/instructions.txt tests/bench/soak.txt tests/bench/simulation.csv tests/bench/simulated-applications.csv \
	tests/bench/processor-per-rank/hosts.csv tests/bench/processor-per-rank/node-1.csv \
	tests/bench/processor-per-rank/node-2.csv tests/bench/processor-per-rank/hosts-2.csv \
	tests/bench/processor-per-rank/patterns.csv tests/bench/processor-per-rank/node.cfg tests/bench/processor-per-rank/hosts.cfg \
	tests/bench/simulation.txt tests/bench/overhead.c tests/bench/calls.c tests/bench/gain.c
CLEANFILES += tests/bench/overhead$(EXEEXT) tests/bench/calls$(EXEEXT)
tests/bench/overhead$(EXEEXT): tests/bench/overhead.c
	$(AM_V_CC)$(MKDIR_P) tests/bench && $(MPICC) -O2 -o $@ $(srcdir)/tests/bench/overhead.c

bench-overhead: src/libshunt.so $(module_PROGRAMS) tests/bench/overhead$(EXEEXT)
	$(tests_mpiexec) SHUNT_LIB=$(abs_builddir)/src/libshunt.so SHUNT_YIELD=$(abs_builddir)/src/libshuntyield.so \
	  SHUNT_OVERHEAD=$(abs_builddir)/tests/bench/overhead$(EXEEXT) $(srcdir)/scripts/bench-overhead
tests/bench/calls$(EXEEXT): tests/bench/calls.c
	$(AM_V_CC)$(MKDIR_P) tests/bench && $(MPICC) -O2 -g -o $@ $(srcdir)/tests/bench/calls.c

bench-instructions: src/libshunt.so $(module_PROGRAMS) src/shunt tests/bench/calls$(EXEEXT)
	@$(tests_mpiexec) SHUNT_LIB=$(abs_builddir)/src/libshunt.so SHUNT_YIELD=$(abs_builddir)/src/libshuntyield.so \
	  SHUNT=$(abs_builddir)/src/shunt SHUNT_CALLS=$(abs_builddir)/tests/bench/calls$(EXEEXT) CC='$(CC)' \
	  $(srcdir)/scripts/bench-instructions
.PHONY: bench-overhead bench-instructions

# What all-to-all costs whole programs (scripts/whole): a plain MPI program.
check_PROGRAMS += tests/bench/whole
tests_bench_whole_SOURCES = tests/bench/whole.c tests/bench/whole_options.c tests/bench/whole_options.h
tests_bench_whole_CPPFLAGS = -D_GNU_SOURCE $(MPI_CPPFLAGS)
tests_bench_whole_LDADD = $(MPI_LIBS)
TESTS += tests/bench/whole.sh
EXTRA_DIST += tests/bench/whole.sh
