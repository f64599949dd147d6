# Tables, settings and decisions (no MPI, no libconfig); then the parser, the only user of libconfig.
noinst_LTLIBRARIES += src/libroute.la src/libparse.la
src_libroute_la_SOURCES = src/route/table.h src/route/route.h src/route/settings.h
src_libparse_la_SOURCES = src/route/parse.h
