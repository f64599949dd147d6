/* SPDX-License-Identifier: BSD-3-Clause */
/* make_data.c: run by the build, on the descriptions of machines that come with Shunt: writes the
 * data of the page as it is installed. Not installed. */
#include <stdio.h>
#include <string.h>

#include "route/machine.h"
#include "tools/view/data.h"

#define SUFFIX ".cfg"

/* machines/alpha.cfg is called alpha, wherever it lies. */
static void put_machine(struct shunt_view_data *data, const char *path,
                        struct shunt_diagnostics *problems)
{
    struct shunt_machine machine;
    char name[256];
    const char *slash = strrchr(path, '/'), *file = slash ? slash + 1 : path;
    const size_t length = strlen(file), end = strlen(SUFFIX);
    if (!shunt_machine_read(&machine, path, problems))
        return;
    snprintf(name, sizeof name, "%.*s", (int)(length > end ? length - end : length), file);
    shunt_view_put_machine(data, name, file, &machine);
}

int main(int argc, char **argv)
{
    struct shunt_diagnostics problems = {0};
    struct shunt_view_data data;
    shunt_view_data_begin(&data);
    shunt_json_put_array(&data.json, SHUNT_KEY_TABLES);
    shunt_json_close(&data.json);
    shunt_json_put_array(&data.json, SHUNT_KEY_MACHINES);
    for (int i = 1; i < argc; i++)
        put_machine(&data, argv[i], &problems);
    shunt_json_close(&data.json);
    shunt_json_put_array(&data.json, SHUNT_KEY_LOGS);
    shunt_json_close(&data.json);
    shunt_view_data_end(&data);
    for (size_t i = 0; i < problems.count; i++)
        fprintf(stderr, "%s\n", problems.text[i]);
    fwrite(data.text.bytes, 1, data.text.used, stdout);
    const int wrong = problems.count > 0 || data.text.cut || !shunt_view_portable() ||
                      fflush(stdout) != 0 || ferror(stdout);
    shunt_diagnostics_clear(&problems);
    shunt_view_data_clear(&data);
    return wrong;
}
