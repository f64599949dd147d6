# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += scripts/bench-instructions scripts/bench-overhead scripts/common.sh scripts/accuracy \
	scripts/applications scripts/program-facts \
	scripts/floors scripts/gain scripts/one-group scripts/paired scripts/programs scripts/quickstart \
	scripts/results scripts/slurm scripts/test scripts/testbed scripts/whole scripts/debian-graph \
	.clang-format .clang-tidy

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
