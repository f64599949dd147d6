# The command `shunt`: no MPI.
bin_PROGRAMS += src/shunt
src_shunt_SOURCES = \
	src/tools/main.c \
	src/tools/tool.c src/tools/tool.h \
	src/tools/preload.c src/tools/preload.h \
	src/tools/run.c src/tools/check.c src/tools/algorithms.c \
	src/tools/explain.c src/tools/question.c src/tools/question.h
src_shunt_LDADD = src/libparse.la src/libroute.la src/libschedule.la $(LIBCONFIG_LIBS)
