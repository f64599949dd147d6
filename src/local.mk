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
