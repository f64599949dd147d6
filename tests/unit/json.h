/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * json.h: a strict check of JSON text (RFC 8259), for tests of what the programs write.
 */
#ifndef SHUNT_TESTS_JSON_H
#define SHUNT_TESTS_JSON_H

#include <stdbool.h>
#include <stddef.h>

/* Whether the `count` bytes are exactly one JSON value in valid UTF-8, without white space around
 * it. */
bool json_valid(const char *bytes, size_t count);

#endif
