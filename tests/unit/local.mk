# Tests that need no MPI.
if HAVE_CMOCKA
check_PROGRAMS += tests/unit/test_schedule
TESTS += tests/unit/test_schedule
endif
tests_unit_test_schedule_SOURCES = tests/unit/test_schedule.c tests/unit/simulate.c tests/unit/simulate.h
tests_unit_test_schedule_LDADD = src/libschedule.la -lcmocka

# The log.
if HAVE_CMOCKA
log_tests = tests/unit/test_log_lines tests/unit/test_log_files tests/unit/test_log_shared
check_PROGRAMS += $(log_tests)
TESTS += $(log_tests)
endif
log_child = tests/unit/log_child.c tests/unit/log_child.h tests/unit/json.c tests/unit/json.h
tests_unit_test_log_lines_SOURCES = tests/unit/test_log_lines.c tests/unit/json.c tests/unit/json.h
tests_unit_test_log_lines_LDADD = src/liblog.la -lcmocka
tests_unit_test_log_files_SOURCES = tests/unit/test_log_files.c $(log_child)
tests_unit_test_log_files_LDADD = src/liblog.la -lcmocka
tests_unit_test_log_shared_SOURCES = tests/unit/test_log_shared.c $(log_child)
tests_unit_test_log_shared_LDADD = src/liblog.la -lcmocka
# It counts allocations.
tests_unit_test_log_shared_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
