/* SPDX-License-Identifier: BSD-3-Clause */
/* version.c: the MPI library's name and version. */
#include "pmpi/version.h"

#include <stdio.h>
#include <string.h>

#include "pmpi/pmpi.h"

/* Where "Version", blanks and a colon begin in a line; NULL: nowhere. *after: what follows them. */
static const char *find_label(const char *line, const char **after)
{
    static const char label[] = "version";
    const char *at = strcasestr(line, label), *colon = at;
    if (!at)
        return NULL;
    colon += strlen(label);
    colon += strspn(colon, " \t");
    if (*colon != ':')
        return NULL;
    *after = colon + 1 + strspn(colon + 1, " \t");
    return at;
}

void shunt_pmpi_version_print(const char *told, char *text, size_t capacity)
{
    static const char open_mpi[] = "Open MPI v";
    char line[SHUNT_PMPI_VERSION_MAX];
    const char *after = NULL;
    if (strncmp(told, open_mpi, sizeof open_mpi - 1) == 0) {
        told += sizeof open_mpi - 1;
        snprintf(text, capacity, "Open MPI %.*s", (int)strcspn(told, ", \n"), told);
        return;
    }
    snprintf(line, sizeof line, "%.*s", (int)strcspn(told, "\n"), told);
    const char *label = find_label(line, &after);
    size_t name = label ? (size_t)(label - line) : 0;
    while (name > 0 && (line[name - 1] == ' ' || line[name - 1] == '\t'))
        name--;
    /* "MPI VERSION    : CRAY MPICH version 8.1.27": the name comes behind. */
    if (name == 0 || (name == 3 && strncmp(line, "MPI", 3) == 0))
        snprintf(text, capacity, "%s", label ? after : line);
    else
        snprintf(text, capacity, "%.*s %s", (int)name, line, after);
}

void shunt_pmpi_version(char *text, size_t capacity)
{
    int (*get_version)(char *, int *) = NULL;
    char told[MPI_MAX_LIBRARY_VERSION_STRING + 1] = "";
    int length = 0;
    *(void **)&get_version = shunt_pmpi_symbol("PMPI_Get_library_version");
    if (!get_version || get_version(told, &length) != MPI_SUCCESS)
        told[0] = '\0';
    shunt_pmpi_version_print(told, text, capacity);
}
