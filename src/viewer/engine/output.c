/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: what the page's commands write lies in its own memory, where nobody else is and no
 * disk is full: it is written as it is (base/output.h for processes). */
#include "base/output.h"

#include <errno.h>

#include "tools/common/tool.h"
#include "tools/view/view.h"

int shunt_output_put(const char *name, const char *bytes, size_t count)
{
    FILE *stream = fopen(name, "w");
    if (!stream)
        return errno;
    const bool whole = fwrite(bytes, 1, count, stream) == count;
    return fclose(stream) == 0 && whole ? 0 : EIO;
}

/* The page does not hold itself. */
int shunt_view_write(const struct shunt_view_content *content, const char *path)
{
    (void)content;
    shunt_tool_say("%s: a page writes no other page: start this command in a shell", path);
    return SHUNT_EXIT_IO;
}
