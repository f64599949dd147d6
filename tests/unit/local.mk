# SPDX-License-Identifier: BSD-3-Clause
# Tests that need no MPI.
if HAVE_CMOCKA
unit_programs = tests/unit/test_schedule tests/unit/test_shapes tests/unit/test_radix \
	tests/unit/test_layout tests/unit/test_candidates tests/unit/test_model \
	tests/unit/test_model_run tests/unit/test_model_alike tests/unit/test_model_limits \
	tests/unit/test_family tests/unit/test_choose tests/unit/test_choose_margin \
	tests/unit/test_choose_bounds tests/unit/test_environment tests/unit/test_wait \
	tests/unit/test_segment tests/unit/test_barrier tests/unit/test_arithmetic \
	tests/unit/test_plan_cache tests/unit/test_agreement tests/unit/test_memory \
	tests/unit/test_notice tests/unit/test_output tests/unit/test_program tests/unit/test_version \
	tests/unit/test_table tests/unit/test_force tests/unit/test_settings tests/unit/test_bundle \
	tests/unit/test_map tests/unit/test_map_model tests/unit/test_map_time tests/unit/test_findings \
	tests/unit/test_coverage tests/unit/test_write tests/unit/test_parse tests/unit/test_files \
	tests/unit/test_search tests/unit/test_hostlist tests/unit/test_machine \
	tests/unit/test_machine_names tests/unit/test_json tests/unit/test_log_lines \
	tests/unit/test_log_events tests/unit/test_log_files tests/unit/test_log_failures \
	tests/unit/test_log_shared tests/unit/test_log_summary tests/unit/test_log_gain \
	tests/unit/test_learn tests/unit/test_learned tests/unit/test_forecast tests/unit/test_seats \
	tests/unit/test_recurrence tests/unit/test_adapt tests/unit/test_options tests/unit/test_measure \
	tests/unit/test_bench tests/unit/test_bench_rules tests/unit/test_machine_fit \
	tests/unit/test_machine_calibrate tests/unit/test_tune tests/unit/test_tune_files \
	tests/unit/test_simulate_copy tests/unit/test_sheet
check_PROGRAMS += $(unit_programs)
TESTS += $(unit_programs)
endif

# They alone: of a build with sanitizers (scripts/test).
.PHONY: check-unit
check-unit: $(unit_programs) $(machines_built)
	$(MAKE) $(AM_MAKEFLAGS) check-TESTS TESTS='$(unit_programs)'

radices = tests/unit/radices.c tests/unit/radices.h
tests_unit_test_schedule_SOURCES = tests/unit/test_schedule.c $(radices) tests/unit/simulate.c tests/unit/simulate.h
tests_unit_test_schedule_LDADD = $(schedule_libs) -lcmocka
tests_unit_test_shapes_SOURCES = tests/unit/test_shapes.c $(radices)
tests_unit_test_shapes_LDADD = $(schedule_libs) -lcmocka
tests_unit_test_radix_SOURCES = tests/unit/test_radix.c $(radices)
tests_unit_test_radix_LDADD = $(schedule_libs) -lcmocka
tests_unit_test_layout_SOURCES = tests/unit/test_layout.c
tests_unit_test_layout_LDADD = $(schedule_libs) -lcmocka

# What a call costs on a described machine.
tests_unit_test_candidates_SOURCES = tests/unit/test_candidates.c
tests_unit_test_candidates_LDADD = $(model_libs) -lcmocka
# What calls cost.
costs = tests/unit/costs.c tests/unit/costs.h $(radices)
tests_unit_test_model_SOURCES = tests/unit/test_model.c $(costs)
tests_unit_test_model_LDADD = $(model_libs) -lcmocka
messages = tests/unit/messages.c tests/unit/messages.h $(costs)
tests_unit_test_model_run_SOURCES = tests/unit/test_model_run.c $(messages)
tests_unit_test_model_run_LDADD = $(model_libs) -lcmocka
tests_unit_test_model_alike_SOURCES = tests/unit/test_model_alike.c $(messages)
tests_unit_test_model_alike_LDADD = $(model_libs) -lcmocka
tests_unit_test_model_limits_SOURCES = tests/unit/test_model_limits.c $(messages)
tests_unit_test_model_limits_LDADD = $(model_libs) -lcmocka
tests_unit_test_family_SOURCES = tests/unit/test_family.c
tests_unit_test_family_LDADD = $(model_libs) -lcmocka
# The choice by the model.
choices = tests/unit/choices.c tests/unit/choices.h
tests_unit_test_choose_SOURCES = tests/unit/test_choose.c $(choices)
tests_unit_test_choose_LDADD = $(model_libs) -lcmocka -lm
tests_unit_test_choose_margin_SOURCES = tests/unit/test_choose_margin.c $(choices)
tests_unit_test_choose_margin_LDADD = $(model_libs) -lcmocka -lm
tests_unit_test_choose_bounds_SOURCES = tests/unit/test_choose_bounds.c $(choices)
tests_unit_test_choose_bounds_LDADD = $(model_libs) -lcmocka -lm

# The environment.
tests_unit_test_environment_SOURCES = tests/unit/test_environment.c
tests_unit_test_environment_LDADD = $(base_libs) -lcmocka

# Waiting: the types of MPI, but no MPI library.
tests_unit_test_wait_SOURCES = tests/unit/test_wait.c src/comm/wait.c \
	src/comm/watch.c
# With the facts of MPICH, whatever configure has found.
tests_unit_test_wait_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src/pmpi/mpich
tests_unit_test_wait_LDADD = $(base_libs) -lcmocka
tests_unit_test_wait_LDFLAGS = -Wl,--wrap=sched_yield

# Memory shared by processes.
tests_unit_test_segment_SOURCES = tests/unit/test_segment.c src/shm/segment.c src/shm/pieces.c src/shm/shown.c
tests_unit_test_segment_LDADD = $(base_libs) -lcmocka
tests_unit_test_segment_LDFLAGS = -Wl,--wrap=sysconf -Wl,--wrap=mmap
tests_unit_test_arithmetic_SOURCES = tests/unit/test_arithmetic.c
tests_unit_test_arithmetic_LDADD = $(base_libs) -lcmocka -lm
tests_unit_test_barrier_SOURCES = tests/unit/test_barrier.c src/shm/barrier.c \
	src/shm/signal.c
tests_unit_test_barrier_LDADD = -lcmocka -lpthread

# Plans of a communicator.
tests_unit_test_plan_cache_SOURCES = tests/unit/test_plan_cache.c src/execute/plan_cache.c
tests_unit_test_plan_cache_LDADD = $(schedule_libs) -lcmocka

# What ranks agree about, and memory: the executors' own sizing, which needs no MPI library either.
tests_unit_test_agreement_SOURCES = tests/unit/test_agreement.c
tests_unit_test_agreement_LDADD = -lcmocka
tests_unit_test_memory_SOURCES = tests/unit/test_memory.c
# What is asked of executors: those of a back end, which need no MPI library to be linked.
tests_unit_test_memory_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir)/src/pmpi/mpich
tests_unit_test_memory_LDADD = src/libcore-mpich.a $(route_libs) -lcmocka

# What shunt run learns: notices of processes, and what a program is.
tests_unit_test_notice_SOURCES = tests/unit/test_notice.c
tests_unit_test_notice_LDADD = $(base_libs) -lcmocka
tests_unit_test_output_SOURCES = tests/unit/test_output.c
tests_unit_test_output_LDADD = $(base_libs) -lcmocka
tests_unit_test_program_SOURCES = tests/unit/test_program.c src/tools/run/program.c
tests_unit_test_program_LDADD = $(base_libs) -lcmocka

# The MPI library's name.
tests_unit_test_version_SOURCES = tests/unit/test_version.c
tests_unit_test_version_LDADD = src/libcore-mpich.a $(route_libs) -lcmocka

# Tables, settings, decisions and the command (src/route, src/tools).
tests_unit_test_table_SOURCES = tests/unit/test_table.c
tests_unit_test_table_LDADD = $(route_libs) -lcmocka
tests_unit_test_force_SOURCES = tests/unit/test_force.c
tests_unit_test_force_LDADD = $(route_libs) -lcmocka
tests_unit_test_settings_SOURCES = tests/unit/test_settings.c
tests_unit_test_settings_LDADD = $(route_libs) -lcmocka
tests_unit_test_bundle_SOURCES = tests/unit/test_bundle.c
tests_unit_test_bundle_LDADD = $(schedule_libs) -lcmocka
rules = tests/unit/rules.c tests/unit/rules.h
decision_files = tests/unit/decision_files.c tests/unit/decision_files.h
maps = tests/unit/maps.c tests/unit/maps.h $(rules)
tests_unit_test_map_SOURCES = tests/unit/test_map.c $(maps)
tests_unit_test_map_LDADD = $(parse_libs) -lcmocka -lm
tests_unit_test_map_model_SOURCES = tests/unit/test_map_model.c $(maps)
tests_unit_test_map_model_LDADD = $(parse_libs) -lcmocka -lm
tests_unit_test_map_time_SOURCES = tests/unit/test_map_time.c $(maps)
tests_unit_test_map_time_LDADD = $(parse_libs) -lcmocka -lm
tests_unit_test_findings_SOURCES = tests/unit/test_findings.c $(rules)
tests_unit_test_findings_LDADD = $(parse_libs) -lcmocka
tests_unit_test_coverage_SOURCES = tests/unit/test_coverage.c $(rules)
tests_unit_test_coverage_LDADD = $(parse_libs) -lcmocka
tests_unit_test_write_SOURCES = tests/unit/test_write.c tests/unit/same_table.h $(rules)
tests_unit_test_write_LDADD = $(parse_libs) -lcmocka
tests_unit_test_parse_SOURCES = tests/unit/test_parse.c $(decision_files)
tests_unit_test_parse_LDADD = $(parse_libs) -lcmocka
tests_unit_test_files_SOURCES = tests/unit/test_files.c $(decision_files)
tests_unit_test_files_LDADD = $(parse_libs) -lcmocka
tests_unit_test_search_SOURCES = tests/unit/test_search.c $(decision_files)
tests_unit_test_search_LDADD = $(parse_libs) -lcmocka
tests_unit_test_hostlist_SOURCES = tests/unit/test_hostlist.c
tests_unit_test_hostlist_LDADD = $(parse_libs) -lcmocka
descriptions = tests/unit/descriptions.c tests/unit/descriptions.h $(decision_files)
tests_unit_test_machine_SOURCES = tests/unit/test_machine.c $(descriptions)
tests_unit_test_machine_LDADD = $(parse_libs) -lcmocka
tests_unit_test_machine_names_SOURCES = tests/unit/test_machine_names.c $(descriptions)
tests_unit_test_machine_names_LDADD = $(parse_libs) -lcmocka

# The log.
log_child = tests/unit/log_child.c tests/unit/log_child.h tests/unit/json.c tests/unit/json.h
tests_unit_test_json_SOURCES = tests/unit/test_json.c tests/unit/json.c tests/unit/json.h
tests_unit_test_json_LDADD = $(log_libs) -lcmocka
# It counts allocations.
tests_unit_test_json_LDFLAGS = -Wl,--wrap=realloc
tests_unit_test_log_lines_SOURCES = tests/unit/test_log_lines.c tests/unit/json.c tests/unit/json.h
tests_unit_test_log_lines_LDADD = $(log_libs) -lcmocka
tests_unit_test_log_events_SOURCES = tests/unit/test_log_events.c tests/unit/json.c tests/unit/json.h
tests_unit_test_log_events_LDADD = $(log_libs) -lcmocka
tests_unit_test_log_files_SOURCES = tests/unit/test_log_files.c $(log_child)
tests_unit_test_log_files_LDADD = $(log_libs) -lcmocka
tests_unit_test_log_failures_SOURCES = tests/unit/test_log_failures.c $(log_child)
tests_unit_test_log_failures_LDADD = $(log_libs) -lcmocka
summaries = tests/unit/summaries.c tests/unit/summaries.h tests/unit/json.c tests/unit/json.h
tests_unit_test_log_summary_SOURCES = tests/unit/test_log_summary.c $(summaries)
tests_unit_test_log_summary_LDADD = $(log_libs) -lcmocka
tests_unit_test_log_gain_SOURCES = tests/unit/test_log_gain.c $(summaries)
tests_unit_test_log_gain_LDADD = $(log_libs) -lcmocka
tests_unit_test_log_shared_SOURCES = tests/unit/test_log_shared.c $(log_child)
tests_unit_test_log_shared_LDADD = $(log_libs) -lcmocka
# It counts allocations.
tests_unit_test_log_shared_LDFLAGS = -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
# Which algorithm is fastest, while a program runs: with times made up.
tests_unit_test_learn_SOURCES = tests/unit/test_learn.c src/learn/learn.c src/learn/learn_candidates.c src/learn/learn_guard.c
tests_unit_test_learn_LDADD = $(parse_libs) -lcmocka
tests_unit_test_forecast_SOURCES = tests/unit/test_forecast.c
tests_unit_test_forecast_LDADD = $(parse_libs) -lcmocka
tests_unit_test_learned_SOURCES = tests/unit/test_learned.c
tests_unit_test_learned_LDADD = $(parse_libs) -lcmocka
# Whether ranks have a processor each.
tests_unit_test_seats_SOURCES = tests/unit/test_seats.c src/process/seats.c
tests_unit_test_seats_LDADD = -lcmocka
# How communicators with the same ranks are told apart in it.
tests_unit_test_recurrence_SOURCES = tests/unit/test_recurrence.c src/comm/recurrence.c
tests_unit_test_recurrence_LDADD = -lcmocka -lpthread
tests_unit_test_recurrence_LDFLAGS = -Wl,--wrap=calloc
# When calls go without an agreement.
tests_unit_test_adapt_SOURCES = tests/unit/test_adapt.c src/comm/adapt.c
tests_unit_test_adapt_LDADD = -lcmocka
# Options of commands.
tests_unit_test_options_SOURCES = tests/unit/test_options.c
tests_unit_test_options_LDADD = $(tools_libs) -lcmocka

# The measuring programs, as far as they need no MPI.
nearness = tests/unit/nearness.c tests/unit/nearness.h
tests_unit_test_measure_SOURCES = tests/unit/test_measure.c $(nearness)
tests_unit_test_measure_LDADD = src/libmeasure.a $(base_libs) -lcmocka -lm
tests_unit_test_bench_SOURCES = tests/unit/test_bench.c
tests_unit_test_bench_LDADD = $(bench_libs) -lcmocka -lm
tests_unit_test_bench_rules_SOURCES = tests/unit/test_bench_rules.c
tests_unit_test_bench_rules_LDADD = $(tests_unit_test_bench_LDADD)

# What `shunt machine` makes of its times.
tests_unit_test_machine_calibrate_SOURCES = tests/unit/test_machine_calibrate.c $(nearness)
tests_unit_test_machine_calibrate_LDADD = $(tests_unit_test_machine_fit_LDADD)
tests_unit_test_machine_fit_SOURCES = tests/unit/test_machine_fit.c $(nearness)
tests_unit_test_machine_fit_LDADD = src/libmachine.a $(bench_libs) -lcmocka -lm

# What `shunt tune` makes of its times.
tune_libraries = src/libtune.a src/liblogtool.a $(bench_libs) $(JSON_C_LIBS)
tests_unit_test_tune_SOURCES = tests/unit/test_tune.c
tests_unit_test_tune_LDADD = $(tune_libraries) -lcmocka -lm
tests_unit_test_tune_files_SOURCES = tests/unit/test_tune_files.c
tests_unit_test_tune_files_LDADD = $(tune_libraries) -lcmocka -lm

# The command; barriers under the thread sanitizer.
route_scripts = tests/unit/memcheck.sh tests/unit/test_tool.sh tests/unit/test_files_tool.sh tests/unit/test_where.sh tests/unit/test_papers_tables.sh tests/unit/test_schedule_tool.sh tests/unit/test_schedule_json.sh tests/unit/test_json_schemas.sh tests/unit/test_predict.sh tests/unit/test_diff.sh tests/unit/test_text_tables.sh tests/unit/test_chosen.sh tests/unit/test_fit.sh tests/unit/test_import.sh tests/unit/test_explain_grid.sh tests/unit/barrier_races.sh
TESTS += $(route_scripts)
# What is listed in several places (the command, its completion, the manual).
TESTS += tests/unit/test_lists.sh
EXTRA_DIST += tests/unit/test_lists.sh
# For a build whose objects are instrumented (scripts/test): the parser under clang's fuzzer.
EXTRA_PROGRAMS += tests/unit/fuzz_parse
tests_unit_fuzz_parse_SOURCES = tests/unit/fuzz_parse.c
tests_unit_fuzz_parse_LDADD = $(parse_libs)
tests_unit_fuzz_parse_LDFLAGS = -fsanitize=fuzzer
EXTRA_DIST += tests/unit/fuzz.sh
EXTRA_DIST += $(route_scripts) tests/unit/neutral.cfg tests/unit/neutral.csv tests/unit/valid.py tests/unit/tool_common.sh tests/data/fuzz.dict tests/data/fuzz
# What configure says about a machine that lacks something.
TESTS += tests/unit/test_configure.sh tests/unit/test_newer.sh tests/unit/test_words.sh
EXTRA_DIST += tests/unit/test_configure.sh tests/unit/test_newer.sh tests/unit/test_words.sh
# The headers of the MPI ABIs, beside those of the libraries here.
TESTS += tests/unit/test_abi.sh
EXTRA_DIST += tests/unit/test_abi.sh tests/unit/abi_facts.c tests/unit/abi_prototypes.c
# The completion for zsh.
TESTS += tests/unit/test_completion.sh
EXTRA_DIST += tests/unit/test_completion.sh tests/unit/completion.zsh
# What is installed, and what sites take for their own packages.
TESTS += tests/unit/test_install.sh tests/unit/test_spack.sh
EXTRA_DIST += tests/unit/test_install.sh tests/unit/test_spack.sh
# `shunt log`; the lines come from log_lines.awk.
TESTS += tests/unit/test_log_tool.sh
EXTRA_DIST += tests/unit/test_log_tool.sh tests/unit/log_lines.awk
# `shunt report`, likewise from report_lines.awk.
TESTS += tests/unit/test_report.sh
EXTRA_DIST += tests/unit/test_report.sh tests/unit/report_lines.awk
# scripts/papers.
TESTS += tests/unit/test_papers.sh
EXTRA_DIST += tests/unit/test_papers.sh
# scripts/simulate.
TESTS += tests/unit/test_simulate.sh
EXTRA_DIST += tests/unit/test_simulate.sh
# What it preloads. The compiler may not make a call of memcpy of what is in there.
tests_unit_test_simulate_copy_SOURCES = tests/unit/test_simulate_copy.c scripts/simulate.d/copy.c
tests_unit_test_simulate_copy_CFLAGS = $(AM_CFLAGS) -fno-builtin
tests_unit_test_simulate_copy_LDADD = -lcmocka
# `shunt view`.
TESTS += tests/unit/test_view.sh
EXTRA_DIST += tests/unit/test_view.sh

# Rows in text, CSV and JSON.
tests_unit_test_sheet_SOURCES = tests/unit/test_sheet.c
tests_unit_test_sheet_LDADD = $(tools_libs) -lcmocka -lm
