# SPDX-License-Identifier: BSD-3-Clause
# Programs of scripts/simulate, which gives this to GNU make behind the Makefile of the build folder:
# the executors under SimGrid's SMPI, of the same sources as libshunt.so but for those that wait,
# share memory between processes and find MPI. Not part of `make`: it needs SimGrid.
SMPICC = smpicc
simulation_other = src/comm/wait.c src/shm/signal.c src/shm/segment.c \
	src/shm/pieces.c src/pmpi/pmpi.c
simulation_own = $(addprefix scripts/simulate.d/,main.c call.c options.c ranks.c same.c wait.c \
	segment.c pmpi.c)
simulation_sources = $(filter-out $(simulation_other),$(filter %.c,$(core_sources))) \
	src/tools/common/text.c $(simulation_own)
simulation_objects = $(simulation_sources:%.c=src/simulation.d/%.o)
simulation_archives = $(filter %.a,$(bench_libs))
# In place of which same.c has functions of its own.
simulation_wrapped = layout_from_keys layout_subdivide layout_copy layout_clear
simulation_flags = -std=gnu11 $(CFLAGS) -DHAVE_CONFIG_H -I. $(AM_CPPFLAGS)

src/simulation.d/%.o: $(srcdir)/%.c
	@mkdir -p $(@D)
	$(SMPICC) $(simulation_flags) -DSHUNT_TRACE -DSMPI_NO_OVERRIDE_MALLOC \
		-Wno-pointer-to-int-cast -include $(srcdir)/scripts/simulate.d/smpi.h -MMD -MP -c -o $@ $<
src/simulation: $(simulation_objects) $(simulation_archives)
	$(SMPICC) -o $@ $(simulation_wrapped:%=-Wl,--wrap=shunt_%) $(simulation_objects) \
		$(simulation_archives) $(LIBCONFIG_LIBS) -lm -lpthread -ldl
# Programs of tests/apps, which have a file of the same name and these beside it.
simulation_application_parts = $(addprefix tests/apps/,facts.c facts_make.c graph.c graph_make.c \
	options.c shuffle.c)
simulation_application_objects = $(filter-out src/simulation.d/scripts/simulate.d/main.o, \
	$(simulation_objects)) src/simulation.d/scripts/simulate.d/application.o \
	$(simulation_application_parts:%.c=src/simulation.d/%.o)
src/simulation.d/tests/apps/%.o: $(srcdir)/tests/apps/%.c
	@mkdir -p $(@D)
	$(SMPICC) $(simulation_flags) -DSMPI_NO_OVERRIDE_MALLOC \
		-include $(srcdir)/scripts/simulate.d/smpi.h \
		-include $(srcdir)/scripts/simulate.d/application.h -MMD -MP -c -o $@ $<
src/simulation-fft: simulation_more = -lfftw3
src/simulation-%: src/simulation.d/tests/apps/%.o $(simulation_application_objects) \
		$(simulation_archives)
	$(SMPICC) -o $@ $(simulation_wrapped:%=-Wl,--wrap=shunt_%) $< \
		$(simulation_application_objects) $(simulation_archives) $(LIBCONFIG_LIBS) \
		$(simulation_more) -lm -lpthread -ldl
# The compiler may not make a call of memcpy of what is in it.
src/simulate-preload.so: $(addprefix $(srcdir)/scripts/simulate.d/,copy.c detached.c)
	$(CC) $(simulation_flags) -fno-builtin -fPIC -shared -o $@ $^ -ldl
src/simulate-platform: $(srcdir)/scripts/simulate.d/platform.c $(srcdir)/src/tools/common/text.c \
		$(simulation_archives)
	$(CC) $(simulation_flags) -o $@ $(filter %.c,$^) $(simulation_archives) $(LIBCONFIG_LIBS) -lm \
		-lpthread -ldl
-include $(wildcard $(simulation_objects:%.o=%.d))
