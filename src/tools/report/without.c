/* SPDX-License-Identifier: BSD-3-Clause */
/* without.c: `shunt report` of a build without the library for JSON. */
#include "tools/log/log.h"
#include "tools/report/run.h"

int shunt_report_run(int argc, char **argv)
{
    return shunt_logs_run(argc, argv);
}
