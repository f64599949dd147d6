/* SPDX-License-Identifier: BSD-3-Clause */
/* site.c: see site.h. */
#include "log/site.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <inttypes.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"

/* Deeper than Shunt and the wrappers of an MPI library go. */
enum { DEPTH = 32 };
/* Addresses that are remembered: looking one up takes longer than a small call. A program has some
 * dozens; of more, those that find no room are looked up again each time and have no site. */
enum { KNOWN = 1024 };

/* What is known of an address on the stack. A module that is closed and replaced by another at the
 * same place is told as the first one. */
struct place {
    uintptr_t address; /* 0: free */
    bool between;      /* Shunt's or the MPI library's */
    struct shunt_log_site site;
};

static struct place known[KNOWN];
static int known_count;

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

/* libmpi.so, libmpich.so, libmpifort.so, libmpi_mpifh.so; libshunt.so and its core. */
static bool is_between(const char *module, const void *base)
{
    Dl_info own;
    const char *slash = strrchr(module, '/'), *name = slash ? slash + 1 : module;
    return begins(name, "libmpi") || begins(name, "libshunt") ||
           (dladdr(&known, &own) != 0 && own.dli_fbase == base);
}

/* False: memory is short. */
static bool fill(struct place *place)
{
    Dl_info info;
    struct link_map *map = NULL;
    char *address = NULL;
    /* The call itself: the function may end behind one that never returns. */
    const void *inside = (const void *)(place->address - 1);
    if (dladdr1(inside, &info, (void **)&map, RTLD_DL_LINKMAP) == 0 || !info.dli_fname || !map)
        return true; /* code without a module: as if it were not there */
    place->between = is_between(info.dli_fname, info.dli_fbase);
    if (place->between)
        return true;
    /* As the file counts, whether it is position independent or not. */
    if (asprintf(&address, "%s+0x%" PRIxPTR, info.dli_fname, place->address - map->l_addr) < 0)
        return false;
    place->site.address = address;
    place->site.symbol = info.dli_sname ? strdup(info.dli_sname) : NULL;
    return true;
}

/* NULL: there is no room. */
static const struct place *place_of(uintptr_t address)
{
    size_t at = (size_t)shunt_hash_mix(address) % KNOWN;
    for (; known[at].address != 0; at = (at + 1) % KNOWN)
        if (known[at].address == address)
            return &known[at];
    if (known_count == KNOWN / 2)
        return NULL;
    struct place place = {.address = address};
    if (!fill(&place))
        return NULL;
    known[at] = place;
    known_count++;
    return &known[at];
}

void shunt_log_site_prepare(void)
{
    void *frames[1];
    (void)backtrace(frames, 1);
}

const struct shunt_log_site *shunt_log_site_find(void)
{
    void *frames[DEPTH];
    const int count = backtrace(frames, DEPTH);
    for (int i = 0; i < count; i++) {
        const struct place *place = place_of((uintptr_t)frames[i]);
        if (!place)
            return NULL;
        if (!place->between && place->site.address)
            return &place->site;
    }
    return NULL;
}
