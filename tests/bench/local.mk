# Instructions that Shunt adds to a call; printed, not asserted.
EXTRA_DIST += tests/bench/overhead.c
CLEANFILES += tests/bench/overhead$(EXEEXT)
tests/bench/overhead$(EXEEXT): tests/bench/overhead.c
	$(AM_V_CC)$(MKDIR_P) tests/bench && $(MPICC) -O2 -o $@ $(srcdir)/tests/bench/overhead.c

bench-overhead: src/libshunt.la src/shunt-table.la tests/preload/libshuntyield.la tests/bench/overhead$(EXEEXT)
	SHUNT_LIB=$(abs_builddir)/src/.libs/libshunt.so SHUNT_YIELD=$(abs_builddir)/tests/preload/.libs/libshuntyield.so \
	  SHUNT_OVERHEAD=$(abs_builddir)/tests/bench/overhead$(EXEEXT) MPIEXEC='$(MPIEXEC)' $(srcdir)/scripts/bench-overhead
.PHONY: bench-overhead
