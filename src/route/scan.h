/* SPDX-License-Identifier: BSD-3-Clause */
/* scan.h: reads a decision file, and what it includes, into a text for libconfig. Private to the
 * parser. */
#ifndef SHUNT_ROUTE_SCAN_H
#define SHUNT_ROUTE_SCAN_H

#include "route/source.h"

/*
 * Fills `source` from a file, whose full name is `name`, or from a text named `name`. Adds every
 * problem; `broken` says whether the text is worth parsing. Includes are relative to the folder of
 * the including file; a text whose name has no folder may not include anything. Release in any
 * case.
 */
void shunt_scan_file(struct shunt_source *source, const char *path, const char *name,
                     struct shunt_diagnostics *diagnostics);
void shunt_scan_text(struct shunt_source *source, const char *text, const char *name,
                     struct shunt_diagnostics *diagnostics);

#endif
