# SPDX-License-Identifier: BSD-3-Clause
# default.cfg is compiled in as the built-in table (src/route/local.mk); all are installed as
# documentation, never as configuration.
confdocdir = $(docdir)/conf
dist_confdoc_DATA = conf/default.cfg conf/example.cfg conf/quickstart.cfg
