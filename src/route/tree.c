/* SPDX-License-Identifier: BSD-3-Clause */
/* tree.c: libconfig, and what it finds wrong with a text. */
#include "route/tree.h"

#include <string.h>

/* libconfig says neither token nor text: show the line. */
static void report_syntax(const struct shunt_source *source, const config_t *config,
                          struct shunt_diagnostics *diagnostics)
{
    unsigned line = config_error_line(config) > 0 ? (unsigned)config_error_line(config) : 1;
    const char *at = source->text;
    for (unsigned i = 1; i < line && at; i++) {
        at = strchr(at, '\n');
        at += at ? 1 : 0;
    }
    at += at ? strspn(at, " ") : 0;
    int length = at ? (int)strcspn(at, "\n") : 0;
    const char *text = config_error_text(config);
    shunt_diagnostics_add(diagnostics, "%s:%d: %s%s%.*s%s", shunt_source_name(source, line),
                          shunt_source_number(source, line), text ? text : "syntax error",
                          length > 0 ? " in or before: " : "", length < 60 ? length : 60,
                          length > 0 ? at : "", length > 60 ? "..." : "");
}

bool shunt_tree_read(config_t *config, const struct shunt_source *source, const char *name,
                     size_t before, struct shunt_diagnostics *diagnostics)
{
    config_init(config);
    if (source->broken || !source->text) {
        if (diagnostics->count == before)
            shunt_diagnostics_add(diagnostics, "%s: is too large, or memory is short", name);
        return false;
    }
    if (config_read_string(config, source->text) == CONFIG_TRUE)
        return true;
    report_syntax(source, config, diagnostics);
    return false;
}
