/* SPDX-License-Identifier: BSD-3-Clause */
/* pmpi.c: finds the library's own functions by name, whatever way it was loaded. */
#include "pmpi/pmpi.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct shunt_pmpi shunt_pmpi;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic int status = SHUNT_PMPI_UNRESOLVED;
static void *library; /* handle in which symbols are looked up; RTLD_DEFAULT for the global scope */
static bool found;
static _Thread_local void *first_caller;
static _Thread_local bool (*first_speaks)(void);

struct caller {
    uintptr_t address;
    const char *file;
};

static int visit_caller(struct dl_phdr_info *info, size_t size, void *data)
{
    struct caller *caller = data;
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[i];
        if (part->p_type != PT_LOAD ||
            caller->address - info->dlpi_addr - part->p_vaddr >= part->p_memsz)
            continue;
        caller->file = info->dlpi_name;
        return 1;
    }
    return 0;
}

/*
 * The object file that holds an address; "" for the main program, and when unknown. Not dladdr:
 * that looks through all symbols of the object for a name, which takes longer than everything else
 * here.
 */
static const char *object_of(const void *address)
{
    struct caller caller = {.address = (uintptr_t)address};
    if (address)
        dl_iterate_phdr(visit_caller, &caller);
    return caller.file ? caller.file : "";
}

/* The loaded object `file` as a handle, if MPI can be reached from it. */
static void *handle_with_mpi(const char *file)
{
    void *handle = dlopen(file, RTLD_NOLOAD | RTLD_LAZY);
    if (handle && dlsym(handle, "PMPI_Alltoall"))
        return handle;
    if (handle)
        dlclose(handle);
    return NULL;
}

struct search {
    char provider[4096]; /* object that defines PMPI_Alltoall */
    void *handle;
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
    const char *provider = object_of(dlsym(handle, "PMPI_Alltoall"));
    if (search->providers > 0 && strcmp(provider, search->provider) == 0) {
        dlclose(handle);
        return 0;
    }
    search->providers++;
    search->handle = handle;
    snprintf(search->provider, sizeof search->provider, "%s", provider);
    return 0;
}

/*
 * What lookups by name alone tell about the library. Looking up a name takes a microsecond, and
 * where ranks share processors the first call pays for the lookups of all of them one after the
 * other: so a process that has its MPI library when it begins looks then, beside everything else
 * that a start takes.
 */
struct provider {
    void *alltoall;      /* its PMPI_Alltoall; NULL: nobody has looked */
    const char *foreign; /* known to be of another ABI, which one; NULL otherwise */
    bool mpich;          /* known to be of MPICH's */
    bool hides_errors;   /* see shunt_pmpi_hides_errors */
    bool complete;       /* has all of SHUNT_PMPI_NEEDED */
    const char *tool;    /* object that intercepts MPI_Alltoallv after us, or NULL */
};

static struct provider provider;

/* Where the code at `caller` finds its MPI library. False: there is none, or not just one. */
static bool find_library(void *caller, void **handle)
{
    const char *file = object_of(caller);
    *handle = RTLD_DEFAULT;
    if (*file == '\0' && provider.alltoall)
        return true; /* the main program's scope is the global one, and that was looked at */
    void *own = *file ? handle_with_mpi(file) : NULL;
    if (own)
        *handle = own;
    if (own || dlsym(RTLD_DEFAULT, "PMPI_Alltoall"))
        return true;
    struct search search = {.providers = 0};
    dl_iterate_phdr(visit_object, &search);
    *handle = search.handle;
    return search.providers == 1;
}

static int visit_name(struct dl_phdr_info *info, size_t size, void *data)
{
    const char *slash = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    (void)size;
    *(bool *)data = slash && strncmp(slash + 1, "libmpi", 6) == 0;
    return *(bool *)data;
}

bool shunt_pmpi_loaded(void)
{
    bool loaded = false;
    dl_iterate_phdr(visit_name, &loaded);
    return loaded;
}

bool shunt_pmpi_present(void)
{
    return dlsym(RTLD_DEFAULT, "PMPI_Init") || shunt_pmpi_loaded();
}

void *shunt_pmpi_symbol(const char *name)
{
    return found ? dlsym(library, name) : NULL;
}

void *shunt_pmpi_symbol_for(void *caller, const char *name)
{
    const char *file = object_of(caller);
    void *own = *file ? dlopen(file, RTLD_LAZY | RTLD_NOLOAD) : NULL, *handle,
         *symbol = own ? dlsym(own, name) : NULL;
    if (own)
        dlclose(own);
    return symbol || !find_library(caller, &handle) ? symbol : dlsym(handle, name);
}

/* POSIX lets a function pointer be stored through the object pointer that dlsym returns. */
#define LOAD(name) *(void **)&shunt_pmpi.name = shunt_pmpi_symbol("PMPI_" #name);
#define CHECK(name) complete = complete && shunt_pmpi.name;

static bool load(void)
{
    bool complete = true;
    SHUNT_PMPI_NEEDED(LOAD)
    SHUNT_PMPI_OPTIONAL(LOAD)
    SHUNT_PMPI_NEEDED(CHECK)
    return complete;
}

bool shunt_pmpi_hides_errors(void)
{
    return provider.hides_errors;
}

/* Another tool between us and the library sees nothing of the calls that we pass on to PMPI_. Where
 * the library is, a function tells that nobody puts another in the place of. */
static const char *tool_between(void)
{
    const void *next = dlsym(RTLD_NEXT, "MPI_Alltoallv");
    const char *tool = object_of(next),
               *library_file = object_of(shunt_pmpi_symbol("PMPI_Get_library_version"));
    return next && *tool && strcmp(tool, library_file) != 0 && !strstr(tool, "libshunt.so") ? tool
                                                                                            : NULL;
}

static const char standard_abi[] = "the standard MPI ABI";

/* Where the PMPI_ names are, which may be a library beside that of the MPI_ names. */
static bool is_standard_abi(const char *file)
{
    return strstr(file, "libmpi_abi") || strstr(file, "libpmpi_abi");
}

static void look(void)
{
    provider = (struct provider){.alltoall = shunt_pmpi_symbol("PMPI_Alltoall")};
    if (shunt_pmpi_symbol("ompi_mpi_comm_world"))
        provider.foreign = "Open MPI";
    else if (is_standard_abi(object_of(provider.alltoall)))
        provider.foreign = standard_abi;
    if (provider.foreign)
        return;
    provider.mpich = shunt_pmpi_symbol("MPIR_Dup_fn") != NULL; /* MPI_DUP_FN of MPICH's mpi.h */
    provider.hides_errors = shunt_pmpi_symbol("PMPI_Abi_get_version") != NULL;
    provider.complete = load();
    provider.tool = tool_between();
}

/* What the first call of a program uses of the library and nothing does before it: a page that is
 * touched first within a call takes a microsecond there. */
static void touch(void)
{
    void *const first[] = {*(void **)&shunt_pmpi.Ibcast, *(void **)&shunt_pmpi.Test,
                           *(void **)&shunt_pmpi.Comm_get_errhandler};
    for (size_t i = 0; i < sizeof first / sizeof *first; i++)
        if (first[i])
            (void)*(const volatile char *)first[i];
}

/* Not in shells and launchers, which are preloaded as well. */
__attribute__((constructor)) static void look_ahead(void)
{
    library = RTLD_DEFAULT;
    found = shunt_pmpi_loaded() && dlsym(library, "PMPI_Alltoall");
    if (found)
        look();
    if (provider.complete)
        touch();
    found = false; /* whose library counts, the first caller tells */
}

/* Whether the library says that it is of MPICH's kind; asked only where no symbol tells. Strings
 * and int pointers are the same in every ABI, so this function may be called before that is known.
 */
static bool says_mpich(void)
{
    int (*get_version)(char *, int *) = NULL;
    *(void **)&get_version = shunt_pmpi_symbol("PMPI_Get_library_version");
    char text[MPI_MAX_LIBRARY_VERSION_STRING + 1]; /* not static: its pages are in use already */
    int length = 0;
    static const char *const known[] = {"MPICH", "Intel", "MVAPICH", "CRAY"};
    if (get_version && get_version(text, &length) == MPI_SUCCESS)
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (strstr(text, known[i]))
                return true;
    return false;
}

/* Whether the library says that it has the standard ABI, whatever its name is: MPI 5 has a function
 * for that, which says -1 in a library of another ABI. Its arguments are the same in every one. */
static bool says_standard_abi(void)
{
    int (*get_version)(int *, int *) = NULL, major = -1, minor = -1;
    *(void **)&get_version = shunt_pmpi_symbol("PMPI_Abi_get_version");
    return get_version && get_version(&major, &minor) == MPI_SUCCESS && major >= 1;
}

static const char *foreign_reason(void)
{
    if (provider.foreign)
        return provider.foreign;
    if (!provider.mpich && says_standard_abi())
        return standard_abi;
    if (!provider.mpich && !says_mpich())
        return "an MPI library without MPICH's ABI";
    return provider.complete ? NULL : "an MPICH too old for Shunt (MPI 3.1 is needed)";
}

/* The library of the caller need not be the one that was there at the beginning. */
static void look_again(void)
{
    if (provider.alltoall != shunt_pmpi_symbol("PMPI_Alltoall"))
        look();
}

static void resolve(void)
{
    found = find_library(first_caller, &library);
    if (!found) {
        fprintf(stderr, "shunt: the program called MPI_Alltoall(v), but no MPI library that "
                        "defines PMPI_Alltoall could be identified; "
                        "run it without libshunt.so\n");
        _exit(5);
    }
    if (library != RTLD_DEFAULT || !provider.alltoall)
        look_again();
    const char *reason = foreign_reason();
    if (reason) {
        if (first_speaks())
            fprintf(stderr,
                    "shunt: %s is %s, libshunt.so is for MPICH-ABI libraries: nothing is routed, "
                    "the program runs as it is\n",
                    object_of(shunt_pmpi_symbol("PMPI_Alltoall")), reason);
        atomic_store(&status, SHUNT_PMPI_FOREIGN);
        return;
    }
    if (provider.tool && first_speaks())
        fprintf(stderr,
                "shunt: %s also intercepts MPI_Alltoallv and comes after libshunt.so: it will not "
                "see these calls "
                "(libshunt(7) tells what can be combined)\n",
                provider.tool);
    atomic_store(&status, SHUNT_PMPI_READY);
}

enum shunt_pmpi_status shunt_pmpi_resolve(void *caller, bool (*speaks)(void))
{
    if (atomic_load(&status) == SHUNT_PMPI_UNRESOLVED) {
        first_caller = caller;
        first_speaks = speaks;
        pthread_once(&once, resolve);
    }
    return (enum shunt_pmpi_status)atomic_load(&status);
}
