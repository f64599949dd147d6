/* SPDX-License-Identifier: BSD-3-Clause */
/* without.c: `shunt import` of JSON in a build without the library for it. */
#include "tools/import/import.h"

bool shunt_import_json(struct shunt_import *import, struct shunt_import_value *root)
{
    *root = (struct shunt_import_value){.line = 1};
    shunt_import_problem(import, 1,
                         "this is JSON, and this shunt was built without json-c: install json-c "
                         "with its development files (Debian: libjson-c-dev), then configure and "
                         "build again");
    return false;
}
