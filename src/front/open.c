/* SPDX-License-Identifier: BSD-3-Clause */
/* open.c: see open.h. */
#include "front/open.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "config.h"

static const char *const names[] = {
    [SHUNT_LIBRARY_MPICH] = "shunt-mpich.so",
    [SHUNT_LIBRARY_STANDARD] = "shunt-standard.so",
    [SHUNT_LIBRARY_OPEN_MPI] = "shunt-open-mpi.so",
};

/* For people who look into the file. */
__attribute__((used)) static const char version[] = PACKAGE_STRING;

enum { LONGEST = 4096 }; /* path, as the system takes them */

/* The environment as it is when the library is loaded, which programs change later, some of them on
 * one rank alone. */
__attribute__((constructor(101))) static void begin(void)
{
    const int error = errno;
    shunt_environment_keep();
    errno = error;
}

/*
 * Where libshunt.so is. The name that it was given may be relative to the folder of that moment,
 * which the loader remembers, and it may be a link. Not found out before it is needed: most
 * processes have no MPI, and a constructor of another library may need it before ours have run.
 */
static const char *find_folder(void)
{
    static char folder[2 * LONGEST],
        path[3 * LONGEST]; /* a thread of the program has small stacks */
    Dl_info info;
    struct link_map *map = NULL;
    if (!dladdr1(folder, &info, (void **)&map, RTLD_DL_LINKMAP) || !info.dli_fname ||
        dlinfo(map, RTLD_DI_ORIGIN, folder) != 0)
        return NULL;
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(path, sizeof path, "%s/%s", folder, slash ? slash + 1 : info.dli_fname);
    char *real = realpath(path, NULL);
    if (real)
        snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(real, '/') - real), real);
    free(real);
    return folder;
}

/* It lies beside libshunt.so (build tree) or in its folder "shunt" (installed). */
static void *open_file(const char *name)
{
    static const char *const places[] = {"shunt/", ""};
    static char path[3 * LONGEST + 64];
    const char *folder = find_folder();
    for (size_t i = 0; folder && i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s%s", folder, places[i], name);
        if (i > 0 || access(path, F_OK) == 0)
            return dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    }
    return NULL;
}

static const struct shunt_back_end *refuse(const char *what, const char *reason)
{
    fprintf(stderr, "shunt: %s: nothing is routed in this process (world rank %d): %s\n", what,
            shunt_environment_rank(), reason);
    return NULL;
}

const struct shunt_back_end *shunt_open_back_end(const struct shunt_library *library)
{
    const char *name = names[library->abi];
    shunt_environment_keep(); /* our constructor may not have run yet */
    void *handle = open_file(name);
    const struct shunt_back_end *back_end = handle ? dlsym(handle, SHUNT_BACK_END) : NULL;
    if (!back_end) {
        const char *error = dlerror();
        return refuse(name, error ? error
                                  : "it is not found beside libshunt.so, or is no back end of it");
    }
    if (strcmp(back_end->version, PACKAGE_VERSION) != 0 || back_end->abi != library->abi)
        return refuse(name, "it belongs to another version of libshunt.so; install both anew");
    if (!back_end->begin(library, shunt_environment()))
        return refuse(library->file, "the MPI library is too old for Shunt (MPI 3.1 is needed)");
    return back_end;
}
