/* SPDX-License-Identifier: BSD-3-Clause */
/* quote.c: strings of decision files. */
#include "route/quote.h"

#include <ctype.h>

void shunt_quote_write(FILE *stream, const char *string)
{
    putc('"', stream);
    for (const char *at = string; *at != '\0'; at++) {
        if (*at == '"' || *at == '\\')
            fprintf(stream, "\\%c", *at);
        else if (iscntrl((unsigned char)*at) && (unsigned char)*at < 0x80)
            fprintf(stream, "\\x%02x", (unsigned)(unsigned char)*at);
        else
            putc(*at, stream);
    }
    putc('"', stream);
}
