# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += scripts/bench-instructions scripts/bench-overhead scripts/common.sh scripts/accuracy \
	scripts/applications scripts/program-facts \
	scripts/chosen scripts/faults scripts/floors scripts/gain scripts/manual scripts/manual.awk scripts/mpis scripts/one-group scripts/paired scripts/programs scripts/quickstart \
	scripts/papers scripts/papers.d/claims.csv \
	scripts/papers.d/figures.csv scripts/papers.d/applications.awk scripts/papers.d/apps scripts/papers.d/counts scripts/papers.d/csv.awk \
	scripts/papers.d/figures.awk scripts/papers.d/formulas.awk scripts/papers.d/judge.awk \
	scripts/papers.d/halves.awk scripts/papers.d/settings.sh scripts/papers.d/measures.awk scripts/papers.d/page.awk scripts/papers.d/patterns.awk \
	scripts/papers.d/take.awk scripts/papers.d/total.awk \
	scripts/results scripts/simulate scripts/slurm scripts/soak scripts/system.sh scripts/test scripts/testbed scripts/walk scripts/whole \
	scripts/debian-graph \
	.clang-format .clang-tidy

# What scripts/simulate builds, under SimGrid's SMPI.
EXTRA_DIST += scripts/simulate.d/README.md scripts/simulate.d/simulation.mk \
	scripts/simulate.d/main.c scripts/simulate.d/call.c scripts/simulate.d/call.h \
	scripts/simulate.d/options.c scripts/simulate.d/ranks.c scripts/simulate.d/ranks.h \
	scripts/simulate.d/same.c scripts/simulate.d/same.h scripts/simulate.d/copy.c scripts/simulate.d/detached.c \
	scripts/simulate.d/wait.c scripts/simulate.d/segment.c scripts/simulate.d/pmpi.c \
	scripts/simulate.d/platform.c scripts/simulate.d/smpi.h \
	scripts/simulate.d/application.c scripts/simulate.d/application.h

# What scripts/fit builds: fits descriptions of machines to figures.
EXTRA_DIST += scripts/fit scripts/fit.d/claims.awk scripts/fit.d/cells.awk scripts/fit.d/judge.awk
check_PROGRAMS += scripts/fit.d/fit
scripts_fit_d_fit_SOURCES = scripts/fit.d/main.c src/tools/predict/work.c src/tools/predict/work.h \
	src/tools/predict/progress.c src/tools/predict/progress.h
scripts_fit_d_fit_LDADD = src/libmachine.a $(bench_libs)

# Completion of the command in bash, under the name by which bash-completion looks for it, and in
# zsh; Debian has another folder for the latter (scripts/packaging/debian/rules).
completiondir = $(datadir)/bash-completion/completions
zshcompletiondir = $(datadir)/zsh/site-functions
dist_zshcompletion_DATA = scripts/completion/_shunt
EXTRA_DIST += scripts/completion/shunt.bash

# The helper that puts all ranks into one scheduling group, under a name that says whose it is.
install-exec-local:
	$(MKDIR_P) '$(DESTDIR)$(bindir)'
	$(INSTALL_SCRIPT) '$(srcdir)/scripts/one-group' '$(DESTDIR)$(bindir)/shunt-one-group'
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(completiondir)'
	$(INSTALL_DATA) '$(srcdir)/scripts/completion/shunt.bash' '$(DESTDIR)$(completiondir)/shunt'
uninstall-local:
	rm -f '$(DESTDIR)$(completiondir)/shunt' '$(DESTDIR)$(bindir)/shunt-one-group'

include scripts/packaging/local.mk
