# SPDX-License-Identifier: BSD-3-Clause
# The sample of "Adding an algorithm" (CONTRIBUTING.md): the file ring.c and a list with a line
# more. Everything else is what the product is made of; a library, the command and the simulation
# with that row, for the tests alone.
check_LTLIBRARIES += tests/sample/libschedule.la tests/sample/back_end.la
tests_sample_libschedule_la_SOURCES = tests/sample/ring.c src/algorithms/registry.c \
	tests/sample/algorithms/list.h
tests_sample_libschedule_la_CPPFLAGS = -I$(top_srcdir)/tests/sample $(AM_CPPFLAGS)
tests_sample_libschedule_la_LIBADD = src/librows.la

# -rpath makes libtool build a module that is never installed.
tests_sample_back_end_la_SOURCES = $(back_end_sources)
tests_sample_back_end_la_CPPFLAGS = $(core_CPPFLAGS)
tests_sample_back_end_la_LIBADD = $(core) tests/sample/libschedule.la
tests_sample_back_end_la_LDFLAGS = $(back_end_flags) -rpath $(abs_builddir)/tests/sample
check_DATA += tests/sample/library/libshunt.so
tests/sample/library/libshunt.so: src/libshunt.la tests/sample/back_end.la
	$(MKDIR_P) $(@D)
	cp -f src/.libs/libshunt.so $@.new
	cp -f tests/sample/.libs/back_end.so $@.back
	mv -f $@.back $(@D)/shunt-$(mpi_abi).so
	mv -f $@.new $@
CLEANFILES += tests/sample/library/libshunt.so tests/sample/library/shunt-$(mpi_abi).so

check_PROGRAMS += tests/sample/shunt
tests_sample_shunt_SOURCES =
sample_shunt_libraries = src/libtune.la src/libmachine.la src/libbench.la src/libmodel.la src/liblogtool.la src/libimport.la src/libmatrix.la src/libtools.la src/libparse.la src/libroute.la \
	tests/sample/libschedule.la src/liblog.la src/libbase.la
tests_sample_shunt_LDADD = $(src_shunt_OBJECTS) $(sample_shunt_libraries) $(LIBCONFIG_LIBS)
tests_sample_shunt_DEPENDENCIES = $(src_shunt_OBJECTS) $(sample_shunt_libraries)

if HAVE_CMOCKA
check_PROGRAMS += tests/sample/test_schedule
endif
tests_sample_test_schedule_SOURCES =
tests_sample_test_schedule_LDADD = $(tests_unit_test_schedule_OBJECTS) \
	tests/sample/libschedule.la -lcmocka
tests_sample_test_schedule_DEPENDENCIES = $(tests_unit_test_schedule_OBJECTS) \
	tests/sample/libschedule.la

TESTS += tests/sample/test_ring.sh
EXTRA_DIST += tests/sample/test_ring.sh
