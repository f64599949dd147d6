/* SPDX-License-Identifier: BSD-3-Clause */
/* library.c: finds the MPI library by name, whatever way it was loaded. */
#include "pmpi/library.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Every MPI library has it, and libshunt.so has not. */
#define KNOWN "PMPI_Alltoallw"

struct look {
    uintptr_t address;
    struct shunt_object object;
};

static bool holds(const struct dl_phdr_info *info, uintptr_t address)
{
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && address - info->dlpi_addr - part->p_vaddr < part->p_memsz)
            return true;
    }
    return false;
}

static void bounds(const struct dl_phdr_info *info, struct shunt_object *object)
{
    uintptr_t from = UINTPTR_MAX, to = 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        const uintptr_t begin = info->dlpi_addr + part->p_vaddr, end = begin + part->p_memsz;
        if (part->p_type != PT_LOAD)
            continue;
        from = begin < from ? begin : from;
        to = end > to ? end : to;
    }
    object->from = (const void *)from;
    object->to = (const void *)to;
}

static int visit_address(struct dl_phdr_info *info, size_t size, void *data)
{
    struct look *look = data;
    (void)size;
    if (!holds(info, look->address))
        return 0;
    look->object.file = info->dlpi_name ? info->dlpi_name : "";
    bounds(info, &look->object);
    return 1;
}

/* Not dladdr: that looks through all symbols of the object for a name, which takes longer than
 * everything else here. */
struct shunt_object shunt_library_object(const void *address)
{
    struct look look = {.address = (uintptr_t)address,
                        .object = {.file = "", .from = address, .to = address}};
    if (address)
        dl_iterate_phdr(visit_address, &look);
    return look.object;
}

/* Whether an address is within the object that this is a part of. */
static bool is_own(const void *address)
{
    static struct shunt_object own;
    if (!own.file)
        own = shunt_library_object(&own);
    return (uintptr_t)address >= (uintptr_t)own.from && (uintptr_t)address < (uintptr_t)own.to;
}

/*
 * What an object calls and does not have itself comes before symoffset in its table of symbols, for
 * the hash table behind has what it defines.
 */
static bool calls_library(const struct dl_phdr_info *info, const ElfW(Dyn) * entry)
{
    const ElfW(Sym) *symbols = NULL;
    const char *names = NULL;
    const uint32_t *hash = NULL;
    for (; entry->d_tag != DT_NULL; entry++) {
        const ElfW(Addr) value = entry->d_un.d_ptr;
        const void *at = (const void *)(value < info->dlpi_addr ? value + info->dlpi_addr : value);
        symbols = entry->d_tag == DT_SYMTAB ? at : symbols;
        names = entry->d_tag == DT_STRTAB ? at : names;
        hash = entry->d_tag == DT_GNU_HASH ? at : hash;
    }
    for (uint32_t i = 1; symbols && names && hash && i < hash[1]; i++)
        if (symbols[i].st_shndx == SHN_UNDEF &&
            strncmp(names + symbols[i].st_name, "PMPI_", 5) == 0)
            return true;
    return false;
}

struct calls {
    uintptr_t address;
    bool library;
};

static int visit_calls(struct dl_phdr_info *info, size_t size, void *data)
{
    struct calls *calls = data;
    (void)size;
    if (!holds(info, calls->address))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_DYNAMIC)
            calls->library =
                calls_library(info, (const void *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr));
    return 1;
}

static bool is_shunt(const char *file)
{
    return strstr(file, "libshunt.so") != NULL;
}

/* Whether the object that has this address calls PMPI_ functions of another one, as profiling tools
 * do, and another libshunt.so. */
static bool is_tool(const void *address)
{
    struct calls calls = {.address = (uintptr_t)address};
    if (is_shunt(shunt_library_object(address).file))
        return true;
    dl_iterate_phdr(visit_calls, &calls);
    return calls.library;
}

/* The symbol in the object of this address, or in what that object depends on, or NULL. */
static void *symbol_from(const void *address, const char *name)
{
    const char *file = shunt_library_object(address).file;
    void *handle = *file ? dlopen(file, RTLD_NOLOAD | RTLD_LAZY) : NULL;
    void *symbol = handle ? dlsym(handle, name) : NULL;
    if (handle)
        dlclose(handle);
    return symbol && !is_own(symbol) ? symbol : NULL;
}

/* Some loaders hide MPI (RTLD_LOCAL) and call us through a wrapper of their own: look at every
 * object. */
struct search {
    const char *name;
    void *symbol; /* the first that was found */
    bool several; /* another object has one as well */
};

static int visit_object(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;
    void *handle = NULL, *symbol = NULL;
    (void)size;
    if (info->dlpi_name && info->dlpi_name[0])
        handle = dlopen(info->dlpi_name, RTLD_NOLOAD | RTLD_LAZY);
    if (handle) {
        symbol = dlsym(handle, search->name);
        dlclose(handle);
    }
    if (!symbol || symbol == search->symbol || is_own(symbol))
        return 0;
    search->several = search->symbol != NULL;
    search->symbol = search->symbol ? search->symbol : symbol;
    return 0;
}

static struct search anywhere(const char *name)
{
    struct search search = {.name = name};
    dl_iterate_phdr(visit_object, &search);
    return search;
}

void *shunt_library_next(const void *caller, const char *name)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    if (!symbol)
        symbol = symbol_from(caller, name);
    return symbol ? symbol : anywhere(name).symbol;
}

/*
 * Address of the known name in the library that the code at `caller` uses, or NULL. next: what it
 * calls behind us: the library itself, something that depends on the library, or a tool that is
 * linked with none. Anything else has nothing to do with a library that happens to be there too.
 */
static void *find_known(const void *caller, const void *next)
{
    void *known = next ? symbol_from(next, KNOWN) : NULL;
    if (known || (next && !is_tool(next)))
        return known;
    known = symbol_from(caller, KNOWN);
    if (!known)
        known = dlsym(RTLD_DEFAULT, KNOWN);
    if (known)
        return known;
    const struct search search = anywhere(KNOWN);
    return search.several ? NULL : search.symbol;
}

static int visit_name(struct dl_phdr_info *info, size_t size, void *data)
{
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    (void)size;
    *(bool *)data = slash && strncmp(slash + 1, "libmpi", 6) == 0;
    return *(bool *)data;
}

bool shunt_library_loaded(void)
{
    bool loaded = false;
    dl_iterate_phdr(visit_name, &loaded);
    return loaded;
}

bool shunt_library_present(void)
{
    return dlsym(RTLD_DEFAULT, "PMPI_Init") || shunt_library_loaded();
}

void *shunt_library_symbol(const struct shunt_library *library, const char *name)
{
    return library->lookup ? library->lookup(library, name) : NULL;
}

void *shunt_library_behind(const struct shunt_library *library, const char *name)
{
    void *symbol = library->global ? dlsym(RTLD_NEXT, name) : NULL;
    return symbol ? symbol : dlsym(library->handle, name);
}

/* A back end calls this one of the front: "next" is what comes behind libshunt.so. */
static void *lookup(const struct shunt_library *library, const char *name)
{
    void *symbol = library->global ? dlsym(RTLD_DEFAULT, name) : NULL;
    return symbol && !is_own(symbol) ? symbol : shunt_library_behind(library, name);
}

void *shunt_library_variable(const struct shunt_library *library, const char *name)
{
    void *variable = library->global ? dlsym(RTLD_DEFAULT, name) : NULL;
    return variable ? variable : shunt_library_symbol(library, name);
}

/* Another tool between us and the library sees nothing of the calls that we pass on to PMPI_. Where
 * the library is, a function tells that nobody puts another in the place of. */
static const char *tool_between(const struct shunt_library *library)
{
    const void *next = dlsym(RTLD_NEXT, "MPI_Alltoallv");
    const char *tool = shunt_library_object(next).file,
               *own =
                   shunt_library_object(shunt_library_symbol(library, "PMPI_Get_library_version"))
                       .file;
    return next && *tool && strcmp(tool, own) != 0 && !is_shunt(tool) ? tool : NULL;
}

/* The library itself, or what it depends on: another MPI library may be in the process as well. */
static bool has(const struct shunt_library *library, const char *name)
{
    return dlsym(library->handle, name) != NULL;
}

/*
 * By names alone, which every program of that ABI needs: MPI_DUP_FN is MPIR_Dup_fn in the mpi.h of
 * MPICH, MPI_COMM_WORLD is ompi_mpi_comm_world in that of Open MPI. What a library calls itself
 * tells less: one that passes calls on to MPICH, with handles of its own, says that it is MPICH.
 *
 * The standard ABI has no names of its own but those of MPI 5, which others have as well. Open
 * MPI's library with that ABI depends on one with the names of Open MPI; neither it nor MPICH's has
 * conversions of handles to those of Fortran.
 */
static enum shunt_library_abi abi_by_names(const struct shunt_library *library)
{
    if (has(library, "MPIR_Dup_fn"))
        return SHUNT_LIBRARY_MPICH;
    if (has(library, "PMPI_Abi_get_version") && !has(library, "PMPI_Comm_c2f"))
        return SHUNT_LIBRARY_STANDARD;
    return has(library, "ompi_mpi_comm_world") ? SHUNT_LIBRARY_OPEN_MPI : SHUNT_LIBRARY_UNKNOWN;
}

/* MPI 5 has a function that tells whether the library has the standard ABI: it says -1 in one of
 * another ABI. Its arguments are the same in every one, and it may be called at any time. */
static enum shunt_library_abi abi_by_word(const struct shunt_library *library)
{
    int (*get_version)(int *, int *) = NULL, major = -1, minor = -1;
    *(void **)&get_version = shunt_library_symbol(library, "PMPI_Abi_get_version");
    const bool standard = get_version && get_version(&major, &minor) == 0 && major >= 1;
    if (standard)
        return SHUNT_LIBRARY_STANDARD;
    return library->abi == SHUNT_LIBRARY_STANDARD ? SHUNT_LIBRARY_UNKNOWN : library->abi;
}

/* The library that has the name at this address. In its own handle a name is its own, whatever
 * libshunt.so and other tools have of that name. */
static bool describe(void *known, struct shunt_library *library)
{
    *library = (struct shunt_library){.lookup = lookup,
                                      .next = shunt_library_next,
                                      .file = shunt_library_object(known).file,
                                      .global = dlsym(RTLD_DEFAULT, KNOWN) == known};
    library->handle = dlopen(*library->file ? library->file : NULL, RTLD_NOLOAD | RTLD_LAZY);
    if (!library->handle)
        return false;
    library->abi = abi_by_names(library);
    library->open_mpi = has(library, "ompi_mpi_comm_world");
    library->tool = tool_between(library);
    return true;
}

bool shunt_library_at_start(struct shunt_library *library)
{
    const void *next = shunt_library_loaded() ? dlsym(RTLD_NEXT, "MPI_Alltoall") : NULL;
    void *known = next ? find_known(NULL, next) : NULL;
    return known && describe(known, library) && library->global &&
           library->abi != SHUNT_LIBRARY_UNKNOWN;
}

bool shunt_library_find(const void *caller, const void *next, struct shunt_library *library)
{
    void *known = find_known(caller, next);
    if (!known || !describe(known, library))
        return false;
    library->abi = abi_by_word(library);
    return true;
}
