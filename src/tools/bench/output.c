/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: see output.h. */
#include "tools/bench/output.h"

#include <errno.h>
#include <string.h>

#include "tools/tool.h"

bool bench_output_open(struct bench_output *output, const char *name)
{
    *output = (struct bench_output){.name = name, .stream = stdout};
    if (strcmp(name, "-") == 0)
        return true;
    const int error = shunt_output_open(&output->file, name);
    if (error != 0)
        shunt_tool_say("%s cannot be written: %s", name, strerror(error));
    output->stream = output->file.stream;
    return error == 0;
}

bool bench_output_close(struct bench_output *output, bool whole)
{
    int error = 0;
    if (output->file.stream)
        error = shunt_output_close(&output->file, whole);
    else if (output->stream && (fflush(output->stream) != 0 || ferror(output->stream)))
        error = errno;
    if (error != 0)
        shunt_tool_say("%s could not be written: %s", output->name, strerror(error));
    *output = (struct bench_output){0};
    return error == 0;
}

void bench_output_drop(struct bench_output *output)
{
    shunt_output_drop(&output->file);
    *output = (struct bench_output){0};
}
