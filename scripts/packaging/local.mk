# SPDX-License-Identifier: BSD-3-Clause
# For sites and distributions. The pkg-config file is installed where pkg-config looks; the module
# file is an example that a site copies, with the paths of this build.
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = scripts/packaging/shunt.pc
pkgdata_DATA += scripts/packaging/modulefile
CLEANFILES += scripts/packaging/shunt.pc scripts/packaging/modulefile
scripts/packaging/shunt.pc: scripts/packaging/shunt.pc.in Makefile
	$(AM_V_GEN)$(MKDIR_P) scripts/packaging && \
	  $(substitute_paths) '$(srcdir)/scripts/packaging/shunt.pc.in' >$@.tmp && mv $@.tmp $@
scripts/packaging/modulefile: scripts/packaging/modulefile.in Makefile
	$(AM_V_GEN)$(MKDIR_P) scripts/packaging && \
	  $(substitute_paths) '$(srcdir)/scripts/packaging/modulefile.in' >$@.tmp && mv $@.tmp $@
EXTRA_DIST += scripts/packaging/shunt.pc.in scripts/packaging/modulefile.in \
	scripts/packaging/spack/package.py

# Debian: kept here, put on top of the sources by debian-source.
debian = scripts/packaging/debian
EXTRA_DIST += scripts/packaging/release scripts/packaging/debian-source scripts/packaging/debian-test \
	$(debian)/changelog $(debian)/control $(debian)/copyright $(debian)/rules \
	$(debian)/source/format $(debian)/shunt.dirs $(debian)/shunt.install \
	$(debian)/shunt.lintian-overrides $(debian)/shunt.manpages $(debian)/shunt.triggers \
	$(debian)/shunt-mpich.install $(debian)/shunt-mpich.manpages
