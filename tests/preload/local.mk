# Unmodified programs under the preloaded library. Each script says why it skips.

# Helper for many ranks on few cores; -rpath makes libtool build a module that is never installed.
check_LTLIBRARIES += tests/preload/libshuntyield.la
tests_preload_libshuntyield_la_SOURCES = tests/preload/yield.c
tests_preload_libshuntyield_la_LDFLAGS = -module -avoid-version -shared -rpath $(abs_builddir)/tests/preload
