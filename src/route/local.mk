# SPDX-License-Identifier: BSD-3-Clause
# Tables, settings and decisions (no MPI, no libconfig), without and with the built-in table; then
# the parser, the only user of libconfig.
noinst_LIBRARIES += src/libtable.a src/libroute.a src/libparse.a
src_libtable_a_SOURCES = \
	src/route/table.c src/route/table.h \
	src/route/diagnostics.c \
	src/route/words.c src/route/words.h src/route/spelling.c \
	src/route/force.c \
	src/route/match.c src/route/match.h \
	src/route/map.c src/route/route.h \
	src/route/times.c src/route/times.h \
	src/route/learned.c src/route/learned.h \
	src/route/proposals.c src/route/proposals.h src/route/forecast.c src/route/forecast.h \
	src/route/host.c src/route/host.h \
	src/route/findings.c src/route/findings.h src/route/cover.c src/route/cover.h \
	src/route/coverage.c src/route/coverage.h \
	src/route/settings.c src/route/settings.h \
	src/route/write.c src/route/write.h src/route/quote.c src/route/quote.h \
	src/route/machine_write.c src/route/machine_keys.c src/route/machine_keys.h \
	src/route/machine.h src/route/decimal.c src/route/decimal.h \
	src/route/path.c
src_libroute_a_SOURCES = src/route/builtin.h
nodist_src_libroute_a_SOURCES = src/route/builtin.c
src_libparse_a_SOURCES = \
	src/route/parse.c src/route/parse.h \
	src/route/source.c src/route/source.h \
	src/route/scan.c src/route/scan.h src/route/file.h \
	src/route/literal.c src/route/literal.h \
	src/route/tree.c src/route/tree.h \
	src/route/walk.c src/route/walk.h \
	src/route/machine.c src/route/machine_path.c \
	src/route/machine_group.c src/route/machine_group.h \
	src/route/policy.c src/route/policy.h \
	src/route/root.c src/route/root.h src/route/rule.c src/route/rule.h src/route/hosts.c \
	src/route/hosts.h \
	src/route/hostlist.c src/route/hostlist.h \
	src/route/search.c

# The built-in table is conf/default.cfg, read by the parser while Shunt is built: the program
# that does so needs all but that table.
noinst_PROGRAMS += src/make-builtin
src_make_builtin_SOURCES = src/tools/make_builtin.c
src_make_builtin_LDADD = src/libparse.a $(table_libs) $(LIBCONFIG_LIBS)
CLEANFILES += src/route/builtin.c
src/route/builtin.c: src/make-builtin$(EXEEXT) $(top_srcdir)/conf/default.cfg
	$(AM_V_GEN)$(MKDIR_P) $(@D) && src/make-builtin$(EXEEXT) $(top_srcdir)/conf/default.cfg \
	>$@.tmp && mv $@.tmp $@

# What libshunt.so opens at run time where there may be a file to read.
module_PROGRAMS += src/shunt-table.so
src_shunt_table_so_SOURCES = src/route/module.c
src_shunt_table_so_LDADD = src/libparse.a $(table_libs) $(LIBCONFIG_LIBS)
src_shunt_table_so_LDFLAGS = $(shared_flags) -Wl,--version-script=$(srcdir)/src/route/module.map
src_shunt_table_so_DEPENDENCIES = src/libparse.a $(table_archives) $(srcdir)/src/route/module.map
EXTRA_DIST += src/route/module.map
