# SPDX-License-Identifier: BSD-3-Clause
# The sample of "Adding an algorithm" (CONTRIBUTING.md): the file ring.c and a list with a line
# more. Everything else is what the product is made of; a library, the command and the simulation
# with that row, for the tests alone.
check_LIBRARIES += tests/sample/libschedule.a
check_PROGRAMS += tests/sample/back_end.so
tests_sample_libschedule_a_SOURCES = tests/sample/ring.c src/algorithms/registry.c \
	tests/sample/algorithms/list.h
# A symbol of its own: whoever follows the recipe has a ring.c in src/algorithms as well.
tests_sample_libschedule_a_CPPFLAGS = -I$(top_srcdir)/tests/sample $(AM_CPPFLAGS) \
	-Dshunt_algorithm_ring=shunt_algorithm_sample_ring

# Of lists of archives, with that row.
sample_route_archives = $(route_archives:src/libschedule.a=tests/sample/libschedule.a)
sample_shunt_libs = $(src_shunt_LDADD:src/libschedule.a=tests/sample/libschedule.a)

tests_sample_back_end_so_SOURCES = $(back_end_sources)
tests_sample_back_end_so_CPPFLAGS = $(core_CPPFLAGS)
tests_sample_back_end_so_LDADD = $(core) $(sample_route_archives) -lm
tests_sample_back_end_so_LDFLAGS = $(back_end_flags)
tests_sample_back_end_so_DEPENDENCIES = $(core) $(route_archives) tests/sample/libschedule.a
check_DATA += tests/sample/library/libshunt.so
tests/sample/library/libshunt.so: src/libshunt.so tests/sample/back_end.so
	$(MKDIR_P) $(@D)
	cp -f src/libshunt.so $@.new
	cp -f tests/sample/back_end.so $@.back
	mv -f $@.back $(@D)/shunt-$(mpi_abi).so
	mv -f $@.new $@
CLEANFILES += tests/sample/library/libshunt.so tests/sample/library/shunt-$(mpi_abi).so

check_PROGRAMS += tests/sample/shunt
tests_sample_shunt_SOURCES =
tests_sample_shunt_LDADD = $(src_shunt_OBJECTS) $(sample_shunt_libs)
tests_sample_shunt_DEPENDENCIES = src/shunt tests/sample/libschedule.a

if HAVE_CMOCKA
check_PROGRAMS += tests/sample/test_schedule
endif
tests_sample_test_schedule_SOURCES =
tests_sample_test_schedule_LDADD = $(tests_unit_test_schedule_OBJECTS) \
	tests/sample/libschedule.a src/librows.a $(base_libs) -lcmocka
tests_sample_test_schedule_DEPENDENCIES = $(tests_unit_test_schedule_OBJECTS) \
	tests/sample/libschedule.a

TESTS += tests/sample/test_ring.sh
EXTRA_DIST += tests/sample/test_ring.sh
