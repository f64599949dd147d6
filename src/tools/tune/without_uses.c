/* SPDX-License-Identifier: BSD-3-Clause */
/* without_uses.c: in place of uses.c where Shunt is built without JSON-C. */
#include "tools/tool.h"
#include "tools/tune/uses.h"

int tune_uses_read(struct tune_uses *uses, char *const *paths, int count)
{
    (void)uses;
    (void)paths;
    (void)count;
    shunt_tool_say("this Shunt was built without JSON-C, which \"shunt tune --from-log\" needs to "
                   "read logs");
    return SHUNT_EXIT_IO;
}

bool tune_uses_add(struct tune_uses *uses, const struct tune_use *call)
{
    (void)uses;
    (void)call;
    return false;
}

void tune_uses_clear(struct tune_uses *uses)
{
    (void)uses;
}
