/* SPDX-License-Identifier: BSD-3-Clause */
/* write.c: a page with its data, from what a command has. */
#include <stdlib.h>
#include <string.h>

#include "route/machine.h"
#include "tools/common/tool.h"
#include "tools/view/view.h"

static void put_tables(struct shunt_view_data *data, const struct shunt_view_content *content)
{
    char name[16] = "user";
    shunt_json_put_array(&data->json, SHUNT_KEY_TABLES);
    for (int i = 0; i < content->table_count; i++) {
        if (i > 0)
            snprintf(name, sizeof name, "table%d", i + 1);
        shunt_view_put_table(data, name, content->tables[i]);
    }
    shunt_json_close(&data->json);
}

static bool is_given(const struct shunt_view_content *content, const char *name)
{
    for (int i = 0; i < content->machine_count; i++)
        if (strcmp(content->machines[i].name, name) == 0)
            return true;
    return false;
}

/* All that are found by their names and not hidden by one that was given. One that is wrong is
 * said, and the others are there. */
static void put_found(struct shunt_view_data *data, const struct shunt_view_content *content)
{
    struct shunt_diagnostics problems = {0};
    char *names = shunt_machine_names(), *rest = NULL;
    for (char *name = names ? strtok_r(names, ",", &rest) : NULL; name;
         name = strtok_r(NULL, ",", &rest)) {
        struct shunt_machine machine;
        name += strspn(name, " ");
        if (is_given(content, name))
            continue;
        char *path = shunt_machine_path(name, NULL, NULL, &problems);
        if (path && shunt_machine_find(&machine, name, &problems))
            shunt_view_put_machine(data, name, path, &machine);
        free(path);
    }
    shunt_tool_report(&problems);
    free(names);
}

static void put_machines(struct shunt_view_data *data, const struct shunt_view_content *content)
{
    shunt_json_put_array(&data->json, SHUNT_KEY_MACHINES);
    for (int i = 0; i < content->machine_count; i++) {
        const struct shunt_view_machine *one = &content->machines[i];
        shunt_view_put_machine(data, one->name, one->path, &one->machine);
    }
    put_found(data, content);
    shunt_json_close(&data->json);
}

static int make_data(struct shunt_view_data *data, const struct shunt_view_content *content)
{
    shunt_view_data_begin(data);
    put_tables(data, content);
    put_machines(data, content);
    const int code = content->put(&data->json, content->context);
    shunt_view_data_end(data);
    if (!data->text.cut)
        return code;
    shunt_tool_say("out of memory");
    return SHUNT_EXIT_IO;
}

int shunt_view_write(const struct shunt_view_content *content, const char *path)
{
    struct shunt_view_page page;
    struct shunt_view_data data;
    if (!shunt_view_portable()) {
        shunt_tool_say("tables cannot be embedded on this processor, which keeps numbers in "
                       "another order than browsers do: run this on another machine");
        return SHUNT_EXIT_IO;
    }
    int code = shunt_view_page_read(&page);
    if (code == SHUNT_EXIT_OK) {
        code = make_data(&data, content);
        /* Some lines of the logs may be none: the rest is worth seeing. */
        if (code <= SHUNT_EXIT_FINDINGS) {
            const int written = shunt_view_page_write(&page, &data, path);
            code = written > code ? written : code;
        }
        shunt_view_data_clear(&data);
    }
    shunt_view_page_clear(&page);
    return code;
}
