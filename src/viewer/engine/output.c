/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: what the page's commands write lies in its own memory, where nobody else is and no
 * disk is full: it is written as it is (base/output.h for processes). */
#include "base/output.h"

#include <errno.h>

int shunt_output_put(const char *name, const char *bytes, size_t count)
{
    FILE *stream = fopen(name, "w");
    if (!stream)
        return errno;
    const bool whole = fwrite(bytes, 1, count, stream) == count;
    return fclose(stream) == 0 && whole ? 0 : EIO;
}
