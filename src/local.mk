include src/schedule/local.mk
include src/algorithms/local.mk
include src/route/local.mk
include src/log/local.mk
include src/tools/local.mk
include src/library.mk
