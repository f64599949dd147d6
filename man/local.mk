# SPDX-License-Identifier: BSD-3-Clause
dist_man_MANS += man/shunt.1 man/shunt-bench.1 man/shunt.cfg.5
dist_man_MANS += man/libshunt.7
