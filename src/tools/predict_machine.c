/* SPDX-License-Identifier: BSD-3-Clause */
/* predict_machine.c: which machine a prediction is about: the one that is named, or else that of
 * the table. */
#include <stdlib.h>

#include "route/machine.h"
#include "tools/predict.h"
#include "tools/tool.h"

static int read_named(struct shunt_machine *machine, const char *name)
{
    struct shunt_diagnostics diagnostics = {0};
    const bool found = shunt_machine_find(machine, name, &diagnostics);
    if (!found && diagnostics.count == 0)
        shunt_tool_say("out of memory");
    shunt_tool_report(&diagnostics);
    return found ? SHUNT_EXIT_OK : SHUNT_EXIT_TABLE;
}

int shunt_predict_machine(struct shunt_machine *machine, const struct shunt_subcommand *asker,
                          const char *name, const char *table)
{
    if (name)
        return read_named(machine, name);
    char *names = shunt_machine_names();
    const int code = shunt_tool_usage(
        asker,
        "%s%sno machine is described: name one by --machine (%s), or measure this one with "
        "\"shunt machine\"",
        table ? table : "", table ? ": " : "", names ? names : "none is installed");
    free(names);
    return code;
}
