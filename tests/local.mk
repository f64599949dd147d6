include tests/unit/local.mk
include tests/mpi/local.mk
include tests/preload/local.mk
include tests/apps/local.mk
