/* SPDX-License-Identifier: BSD-3-Clause */
/* open.c: see open.h. */
#include "front/open.h"

#include <dlfcn.h>
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

static char folder[4096]; /* where libshunt.so is; "": not known */

/* When it is loaded: the name that it was given may be relative to the folder of that moment. And
 * the environment as it is then, which programs change later, some of them on one rank alone. */
__attribute__((constructor(101))) static void begin(void)
{
    Dl_info info;
    shunt_environment_keep();
    char *path =
        dladdr((void *)folder, &info) && info.dli_fname ? realpath(info.dli_fname, NULL) : NULL;
    char *slash = path ? strrchr(path, '/') : NULL;
    if (slash)
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
    free(path);
}

/* It lies beside libshunt.so (build tree) or in its folder "shunt" (installed). */
static void *open_file(const char *name)
{
    static const char *const places[] = {"shunt/", ""};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char path[sizeof folder + 64];
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
    void *handle = open_file(name);
    const struct shunt_back_end *back_end = handle ? dlsym(handle, SHUNT_BACK_END) : NULL;
    if (!back_end) {
        const char *error = dlerror();
        return refuse(name, error ? error : "it is no back end of libshunt.so");
    }
    if (strcmp(back_end->version, PACKAGE_VERSION) != 0 || back_end->abi != library->abi)
        return refuse(name, "it belongs to another version of libshunt.so; install both anew");
    if (!back_end->begin(library, shunt_environment()))
        return refuse(library->file, "the MPI library is too old for Shunt (MPI 3.1 is needed)");
    return back_end;
}
