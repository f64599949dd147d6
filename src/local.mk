# SPDX-License-Identifier: BSD-3-Clause
include src/base/local.mk
include src/schedule/local.mk
include src/algorithms/local.mk
include src/events/local.mk
include src/model/local.mk
include src/route/local.mk
include src/log/local.mk
include src/tools/local.mk
include src/library.mk
include src/viewer/local.mk
EXTRA_DIST += src/tools/README.md src/front/README.md src/intercept/README.md src/execute/README.md \
	src/comm/README.md src/learn/README.md src/process/README.md src/shm/README.md src/route/README.md src/algorithms/README.md \
	src/events/README.md \
	src/schedule/README.md src/log/README.md src/pmpi/README.md src/base/README.md

# What scripts/simulate builds, under SimGrid's SMPI.
EXTRA_DIST += src/tools/simulate/README.md src/tools/simulate/simulation.mk \
	src/tools/simulate/main.c src/tools/simulate/call.c src/tools/simulate/call.h \
	src/tools/simulate/options.c src/tools/simulate/ranks.c src/tools/simulate/ranks.h \
	src/tools/simulate/same.c src/tools/simulate/same.h src/tools/simulate/copy.c src/tools/simulate/detached.c \
	src/tools/simulate/wait.c src/tools/simulate/segment.c src/tools/simulate/pmpi.c \
	src/tools/simulate/platform.c src/tools/simulate/smpi.h \
	src/tools/simulate/application.c src/tools/simulate/application.h
