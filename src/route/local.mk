# Tables, settings and decisions (no MPI, no libconfig); then the parser, the only user of libconfig.
noinst_LTLIBRARIES += src/libroute.la src/libparse.la
src_libroute_la_SOURCES = \
	src/route/table.c src/route/table.h \
	src/route/problems.c \
	src/route/words.c src/route/words.h \
	src/route/force.c \
	src/route/match.c src/route/match.h \
	src/route/map.c src/route/route.h \
	src/route/findings.c src/route/findings.h src/route/cover.c src/route/cover.h \
	src/route/settings.c src/route/settings.h \
	src/route/places.c
src_libparse_la_SOURCES = \
	src/route/parse.c src/route/parse.h \
	src/route/source.c src/route/source.h \
	src/route/scan.c \
	src/route/literal.c src/route/literal.h \
	src/route/walk.c src/route/walk.h \
	src/route/rule.c src/route/hosts.c \
	src/route/builtin.h
nodist_src_libparse_la_SOURCES = src/route/builtin.c

# The built-in table is conf/default.cfg, byte by byte: string literals have a length limit, arrays have none.
BUILT_SOURCES += src/route/builtin.c
CLEANFILES += src/route/builtin.c
src/route/builtin.c: $(top_srcdir)/conf/default.cfg
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { \
	  echo '/* Made from conf/default.cfg. */'; \
	  echo '#include "route/builtin.h"'; \
	  echo 'const char shunt_builtin_text[] = {'; \
	  od -An -v -t u1 $(top_srcdir)/conf/default.cfg | sed 's/[0-9][0-9]*/&,/g'; \
	  echo '0};'; \
	} > $@.tmp && mv $@.tmp $@

# What libshunt.so opens at run time to read a table.
pkglib_LTLIBRARIES += src/shunt-table.la
src_shunt_table_la_SOURCES = src/route/module.c
src_shunt_table_la_LIBADD = src/libparse.la src/libroute.la src/libschedule.la $(LIBCONFIG_LIBS)
src_shunt_table_la_LDFLAGS = -module -avoid-version -shared -export-symbols-regex '^shunt_table_module_1$$'
