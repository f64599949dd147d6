# SPDX-License-Identifier: BSD-3-Clause
# Real applications: unmodified MPI programs that run natively and under the preload, and must
# give the same answers.
# They are built with the wrapper of the MPI library, as users would build them; MPICH_CC and OMPI_CC
# make it use the compiler of this build.
app_compile = MPICH_CC='$(CC)' OMPI_CC='$(CC)' $(MPICC) -std=c11 $(DEFS) $(AM_CPPFLAGS) $(CPPFLAGS) $(AM_CFLAGS) $(CFLAGS) $(LDFLAGS)
# -w: these bindings pass buffers of any type to interfaces without types, about which gfortran
# warns.
app_fortran = $(MPIF90) -O1 -w

app_binaries = tests/apps/paths tests/apps/points
if HAVE_FFTW
app_binaries += tests/apps/fft
endif
if HAVE_FORTRAN
app_binaries += tests/apps/fortran_mpifh tests/apps/fortran_usempi tests/apps/fortran_f08
endif

# What programs share is compiled with each.
app_shuffle = tests/apps/shuffle.c tests/apps/shuffle.h tests/apps/pairs.h tests/apps/options.c \
	tests/apps/options.h
app_shuffle_sources = $(srcdir)/tests/apps/shuffle.c $(srcdir)/tests/apps/options.c
app_paths = tests/apps/paths.c tests/apps/graph.c tests/apps/graph.h tests/apps/graph_make.c
app_points = tests/apps/points.c tests/apps/facts.c tests/apps/facts.h tests/apps/facts_make.c

tests/apps/paths: $(app_paths) $(app_shuffle)
	$(AM_V_CC)$(MKDIR_P) tests/apps && $(app_compile) -o $@ $(srcdir)/tests/apps/paths.c \
	$(srcdir)/tests/apps/graph.c $(srcdir)/tests/apps/graph_make.c $(app_shuffle_sources) -lm
tests/apps/points: $(app_points) $(app_shuffle)
	$(AM_V_CC)$(MKDIR_P) tests/apps && $(app_compile) -o $@ $(srcdir)/tests/apps/points.c \
	$(srcdir)/tests/apps/facts.c $(srcdir)/tests/apps/facts_make.c $(app_shuffle_sources)
tests/apps/fft: tests/apps/fft.c
	$(AM_V_CC)$(MKDIR_P) tests/apps && $(app_compile) -o $@ $(srcdir)/tests/apps/fft.c -lfftw3 -lm
tests/apps/fortran_mpifh: tests/apps/fortran_mpifh.f
	$(AM_V_FC)$(MKDIR_P) tests/apps && $(app_fortran) -o $@ $(srcdir)/tests/apps/fortran_mpifh.f
tests/apps/fortran_usempi: tests/apps/fortran_usempi.f90
	$(AM_V_FC)$(MKDIR_P) tests/apps && $(app_fortran) -o $@ $(srcdir)/tests/apps/fortran_usempi.f90
tests/apps/fortran_f08: tests/apps/fortran_f08.f90
	$(AM_V_FC)$(MKDIR_P) tests/apps && $(app_fortran) -o $@ $(srcdir)/tests/apps/fortran_f08.f90

app_tests = tests/apps/test_paths.sh tests/apps/test_points.sh \
	tests/apps/test_applications.sh \
	tests/apps/test_fft.sh tests/apps/test_fortran.sh
TESTS += $(app_tests)
check_DATA += $(app_binaries)
CLEANFILES += $(app_binaries)
EXTRA_DIST += $(app_tests) tests/apps/common.sh tests/data/debian-deps.edges \
	$(app_paths) $(app_points) $(app_shuffle) tests/apps/fft.c \
	tests/apps/fortran_mpifh.f tests/apps/fortran_usempi.f90 tests/apps/fortran_f08.f90

AM_V_FC = $(AM_V_FC_@AM_V@)
AM_V_FC_ = $(AM_V_FC_@AM_DEFAULT_V@)
AM_V_FC_0 = @echo "  FC      " $@;
AM_V_FC_1 =
