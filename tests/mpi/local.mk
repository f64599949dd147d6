# Tests under mpiexec. The programs know nothing of Shunt; they are built by MPICH's wrapper and run with the library preloaded.
mpi_flags = $(SHUNT_CFLAGS) $(CFLAGS) -std=c11 -D_GNU_SOURCE -pthread
mpi_build = $(AM_V_GEN)$(MKDIR_P) tests/mpi && $(MPICC) $(mpi_flags) -o $@
mpi_programs = tests/mpi/matrix tests/mpi/pairs
mpi_scripts = tests/mpi/matrix.sh

check_DATA += $(mpi_programs)
TESTS += $(mpi_scripts)
CLEANFILES += $(mpi_programs)
EXTRA_DIST += $(mpi_scripts) tests/mpi/common.sh

mpi_matrix = tests/mpi/matrix.c tests/mpi/matrix_types.c tests/mpi/matrix_buffers.c tests/mpi/matrix_cases.c tests/mpi/pairwise.c
mpi_matrix_headers = tests/mpi/matrix.h tests/mpi/pairwise.h
EXTRA_DIST += $(mpi_matrix) $(mpi_matrix_headers)
tests/mpi/matrix: $(mpi_matrix) $(mpi_matrix_headers)
	$(mpi_build) $(mpi_matrix:%=$(srcdir)/%)

EXTRA_DIST += tests/mpi/pairs.c
tests/mpi/pairs: tests/mpi/pairs.c tests/mpi/pairwise.c tests/mpi/pairwise.h
	$(mpi_build) $(srcdir)/tests/mpi/pairs.c $(srcdir)/tests/mpi/pairwise.c
