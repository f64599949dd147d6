/* SPDX-License-Identifier: BSD-3-Clause */
/* without.c: `shunt view` of a build without the library for JSON: pages without logs. */
#include "tools/tool.h"
#include "tools/view/view.h"

int shunt_view_logs(struct shunt_view_data *data, const struct shunt_view_options *options)
{
    if (options->log_count > 0) {
        shunt_tool_say("logs cannot be read: this Shunt was built without json-c; install it "
                       "(Debian: libjson-c-dev) and build Shunt again");
        return SHUNT_EXIT_IO;
    }
    shunt_json_put_array(&data->json, SHUNT_KEY_LOGS);
    shunt_json_close(&data->json);
    return SHUNT_EXIT_OK;
}
