/* SPDX-License-Identifier: BSD-3-Clause */
/* without.c: `shunt log` of a build without the library for JSON. */
#include "tools/log/log.h"

int shunt_logs_run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    shunt_tool_say("this shunt was built without json-c, so it cannot read logs: install json-c "
                   "with its development files (Debian: libjson-c-dev), then configure and build "
                   "again");
    return SHUNT_EXIT_USAGE;
}
