# SPDX-License-Identifier: BSD-3-Clause
# The viewer: a page in one file, with the command's own code in it, compiled to WebAssembly.

# What the engine is made of: the subcommands that only calculate and all that they need, but
# libconfig, folders of tables (engine/images.c) and threads (engine/work.c).
engine_sources = \
	$(src_librows_a_SOURCES) $(src_libschedule_a_SOURCES) $(src_libmodel_a_SOURCES) \
	src/viewer/engine/main.c src/viewer/engine/images.c src/viewer/engine/work.c \
	src/viewer/engine/output.c \
	src/base/environment.c src/base/environment.h src/base/size.c src/base/size.h \
	src/route/table.c src/route/table.h src/route/diagnostics.c src/route/words.c \
	src/route/words.h src/route/spelling.c src/route/force.c src/route/match.c \
	src/route/match.h src/route/map.c src/route/route.h src/route/settings.c \
	src/route/settings.h src/route/machine_keys.c src/route/machine_keys.h src/route/write.c \
	src/route/write.h src/route/quote.c src/route/quote.h src/route/decimal.c \
	src/route/decimal.h \
	src/log/json.c src/log/json.h src/log/keys.h src/log/text.c src/log/text.h \
	src/log/line.c src/log/line.h src/log/columns.c src/log/columns.h src/log/elapsed.c \
	src/log/elapsed.h \
	src/tools/common/tool.c src/tools/common/tool.h src/tools/common/text.c src/tools/common/fold.c src/tools/common/fold.h \
	src/tools/common/sheet.c src/tools/common/sheet.h src/tools/common/sheet_text.c \
	src/tools/common/sheet_text.h src/tools/algorithms.c \
	src/tools/explain/command.c src/tools/explain/answer.c src/tools/explain/answer.h \
	src/tools/explain/predicted.c src/tools/explain/predicted.h \
	src/tools/common/question.c src/tools/common/question.h src/tools/common/shape.c src/tools/common/shape.h \
	src/tools/common/effort.c src/tools/common/effort.h src/tools/schedule/command.c src/tools/schedule/shown.c \
	src/tools/schedule/shown.h src/tools/schedule/text.c src/tools/schedule/json.c src/tools/schedule/sweep.c \
	src/tools/schedule/counts.c src/tools/common/matrix.c src/tools/common/matrix.h src/tools/common/rules.c \
	src/tools/common/rules.h src/tools/common/options.c src/tools/common/options.h \
	src/tools/explain/grid.c src/tools/explain/grid.h \
	src/tools/explain/forms.c \
	src/tools/predict/predict.h src/tools/predict/command.c \
	src/tools/common/axis.c src/tools/common/axis.h src/tools/predict/machine.c \
	src/tools/predict/case.c src/tools/predict/cost.c src/tools/predict/costs.c \
	src/tools/predict/work.h src/tools/predict/limit.c src/tools/predict/rank.c \
	src/tools/predict/rows.c src/tools/predict/call.c src/tools/predict/progress.c \
	src/tools/predict/progress.h src/tools/predict/grid.c src/tools/predict/map.c \
	src/tools/predict/map.h src/tools/predict/lines.c \
	src/tools/view/view.h src/tools/view/data.h \
	src/tools/measure/distribution.c src/tools/measure/distribution.h src/tools/measure/random.h \
	src/tools/bench/selections.c src/tools/bench/options.c src/tools/bench/options.h

EXTRA_DIST += src/viewer/build-engine src/viewer/engine/main.c src/viewer/engine/images.c \
	src/viewer/engine/work.c src/viewer/engine/output.c src/viewer/engine/include/pthread.h

src/viewer/engine.wasm: $(engine_sources) src/route/builtin.c config.h src/viewer/build-engine
	$(AM_V_GEN)$(MKDIR_P) $(@D) && sh '$(srcdir)/src/viewer/build-engine' $@ '$(WASM_CC)' \
	  '$(srcdir)' . $(WASM_FLAGS) -- $(engine_sources) '$(abs_builddir)/src/route/builtin.c'
CLEANFILES += src/viewer/engine.wasm

# The data of the page as it is installed: the descriptions of machines that come with Shunt.
noinst_PROGRAMS += src/make-viewer-data
src_make_viewer_data_SOURCES = src/viewer/make_data.c src/tools/view/data.c src/tools/view/data.h
src_make_viewer_data_LDADD = src/libparse.a $(table_libs) $(LIBCONFIG_LIBS)
src/viewer/data.json: src/make-viewer-data$(EXEEXT) $(machine_files)
	$(AM_V_GEN)$(MKDIR_P) $(@D) && for file in $(machine_files); do \
	    test -f "$$file" || file='$(srcdir)'/$$file; set -- "$$@" "$$file"; done && \
	  src/make-viewer-data$(EXEEXT) "$$@" >$@.tmp && mv $@.tmp $@
CLEANFILES += src/viewer/data.json

# The page. Its parts are copied, because npm writes beside them; a page that came with the sources
# (a release) is taken as it is. `sources.sum` changes when a file of the page does. Whether there
# is a page, viewer.html, shows when `page.done` is made: with --enable-viewer=auto the build goes on
# where npm cannot have its packages.
EXTRA_DIST += src/viewer/README.md src/viewer/build-page
.PHONY: viewer-sources
src/viewer/sources.sum: viewer-sources
	@$(MKDIR_P) $(@D) && sh '$(srcdir)/src/viewer/build-page' sum '$(srcdir)/src/viewer/app' $@
CLEANFILES += src/viewer/sources.sum src/viewer/viewer.html src/viewer/page.done

if VIEWER_BUILT
src/viewer/page.done: src/viewer/sources.sum src/viewer/engine.wasm src/viewer/data.json \
		src/viewer/build-page
	$(AM_V_GEN)sh '$(srcdir)/src/viewer/build-page' build '$(srcdir)/src/viewer/app' \
	  src/viewer/viewer.html '$(NPM)' $(enable_viewer) && touch $@
endif
if VIEWER_SHIPPED
src/viewer/page.done: $(srcdir)/src/viewer/built/viewer.html
	$(AM_V_GEN)$(MKDIR_P) $(@D) && cp '$(srcdir)/src/viewer/built/viewer.html' \
	  src/viewer/viewer.html && touch $@
endif
if VIEWER
noinst_DATA += src/viewer/page.done
install-data-hook:
	@if test -f src/viewer/viewer.html; then \
	  $(MKDIR_P) '$(DESTDIR)$(pkgdatadir)' && \
	  $(INSTALL_DATA) src/viewer/viewer.html '$(DESTDIR)$(pkgdatadir)/viewer.html'; fi
endif
uninstall-hook:
	rm -f '$(DESTDIR)$(pkgdatadir)/viewer.html'

# A release has the page, so that who builds it needs no npm.
dist-hook:
	sh '$(srcdir)/src/viewer/build-page' copy '$(srcdir)/src/viewer/app' '$(distdir)/src/viewer/app'
	@if test -f src/viewer/viewer.html; then \
	  $(MKDIR_P) '$(distdir)/src/viewer/built' && \
	  cp src/viewer/viewer.html '$(distdir)/src/viewer/built/viewer.html'; \
	else \
	  echo "warning: this tarball has no page of the viewer, which was left out (see configure)" >&2; \
	fi
clean-local:
	rm -rf src/viewer/work src/viewer/npm-cache src/viewer/npm.log src/simulation.d
	rm -f src/simulation src/simulation-* src/simulate-*
