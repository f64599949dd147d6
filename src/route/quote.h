/* SPDX-License-Identifier: BSD-3-Clause */
/* quote.h: strings as decision files and machine descriptions quote them. */
#ifndef SHUNT_ROUTE_QUOTE_H
#define SHUNT_ROUTE_QUOTE_H

#include <stdio.h>

/* With its quotes. Errors stay in the stream. */
void shunt_quote_write(FILE *stream, const char *string);

#endif
