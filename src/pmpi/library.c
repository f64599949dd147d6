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

/* The loaded object `file` as a handle, if MPI can be reached from it. */
static void *handle_with_mpi(const char *file)
{
    void *handle = dlopen(file, RTLD_NOLOAD | RTLD_LAZY);
    if (handle && dlsym(handle, KNOWN))
        return handle;
    if (handle)
        dlclose(handle);
    return NULL;
}

struct search {
    char provider[4096]; /* object that defines the name */
    void *known;
    int providers;
};

/* Some loaders hide MPI (RTLD_LOCAL) and call us through a wrapper of their own: look at every
 * object, and take the only provider. */
static int visit_object(struct dl_phdr_info *info, size_t size, void *data)
{
    struct search *search = data;
    (void)size;
    if (!info->dlpi_name || !info->dlpi_name[0])
        return 0;
    void *handle = handle_with_mpi(info->dlpi_name);
    if (!handle)
        return 0;
    void *known = dlsym(handle, KNOWN);
    const char *provider = shunt_library_object(known).file;
    dlclose(handle);
    if (search->providers > 0 && strcmp(provider, search->provider) == 0)
        return 0;
    search->providers++;
    search->known = known;
    snprintf(search->provider, sizeof search->provider, "%s", provider);
    return 0;
}

/* Address of the known name in the library that the code at `caller` uses, or NULL. */
static void *find_known(void *caller)
{
    const char *file = shunt_library_object(caller).file;
    void *handle = *file ? handle_with_mpi(file) : NULL;
    void *known = dlsym(handle ? handle : RTLD_DEFAULT, KNOWN);
    if (handle)
        dlclose(handle);
    if (known)
        return known;
    struct search search = {.providers = 0};
    dl_iterate_phdr(visit_object, &search);
    return search.providers == 1 ? search.known : NULL;
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

/* Whether an address is within the object that this is a part of. */
static bool is_own(const void *address)
{
    static struct shunt_object own;
    if (!own.file)
        own = shunt_library_object(&own);
    return (uintptr_t)address >= (uintptr_t)own.from && (uintptr_t)address < (uintptr_t)own.to;
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
    return next && *tool && strcmp(tool, own) != 0 && !strstr(tool, "libshunt.so") ? tool : NULL;
}

/*
 * By names alone. That of the standard ABI first: behind it is a library with the names of its
 * family. MPIR_Dup_fn is MPI_DUP_FN in the mpi.h of MPICH.
 */
static enum shunt_library_abi abi_by_names(const struct shunt_library *library)
{
    if (strstr(library->file, "libmpi_abi") || strstr(library->file, "libpmpi_abi"))
        return SHUNT_LIBRARY_STANDARD;
    if (shunt_library_symbol(library, "ompi_mpi_comm_world"))
        return SHUNT_LIBRARY_OPEN_MPI;
    return shunt_library_symbol(library, "MPIR_Dup_fn") ? SHUNT_LIBRARY_MPICH
                                                        : SHUNT_LIBRARY_UNKNOWN;
}

/* Whether the library says that it has the standard ABI, whatever its name is: MPI 5 has a function
 * for that, which says -1 in a library of another ABI. Its arguments are the same in every one. */
static bool says_standard(const struct shunt_library *library)
{
    int (*get_version)(int *, int *) = NULL, major = -1, minor = -1;
    *(void **)&get_version = shunt_library_symbol(library, "PMPI_Abi_get_version");
    return get_version && get_version(&major, &minor) == 0 && major >= 1;
}

/* Whether the library says that it is of MPICH's kind. Strings and int pointers are the same in
 * every ABI, so this function may be called before that is known. */
static bool says_mpich(const struct shunt_library *library)
{
    static const char *const known[] = {"MPICH", "Intel", "MVAPICH", "CRAY"};
    int (*get_version)(char *, int *) = NULL, length = 0;
    char text[8192 + 1]; /* MPI_MAX_LIBRARY_VERSION_STRING is 8192 at most */
    *(void **)&get_version = shunt_library_symbol(library, "PMPI_Get_library_version");
    if (!get_version || get_version(text, &length) != 0)
        return false;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strstr(text, known[i]))
            return true;
    return false;
}

static enum shunt_library_abi abi_by_word(const struct shunt_library *library)
{
    if (says_standard(library))
        return SHUNT_LIBRARY_STANDARD;
    return says_mpich(library) ? SHUNT_LIBRARY_MPICH : SHUNT_LIBRARY_UNKNOWN;
}

/* The library that has the name at this address. In its own handle a name is its own, whatever
 * libshunt.so and other tools have of that name. */
static bool describe(void *known, struct shunt_library *library)
{
    *library = (struct shunt_library){.lookup = lookup,
                                      .file = shunt_library_object(known).file,
                                      .global = dlsym(RTLD_DEFAULT, KNOWN) == known};
    library->handle = dlopen(*library->file ? library->file : NULL, RTLD_NOLOAD | RTLD_LAZY);
    if (!library->handle)
        return false;
    library->abi = abi_by_names(library);
    library->tool = tool_between(library);
    return true;
}

bool shunt_library_at_start(struct shunt_library *library)
{
    void *known = shunt_library_loaded() ? dlsym(RTLD_DEFAULT, KNOWN) : NULL;
    return known && describe(known, library) && library->abi != SHUNT_LIBRARY_UNKNOWN;
}

bool shunt_library_find(void *caller, struct shunt_library *library)
{
    void *known = find_known(caller);
    if (!known || !describe(known, library))
        return false;
    if (library->abi == SHUNT_LIBRARY_UNKNOWN)
        library->abi = abi_by_word(library);
    return true;
}
