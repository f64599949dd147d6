# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += scripts/bench-instructions scripts/bench-overhead scripts/common.sh \
	scripts/floors scripts/gain scripts/one-group scripts/paired scripts/programs scripts/quickstart \
	scripts/results scripts/test scripts/testbed scripts/whole scripts/debian-graph \
	.clang-format .clang-tidy

# Completion of the command in bash, under the name by which bash-completion looks for it.
completiondir = $(datadir)/bash-completion/completions
EXTRA_DIST += scripts/completion/shunt.bash
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(completiondir)'
	$(INSTALL_DATA) '$(srcdir)/scripts/completion/shunt.bash' '$(DESTDIR)$(completiondir)/shunt'
uninstall-local:
	rm -f '$(DESTDIR)$(completiondir)/shunt'
