# SPDX-License-Identifier: BSD-3-Clause
# The pages name places as @libdir@ and the like; they are installed with the paths of this build.
manual_pages = man/shunt.1 man/shunt-bench.1 man/shunt-log.1 man/shunt-machine.1 \
	man/shunt-predict.1 man/shunt-report.1 man/shunt-diff.1 man/shunt-import.1 man/shunt-explain.1 man/shunt-tune.1 man/shunt-view.1 man/shunt-one-group.1 man/shunt.cfg.5 man/shunt-machine.5 man/libshunt.7
manual_built = man/installed/shunt.1 man/installed/shunt-bench.1 man/installed/shunt-log.1 \
	man/installed/shunt-machine.1 man/installed/shunt-predict.1 man/installed/shunt-report.1 man/installed/shunt-diff.1 man/installed/shunt-import.1 man/installed/shunt-explain.1 man/installed/shunt-tune.1 man/installed/shunt-view.1 \
	man/installed/shunt-one-group.1 \
	man/installed/shunt.cfg.5 man/installed/shunt-machine.5 man/installed/libshunt.7
EXTRA_DIST += $(manual_pages)
man_MANS = $(manual_built)
CLEANFILES += $(manual_built)
substitute_paths = sed -e 's|[@]bindir[@]|$(bindir)|g' -e 's|[@]libdir[@]|$(libdir)|g' \
	-e 's|[@]libexecdir[@]|$(libexecdir)|g' -e 's|[@]sysconfdir[@]|$(sysconfdir)|g' \
	-e 's|[@]mandir[@]|$(mandir)|g' -e 's|[@]docdir[@]|$(docdir)|g' \
	-e 's|[@]pkgdatadir[@]|$(pkgdatadir)|g' -e 's|[@]prefix[@]|$(prefix)|g' \
	-e 's|[@]VERSION[@]|$(VERSION)|g'
$(manual_built): $(manual_pages) Makefile
	$(AM_V_GEN)$(MKDIR_P) man/installed && \
	  $(substitute_paths) '$(srcdir)/man/$(@F)' >$@.tmp && mv $@.tmp $@
