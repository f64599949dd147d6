# Tests that need no MPI.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_schedule
TESTS += tests/unit/test_schedule
endif
tests_unit_test_schedule_SOURCES = tests/unit/test_schedule.c tests/unit/simulate.c tests/unit/simulate.h
tests_unit_test_schedule_LDADD = src/libschedule.la -lcmocka
