# Tables, settings and decisions (no MPI, no libconfig); then the parser, the only user of libconfig.
noinst_LTLIBRARIES += src/libroute.la
src_libroute_la_SOURCES = \
	src/route/table.c src/route/table.h \
	src/route/problems.c \
	src/route/words.c src/route/words.h \
	src/route/force.c \
	src/route/match.c src/route/match.h \
	src/route/map.c src/route/route.h \
	src/route/findings.c src/route/findings.h \
	src/route/settings.c src/route/settings.h
