# SPDX-License-Identifier: BSD-3-Clause
# What every test finds in its environment. Scripts hand these to programs under other names or
# not at all: the library reports SHUNT_
# variables that it does not know.
if OPEN_MPI_LAUNCHER
# The tests speak to MPICH's launcher.
tests_mpiexec = OPEN_MPI_MPIEXEC='$(MPIEXEC)'; export OPEN_MPI_MPIEXEC; \
	MPIEXEC='$(abs_top_srcdir)/tests/open-mpi/mpiexec'; export MPIEXEC;
else
tests_mpiexec = MPIEXEC='$(MPIEXEC)'; export MPIEXEC;
endif
AM_TESTS_ENVIRONMENT = \
	SHUNT_LIB='$(abs_top_builddir)/src/libshunt.so'; export SHUNT_LIB; \
	SHUNT_YIELD='$(abs_top_builddir)/src/libshuntyield.so'; export SHUNT_YIELD; \
	$(tests_mpiexec) \
	MPICC='$(MPICC)'; export MPICC; \
	LIBCONFIG_CPPFLAGS='$(LIBCONFIG_CPPFLAGS)'; export LIBCONFIG_CPPFLAGS; \
	LIBCONFIG_LIBS='$(LIBCONFIG_LIBS)'; export LIBCONFIG_LIBS; \
	abs_top_srcdir='$(abs_top_srcdir)'; export abs_top_srcdir; \
	abs_top_builddir='$(abs_top_builddir)'; export abs_top_builddir;

# Tests that judge by time and need the machine for themselves; scripts/test runs them after the
# others, one by one.
tests_alone = tests/mpi/guard.sh tests/mpi/gain.sh tests/mpi/verdict.sh

include tests/unit/local.mk
include tests/mpi/local.mk
include tests/sample/local.mk
include tests/preload/local.mk
include tests/apps/local.mk
include tests/slurm/local.mk
include tests/bench/local.mk
include tests/faults/local.mk
EXTRA_DIST += tests/common.sh tests/shape.py tests/timed tests/open-mpi/mpiexec
