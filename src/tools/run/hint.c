/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hint.c: what to say at the end of a command that never used libshunt.so.
 *
 * A false alarm is worse than silence: most commands have nothing to do with MPI, some submit a job
 * that runs later, and ranks on other hosts cannot tell us anything.
 */
#include "tools/run/hint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/common/preload.h"
#include "tools/common/tool.h"
#include "tools/run/line.h"

/* Why no call can be routed, whatever the launcher does; "" where the file is as it should be. */
static void find_cause(const struct shunt_line *line, char *text, size_t capacity)
{
    const char *name = line->program;
    text[0] = '\0';
    if (line->kind == SHUNT_PROGRAM_MPI_INSIDE)
        snprintf(text, capacity,
                 "%s has the MPI library in itself (libmpich.a, libmpi.a), and calls within a "
                 "program cannot be intercepted; link it with the shared library",
                 name);
    else if (line->kind == SHUNT_PROGRAM_STATIC)
        snprintf(text, capacity,
                 "%s is linked statically, and nothing can be preloaded into such a program; link "
                 "it dynamically",
                 name);
    else if (line->kind == SHUNT_PROGRAM_PRIVILEGED)
        snprintf(
            text, capacity,
            "%s runs with more rights than its user, and the dynamic linker ignores LD_PRELOAD "
            "then",
            name);
}

static void say_not_loaded(const struct shunt_line *line, int status)
{
    char *library = shunt_preload_library();
    const char *path = library ? library : "libshunt.so",
               *launcher = line->launcher ? line->launcher : "mpiexec";
    if (line->kind == SHUNT_PROGRAM_MPI_SANITIZED && WEXITSTATUS(status) != 0)
        shunt_tool_say("nothing was routed: %s has the address sanitizer, which ends a program "
                       "whose first library is not the sanitizer's runtime. Preload that before "
                       "libshunt.so: %s ... env LD_PRELOAD=$(gcc -print-file-name=libasan.so):%s "
                       "PROGRAM",
                       line->program, launcher, path);
    else if (line->preloads)
        shunt_tool_say("nothing was routed: no process with an MPI library loaded libshunt.so on "
                       "this host. The likely cause is \"%s\" in the command; name the library "
                       "there as well (%s)",
                       line->preloads, path);
    else
        shunt_tool_say("nothing was routed: no process with an MPI library loaded libshunt.so on "
                       "this host. If the program uses MPI, something on the way dropped or "
                       "replaced LD_PRELOAD: an option of the launcher, a script, a module. Set it "
                       "behind that: %s ... env LD_PRELOAD=%s PROGRAM",
                       launcher, path);
    free(library);
}

/* Here it is certain, wherever the ranks are. */
static void say_not_passed(const struct shunt_line *line)
{
    const bool option = line->passes_name[0] == '-';
    shunt_tool_say("nothing was routed: with %s=%s srun keeps LD_PRELOAD from the ranks; %s",
                   line->passes_name, line->passes,
                   option ? "let it pass all variables on (--export=ALL), or LD_PRELOAD as well"
                          : "set it to ALL for this line (it comes from \"sbatch --export\" where "
                            "you did not set it), or give srun --export=ALL");
}

/* `shunt bench` and its like: they call the MPI library past libshunt.so, and mean it. */
static bool is_measuring(const struct shunt_line *line)
{
    return line->program && strcmp(shunt_line_base(line->program), "shunt") == 0;
}

void shunt_hint_say(char *const *command, int status, bool loaded, bool called)
{
    struct shunt_line line;
    char cause[1024];
    if (called || WIFSIGNALED(status) || WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)
        return;
    /* A program that failed may have failed before its first call. */
    if (loaded && WEXITSTATUS(status) != 0)
        return;
    shunt_line_read(command, &line);
    find_cause(&line, cause, sizeof cause);
    /* Something else was linked dynamically: that file is not what matters. */
    if (loaded && (line.kind == SHUNT_PROGRAM_STATIC || line.kind == SHUNT_PROGRAM_PRIVILEGED))
        cause[0] = '\0';
    if (line.contained || is_measuring(&line))
        return;
    const bool launched = line.launcher || line.kind == SHUNT_PROGRAM_MPI ||
                          line.kind == SHUNT_PROGRAM_MPI_SANITIZED ||
                          line.kind == SHUNT_PROGRAM_MPI_INSIDE;
    if (loaded && cause[0] == '\0')
        shunt_tool_say("nothing was routed: libshunt.so was loaded with an MPI library on this "
                       "host, and no call of MPI_Alltoall or MPI_Alltoallv, or of their like, came "
                       "to it%s: the program makes none, or makes them past all preloaded "
                       "libraries. Calls made through dlsym on the library's own handle, as "
                       "Julia's MPI.jl and Python's ctypes make them, cannot be seen (mpi4py's "
                       "can); nor can those of MPI opened with RTLD_DEEPBIND, and of a tool that "
                       "is linked into the program",
                       line.elsewhere ? " here" : "");
    else if (launched && cause[0] != '\0')
        shunt_tool_say("nothing was routed: %s", cause);
    else if (launched && !loaded && line.passes && line.kind != SHUNT_PROGRAM_DYNAMIC &&
             line.kind != SHUNT_PROGRAM_NONE)
        say_not_passed(&line);
    else if (launched && !loaded && !line.elsewhere && WEXITSTATUS(status) != 255 &&
             line.kind != SHUNT_PROGRAM_DYNAMIC && line.kind != SHUNT_PROGRAM_NONE)
        say_not_loaded(&line, status);
}
