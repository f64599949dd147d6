/* SPDX-License-Identifier: BSD-3-Clause */
/* machine.c: which machine a prediction is about: the one that is named, or else that of
 * the table. */
#include "tools/predict/predict.h"

#include <stdlib.h>

#include "route/machine.h"
#include "tools/common/tool.h"

static int read_named(struct shunt_machine *machine, const char *name)
{
    struct shunt_diagnostics diagnostics = {0};
    const bool found = shunt_machine_find(machine, name, &diagnostics);
    if (!found && diagnostics.count == 0)
        shunt_tool_say("out of memory");
    shunt_tool_report(&diagnostics);
    if (found)
        return SHUNT_EXIT_OK;
    return shunt_machine_readable(name) ? SHUNT_EXIT_TABLE : SHUNT_EXIT_IO;
}

static int say_none(const struct shunt_subcommand *asker, const struct shunt_table *table)
{
    char *names = shunt_machine_names();
    const int code = shunt_tool_usage(
        asker,
        "the table (%s) describes no machine: name one by --machine (there are %s), or measure "
        "this one with \"shunt machine\"",
        shunt_table_string(table, table->source), names && names[0] ? names : "none");
    free(names);
    return code;
}

int shunt_predict_machine(struct shunt_machine *machine, const struct shunt_subcommand *asker,
                          const char *name, const char *path)
{
    if (name)
        return read_named(machine, name);
    int code = SHUNT_EXIT_OK;
    struct shunt_tool_query query = {.path = path};
    struct shunt_table *table = shunt_tool_table(&query, &code);
    if (!table)
        return code;
    if (table->modelled)
        *machine = table->model;
    else
        code = say_none(asker, table);
    free(table);
    return code;
}
