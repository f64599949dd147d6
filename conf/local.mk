# SPDX-License-Identifier: BSD-3-Clause
# default.cfg is compiled in as the built-in table (src/route/local.mk); all are installed as
# documentation, never as configuration. That goes for theta, polaris and fugaku.cfg above all: their
# rules come from papers, or from predictions, and were not measured by Shunt, and their patterns of hosts may fit those of
# another machine (nid00985 is on every Cray XC, x3005c0s7b0n0 in every HPE Cray EX). An administrator
# who knows which machine it is copies one.
confdocdir = $(docdir)/conf
dist_confdoc_DATA = conf/default.cfg conf/example.cfg conf/fugaku.cfg conf/polaris.cfg \
	conf/quickstart.cfg conf/theta.cfg

# Descriptions of machines, which are found by their names: installed, or in the folder of the
# build, under a name that is no folder of the sources.
machine_files = conf/machines/fugaku-like.cfg conf/machines/hoefler-moor-2014.cfg \
	conf/machines/polaris-like.cfg conf/machines/theta-like.cfg
machines_built = conf/installed/fugaku-like.cfg conf/installed/hoefler-moor-2014.cfg \
	conf/installed/polaris-like.cfg conf/installed/theta-like.cfg
machinesdir = $(pkgdatadir)/machines
dist_machines_DATA = $(machine_files)
noinst_DATA += $(machines_built)
CLEANFILES += $(machines_built)
$(machines_built): $(machine_files)
	$(AM_V_GEN)$(MKDIR_P) conf/installed && \
	  cp '$(srcdir)/conf/machines/$(@F)' $@.tmp && mv $@.tmp $@
