/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decision_files.h: what the tests of decision files share: pieces of their text, a folder to put
 * them in, and a look at what is said about them.
 */
#ifndef SHUNT_TESTS_DECISION_FILES_H
#define SHUNT_TESTS_DECISION_FILES_H

#include <stddef.h>

#include "route/parse.h"

#define HEAD "schema = 1;\n"
#define NATIVE "algorithm = \"native\";"

/* Fails unless the diagnostics are these, in this order: all up to NULL, or the first `most`. */
void expect(const struct shunt_diagnostics *diagnostics, const char *const *expected, size_t most);

/* A folder for the files of one test: a setup and a teardown of cmocka, and where it is. */
extern char folder[64];
int make_folder(void **state);
int remove_folder(void **state);
#define WITH_FOLDER(test) cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)

/* The path of a name in the folder; in a static buffer. */
const char *path_of(const char *name);

/* Make a file in the folder, or write it anew. */
void write_file(const char *name, const char *text, size_t length);
void write_text(const char *name, const char *text);

#endif
