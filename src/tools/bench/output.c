/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: see output.h. */
#include "tools/bench/output.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/tool.h"

#define PART ".part"

static bool unwritable(const char *name)
{
    shunt_tool_say("%s cannot be written: %s", name, strerror(errno));
    return false;
}

/* What the file is, links followed, if it can be replaced: nothing yet, or a regular file. */
static char *replaceable(const char *name)
{
    struct stat status;
    if (stat(name, &status) != 0)
        return errno == ENOENT ? strdup(name) : NULL;
    return S_ISREG(status.st_mode) ? realpath(name, NULL) : NULL;
}

static char *joined(const char *path, const char *end)
{
    const size_t capacity = strlen(path) + strlen(end) + 1;
    char *text = malloc(capacity);
    if (text)
        snprintf(text, capacity, "%s%s", path, end);
    return text;
}

bool bench_output_open(struct bench_output *output, const char *name)
{
    *output = (struct bench_output){.name = name};
    if (strcmp(name, "-") == 0) {
        output->stream = stdout;
        return true;
    }
    output->path = replaceable(name);
    output->part = output->path ? joined(output->path, PART) : NULL;
    /* A file that may not be written is not replaced either. */
    if (output->part && access(output->path, F_OK) == 0 && access(output->path, W_OK) != 0)
        return unwritable(name);
    output->stream = fopen(output->part ? output->part : name, "w");
    return output->stream || unwritable(name);
}

bool bench_output_close(struct bench_output *output, bool whole)
{
    FILE *stream = output->stream;
    bool good = !stream || (fflush(stream) == 0 && !ferror(stream));
    if (stream && output->part)
        good &= fsync(fileno(stream)) == 0;
    if (stream && stream != stdout)
        good &= fclose(stream) == 0;
    if (good && stream && output->part && whole)
        good = rename(output->part, output->path) == 0;
    if (!good)
        shunt_tool_say("%s could not be written: %s", output->name, strerror(errno));
    free(output->path);
    free(output->part);
    *output = (struct bench_output){0};
    return good;
}
