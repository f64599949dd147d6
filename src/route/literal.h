/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * literal.h: what libconfig makes of a number as it is written. Private to the parser.
 */
#ifndef SHUNT_ROUTE_LITERAL_H
#define SHUNT_ROUTE_LITERAL_H

#include <stddef.h>

#define SHUNT_LITERAL_NAME_BEGIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz*_"
#define SHUNT_LITERAL_NAME SHUNT_LITERAL_NAME_BEGIN "-0123456789"
#define SHUNT_LITERAL_NUMBER "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.+-"

enum shunt_literal {
    SHUNT_LITERAL_GOOD,  /* libconfig reads its value, or a floating-point number */
    SHUNT_LITERAL_WORD,  /* no number: "4K", "64-4095" */
    SHUNT_LITERAL_LARGE, /* needs an L; `plain` gets the number in decimal */
    SHUNT_LITERAL_HUGE   /* does not fit 64 bits */
};

enum shunt_literal shunt_literal_classify(const char *text, size_t length, char *plain,
                                          size_t capacity);

/* Length of a size or range with blanks within it at the beginning of `text`, "1K - 8K": one value,
 * though libconfig would see several. 0: none. */
size_t shunt_literal_spaced(const char *text);

#endif
