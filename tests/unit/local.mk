# Tests that need no MPI.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_schedule
TESTS += tests/unit/test_schedule
endif
tests_unit_test_schedule_SOURCES = tests/unit/test_schedule.c tests/unit/simulate.c tests/unit/simulate.h
tests_unit_test_schedule_LDADD = src/libschedule.la -lcmocka

# Tables, settings, decisions and the command (src/route, src/tools).
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_table tests/unit/test_force tests/unit/test_settings tests/unit/test_map tests/unit/test_parse
TESTS += tests/unit/test_table tests/unit/test_force tests/unit/test_settings tests/unit/test_map tests/unit/test_parse
endif
ROUTE_LIBS = src/libparse.la src/libroute.la src/libschedule.la
tests_unit_test_table_SOURCES = tests/unit/test_table.c
tests_unit_test_table_LDADD = src/libroute.la src/libschedule.la -lcmocka
tests_unit_test_force_SOURCES = tests/unit/test_force.c
tests_unit_test_force_LDADD = src/libroute.la src/libschedule.la -lcmocka
tests_unit_test_settings_SOURCES = tests/unit/test_settings.c
tests_unit_test_settings_LDADD = src/libroute.la src/libschedule.la -lcmocka
tests_unit_test_map_SOURCES = tests/unit/test_map.c
tests_unit_test_map_LDADD = $(ROUTE_LIBS) $(LIBCONFIG_LIBS) -lcmocka
tests_unit_test_parse_SOURCES = tests/unit/test_parse.c
tests_unit_test_parse_LDADD = $(ROUTE_LIBS) $(LIBCONFIG_LIBS) -lcmocka
