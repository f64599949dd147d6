# SPDX-License-Identifier: BSD-3-Clause
# What all commands and measuring programs share: options, messages, folded lines.
noinst_LIBRARIES += src/libtools.a
src_libtools_a_SOURCES = src/tools/common/options.c src/tools/common/options.h \
	src/tools/common/text.c src/tools/common/tool.h src/tools/common/fold.c src/tools/common/fold.h \
	src/tools/common/sheet.c src/tools/common/sheet.h src/tools/common/sheet_text.c \
	src/tools/common/sheet_text.h

# What `shunt bench` and other commands read.
noinst_LIBRARIES += src/libmatrix.a
src_libmatrix_a_SOURCES = src/tools/common/matrix.c src/tools/common/matrix.h

# `shunt log` and `shunt import`, and figures for `shunt view`: the only parts that read JSON.
noinst_LIBRARIES += src/liblogtool.a
src_liblogtool_a_SOURCES = \
	src/tools/log/main.c \
	src/tools/log/command.c src/tools/log/options.h src/tools/log/filter.c \
	src/tools/log/event.c src/tools/log/event.h \
	src/tools/log/source.c src/tools/log/source.h \
	src/tools/log/sort.c src/tools/log/sort.h src/tools/log/runs.c \
	src/tools/log/show.c src/tools/log/csv.c \
	src/tools/log/view.c src/tools/log/view.h src/tools/log/follow.c \
	src/tools/log/summary.c src/tools/log/summary.h src/tools/log/ranks.c \
	src/tools/log/sections.c src/tools/log/summary_json.c \
	src/tools/log/out.c src/tools/log/pages.c src/tools/view/figures.c
src_liblogtool_a_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_C_CPPFLAGS)

noinst_LIBRARIES += src/libimport.a
src_libimport_a_SOURCES = src/tools/import/command.c src/tools/import/import.h \
	src/tools/import/rules.c src/tools/import/algorithms.c \
	src/tools/import/mpich.c src/tools/import/open_mpi.c src/tools/import/open_mpi.h \
	src/tools/import/open_mpi_json.c src/tools/import/write.c src/tools/import/json.c
src_libimport_a_CPPFLAGS = $(AM_CPPFLAGS) $(JSON_C_CPPFLAGS)

# The command `shunt`: no MPI.
bin_PROGRAMS += src/shunt
src_shunt_SOURCES = \
	src/tools/main.c src/tools/algorithms.c src/tools/env.c src/tools/new.c src/tools/show.c src/tools/where.c \
	src/tools/common/tool.c src/tools/common/tool.h src/tools/common/become.c \
	src/tools/common/preload.c src/tools/common/preload.h src/tools/common/rules.c src/tools/common/rules.h \
	src/tools/common/question.c src/tools/common/question.h src/tools/common/shape.c src/tools/common/shape.h \
	src/tools/common/axis.c src/tools/common/axis.h src/tools/common/effort.c src/tools/common/effort.h \
	src/tools/run/command.c src/tools/run/start.c src/tools/run/start.h src/tools/run/hint.c src/tools/run/hint.h \
	src/tools/run/line.c src/tools/run/line.h src/tools/run/export.c src/tools/run/export.h \
	src/tools/run/program.c src/tools/run/program.h \
	src/tools/check/command.c src/tools/check/check.h src/tools/check/coverage.c src/tools/check/chosen.c \
	src/tools/explain/command.c src/tools/explain/answer.c src/tools/explain/answer.h \
	src/tools/explain/predicted.c src/tools/explain/predicted.h \
	src/tools/explain/grid.c src/tools/explain/grid.h src/tools/explain/forms.c \
	src/tools/schedule/command.c src/tools/schedule/shown.c src/tools/schedule/shown.h \
	src/tools/schedule/text.c src/tools/schedule/json.c src/tools/schedule/sweep.c src/tools/schedule/counts.c \
	src/tools/predict/predict.h src/tools/predict/command.c src/tools/predict/machine.c \
	src/tools/predict/case.c src/tools/predict/cost.c src/tools/predict/costs.c \
	src/tools/predict/work.c src/tools/predict/work.h src/tools/predict/limit.c \
	src/tools/predict/rank.c src/tools/predict/rows.c src/tools/predict/call.c \
	src/tools/predict/progress.c src/tools/predict/progress.h src/tools/predict/grid.c \
	src/tools/predict/map.c src/tools/predict/map.h src/tools/predict/lines.c \
	src/tools/diff/command.c src/tools/diff/diff.h src/tools/diff/layouts.c \
	src/tools/diff/compare.c src/tools/diff/cells.c src/tools/diff/list.c src/tools/diff/one.c \
	src/tools/diff/text.c src/tools/diff/data.c \
	src/tools/view/command.c src/tools/view/view.h src/tools/view/data.c src/tools/view/data.h \
	src/tools/view/page.c src/tools/view/write.c src/tools/view/embed.h
dist_pkgdata_DATA += src/tools/schedule/schedule.schema.json src/tools/explain/explain.schema.json src/tools/explain/explain-grid.schema.json \
	src/tools/algorithms.schema.json src/tools/predict/predict.schema.json src/tools/diff/diff.schema.json src/tools/bench/bench.schema.json \
	src/tools/log/log-summary.schema.json src/tools/report/report.schema.json \
	src/tools/machine/machine.schema.json src/tools/view/view.schema.json src/tools/tune/tune.schema.json
src_shunt_LDADD = src/libtune.a src/libmachine.a src/liblogtool.a src/libimport.a $(bench_libs) \
	$(JSON_C_LIBS)

# `shunt report`: logs, tables and the model together.
src_shunt_SOURCES += \
	src/tools/report/main.c src/tools/report/report.h src/tools/report/command.c \
	src/tools/report/calls.c src/tools/report/shapes.c src/tools/report/timeline.c \
	src/tools/report/arrivals.c src/tools/report/groups.c src/tools/report/tables.c \
	src/tools/report/facts.c src/tools/report/model.c src/tools/report/what_if.c src/tools/report/words.c \
	src/tools/report/rows.c src/tools/report/text.c src/tools/report/json.c \
	src/tools/report/html.c src/tools/report/embed.c src/tools/report/whole.c src/tools/report/whole.h \
	src/tools/view/logs.c

# Helper for more ranks than processors, preloaded next to libshunt.so.
module_PROGRAMS += src/libshuntyield.so
src_libshuntyield_so_SOURCES = src/tools/bench/yield.c
src_libshuntyield_so_LDFLAGS = $(shared_flags)

# What the measuring programs share, as far as it needs no MPI, for the unit tests too.
noinst_LIBRARIES += src/libmeasure.a
src_libmeasure_a_SOURCES = \
	src/tools/measure/distribution.c src/tools/measure/distribution.h \
	src/tools/measure/statistics.c src/tools/measure/statistics.h src/tools/measure/random.h

# And what calls MPI.
noinst_LIBRARIES += src/libmeasure-mpi.a
src_libmeasure_mpi_a_SOURCES = \
	src/tools/measure/program.c src/tools/measure/program.h \
	src/tools/measure/facts.c src/tools/measure/facts.h \
	src/tools/measure/output.c src/tools/measure/output.h \
	src/tools/measure/loop.c src/tools/measure/loop.h \
	src/tools/measure/cases.c src/tools/measure/candidates.c src/tools/measure/lower_bound.c \
	src/tools/measure/exchange.h
src_libmeasure_mpi_a_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)

# What `shunt bench` makes of its times, and how other commands spell algorithms.
noinst_LIBRARIES += src/libbench.a
src_libbench_a_SOURCES = \
	src/tools/bench/options.c src/tools/bench/options.h src/tools/bench/selections.c \
	src/tools/bench/rules.c src/tools/bench/rules.h

measuring_libs = src/libmeasure-mpi.a src/libbench.a src/libmeasure.a src/libmatrix.a \
	src/libtools.a $(core)

# The program behind `shunt bench`.
pkglibexec_PROGRAMS += src/shunt-bench
src_shunt_bench_SOURCES = \
	src/tools/bench/main.c src/tools/bench/bench.h src/tools/bench/case.c src/tools/bench/rows.c \
	src/tools/bench/table.c src/tools/bench/files.c src/tools/bench/verdict.c \
	src/tools/bench/warnings.c
src_shunt_bench_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
src_shunt_bench_LDADD = $(measuring_libs) $(route_libs) $(MPI_LIBS)

# What `shunt machine` makes of its times, without MPI.
noinst_LIBRARIES += src/libmachine.a
src_libmachine_a_SOURCES = \
	src/tools/machine/loggp.c src/tools/machine/loggp.h \
	src/tools/machine/results.c src/tools/machine/results.h src/tools/machine/complete.c \
	src/tools/machine/options.c src/tools/machine/options.h \
	src/tools/machine/calibrate.c src/tools/machine/calibrate.h \
	src/tools/machine/descend.c src/tools/machine/descend.h \
	src/tools/machine/quota.c

# The program behind `shunt machine`.
pkglibexec_PROGRAMS += src/shunt-machine
src_shunt_machine_SOURCES = \
	src/tools/machine/main.c src/tools/machine/run.c src/tools/machine/run.h \
	src/tools/machine/processors.c src/tools/machine/native.c \
	src/tools/machine/pairs.c src/tools/machine/cards.c src/tools/machine/memory.c \
	src/tools/machine/types.c src/tools/machine/match.c src/tools/machine/node.c src/tools/machine/load.c \
	src/tools/machine/warnings.c src/tools/machine/report.c
src_shunt_machine_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
src_shunt_machine_LDADD = src/libmachine.a $(measuring_libs) $(parse_libs) $(MPI_LIBS)

# What `shunt tune` makes of its times, without MPI.
noinst_LIBRARIES += src/libtune.a
src_libtune_a_SOURCES = \
	src/tools/tune/lab.c src/tools/tune/lab.h \
	src/tools/tune/halving.c src/tools/tune/halving.h \
	src/tools/tune/cell.c src/tools/tune/cell.h \
	src/tools/tune/place.c src/tools/tune/place.h \
	src/tools/tune/sweep.c src/tools/tune/sweep.h \
	src/tools/tune/nominate.c src/tools/tune/nominate.h \
	src/tools/tune/store.c src/tools/tune/store.h \
	src/tools/tune/write.c src/tools/tune/write.h \
	src/tools/tune/options.c src/tools/tune/options.h \
	src/tools/tune/uses.c src/tools/tune/uses.h

# The program behind `shunt tune`: what bench measures with, led by another.
pkglibexec_PROGRAMS += src/shunt-tune
src_shunt_tune_SOURCES = \
	src/tools/tune/main.c src/tools/tune/run.h src/tools/tune/plan.c src/tools/tune/logs.c \
	src/tools/tune/team.c src/tools/tune/team.h src/tools/tune/members.c \
	src/tools/tune/order.c src/tools/tune/lead.c src/tools/tune/validate.c \
	src/tools/tune/simulate.c src/tools/tune/results.c src/tools/tune/rows.c
src_shunt_tune_CPPFLAGS = $(AM_CPPFLAGS) $(MPI_CPPFLAGS)
src_shunt_tune_LDADD = src/libtune.a src/liblogtool.a $(measuring_libs) $(parse_libs) \
	$(JSON_C_LIBS) $(MPI_LIBS)
