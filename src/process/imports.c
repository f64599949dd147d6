/* SPDX-License-Identifier: BSD-3-Clause */
/* imports.c: see imports.h. */
#include "process/imports.h"

#include <link.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

/* After "MPI_I" in C and "mpi_i" in Fortran. */
static const char *const collective[] = {"allgather", "allreduce", "alltoall", "barrier",
                                         "bcast",     "exscan",    "gather",   "neighbor",
                                         "reduce",    "scan",      "scatter"};

static bool is_nonblocking(const char *name)
{
    if (strncasecmp(name, "MPI_", 4) != 0)
        return false;
    name += 4;
    if (strncasecmp(name, "comm_idup", 9) == 0)
        return true;
    const bool starts = *name == 'I' || *name == 'i';
    for (size_t i = 0; i < sizeof collective / sizeof *collective; i++) {
        const size_t length = strlen(collective[i]);
        if ((starts && strncasecmp(name + 1, collective[i], length) == 0) ||
            (strncasecmp(name, collective[i], length) == 0 && strstr(name, "_init")))
            return true;
    }
    return false;
}

struct names {
    const char *at;
    size_t bytes;
};

/* The names that an object imports and exports. */
static struct names names_of(const struct dl_phdr_info *info)
{
    struct names names = {NULL, 0};
    for (int i = 0; i < info->dlpi_phnum; i++) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC)
            continue;
        const ElfW(Dyn) *entry = (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            /* Some systems leave the address as it is in the file. */
            const uintptr_t at = entry->d_un.d_ptr;
            if (entry->d_tag == DT_STRTAB)
                names.at = (const char *)(at < info->dlpi_addr ? at + info->dlpi_addr : at);
            else if (entry->d_tag == DT_STRSZ)
                names.bytes = entry->d_un.d_val;
        }
    }
    return names;
}

static int visit(struct dl_phdr_info *info, size_t size, void *found)
{
    const struct names names = names_of(info);
    const char *const end = names.at ? names.at + names.bytes : NULL;
    bool uses = false;
    (void)size;
    if (!names.at || (info->dlpi_name && strstr(info->dlpi_name, "libshunt")))
        return 0;
    for (const char *name = names.at; name < end; name += strlen(name) + 1) {
        if (strcmp(name, "PMPI_Ialltoallw") == 0)
            return 0; /* an MPI library, or a tool that has all its functions */
        uses = uses || is_nonblocking(name);
    }
    *(bool *)found = *(bool *)found || uses;
    return 0;
}

bool shunt_imports_nonblocking(void)
{
    bool found = false;
    dl_iterate_phdr(visit, &found);
    return found;
}
