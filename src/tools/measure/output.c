/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: see output.h. */
#include "tools/measure/output.h"

#include <errno.h>
#include <string.h>

#include "tools/common/tool.h"
#include "tools/measure/program.h"

bool measure_output_open(struct measure_output *output, const char *name)
{
    *output = (struct measure_output){.name = name, .stream = stdout};
    if (strcmp(name, "-") == 0)
        return true;
    const int error = shunt_output_open(&output->file, name);
    if (error != 0)
        shunt_tool_say("%s cannot be written: %s", name, strerror(error));
    output->stream = output->file.stream;
    return error == 0;
}

bool measure_output_close(struct measure_output *output, bool whole)
{
    int error = 0;
    if (output->file.stream)
        error = shunt_output_close(&output->file, whole);
    else if (output->stream && (fflush(output->stream) != 0 || ferror(output->stream)))
        error = errno;
    if (error != 0)
        shunt_tool_say("%s could not be written: %s", output->name, strerror(error));
    *output = (struct measure_output){0};
    return error == 0;
}

void measure_output_drop(struct measure_output *output)
{
    shunt_output_drop(&output->file);
    *output = (struct measure_output){0};
}

void measure_sheet_end(struct shunt_sheet *sheet)
{
    if (shunt_sheet_end(sheet) != SHUNT_EXIT_OK)
        measure_fail(MPI_ERR_NO_MEM, "printing a table");
}
