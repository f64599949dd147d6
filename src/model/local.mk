# SPDX-License-Identifier: BSD-3-Clause
# What a call costs on a described machine. No MPI, no libconfig, no libm.
noinst_LTLIBRARIES += src/libmodel.la
src_libmodel_la_SOURCES = \
	src/model/machine.c src/model/machine.h \
	src/model/cost.c src/model/cost.h \
	src/model/candidates.c src/model/candidates.h
EXTRA_DIST += src/model/README.md
