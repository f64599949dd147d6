/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * hint.c: what to say at the end of a command that never used libshunt.so.
 *
 * A false alarm is worse than silence: most commands have nothing to do with MPI, some submit a job
 * that runs later, and ranks on other hosts cannot tell us anything.
 */
#include "tools/hint.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/environment.h"
#include "tools/preload.h"
#include "tools/program.h"
#include "tools/tool.h"

/* Start ranks; those that may do so on this host, and those of batch systems, which rarely do. */
static const char *const local_launchers[] = {"mpiexec", "mpirun", "orterun", "prterun"};
static const char *const other_launchers[] = {"srun", /* the first */ "aprun", "palsrun", "jsrun",
                                              "ccc_mprun"};
/* Start the command that follows. */
static const char *const starters[] = {"env",     "time",   "timeout", "nice",   "nohup",
                                       "numactl", "stdbuf", "chrt",    "ionice", "setsid",
                                       "taskset", "strace", "ltrace",  "shunt",  "valgrind"};
static const char *const shells[] = {"sh", "bash", "dash", "zsh", "ksh", "csh", "tcsh"};
/* Processes in them may be out of our sight. */
static const char *const containers[] = {"apptainer", "singularity", "docker",     "podman",
                                         "shifter",   "ch-run",      "enroot",     "sarus",
                                         "unshare",   "nsenter",     "systemd-run"};
/* Options and variables by which ranks come to other hosts. */
static const char *const host_options[] = {
    "-f",     "-host",   "-hosts",     "-hostfile", "-machinefile", "-machine",   "-H",
    "--host", "--hosts", "--hostfile", "-rmk",      "-launcher",    "-bootstrap", "--machinefile"};
static const char *const host_variables[] = {
    "HYDRA_HOST_FILE", "HYDRA_LAUNCHER",      "HYDRA_RMK",   "PBS_NODEFILE",
    "LSB_HOSTS",       "LSB_DJOB_HOSTFILE",   "PE_HOSTFILE", "I_MPI_HYDRA_HOST_FILE",
    "COBALT_NODEFILE", "SLURM_JOB_NUM_NODES", "FLUX_URI"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What the command line tells. */
struct line {
    const char *launcher; /* NULL: none */
    const char *program;  /* the one that matters, or NULL */
    enum shunt_program kind;
    bool elsewhere;       /* ranks may be on other hosts */
    bool contained;       /* or in a container */
    const char *preloads; /* word that has to do with LD_PRELOAD, or NULL */
    /* What keeps it from all that srun starts: the list of variables that are passed on, and what
     * has this list, an option or a variable. NULL: nothing does. */
    const char *passes, *passes_name;
};

static const char *base_of(const char *word)
{
    const char *slash = strrchr(word, '/');
    return slash ? slash + 1 : word;
}

static bool is_among(const char *word, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, names[i]) == 0)
            return true;
    return false;
}

/* "mpiexec", also "mpiexec.hydra" and "mpirun-mpich-mp". */
static bool is_launcher(const char *word, const char *const *names, size_t count)
{
    const char *base = base_of(word);
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(base, names[i], length) == 0 && !isalnum((unsigned char)base[length]))
            return true;
    }
    return false;
}

/* Finds the launcher: the first word, or behind commands that start others. Returns what follows
 * it, or the program. */
static char *const *find_launcher(char *const *command, struct line *line)
{
    char *const *word = command;
    while (*word && is_among(base_of(*word), starters, COUNT(starters))) {
        for (word++;
             *word && (**word == '-' || strchr(*word, '=') || isdigit((unsigned char)**word));
             word++) {
        }
        while (*word && shunt_program_look(*word) == SHUNT_PROGRAM_NONE)
            word++; /* values of options */
    }
    if (!*word)
        return command;
    line->elsewhere = is_launcher(*word, other_launchers, COUNT(other_launchers));
    if (line->elsewhere || is_launcher(*word, local_launchers, COUNT(local_launchers)))
        line->launcher = *word++;
    return word;
}

/* The first file that says something about MPI, else the first one. Words that are no options but
 * their values are no files, mostly. */
static void find_program(char *const *words, struct line *line)
{
    line->kind = SHUNT_PROGRAM_NONE;
    for (; *words; words++) {
        if (**words == '-')
            continue;
        const char *base = base_of(*words);
        enum shunt_program kind = shunt_program_look(*words);
        if (kind == SHUNT_PROGRAM_DYNAMIC &&
            (is_among(base, starters, COUNT(starters)) || is_among(base, shells, COUNT(shells))))
            kind = SHUNT_PROGRAM_OTHER;
        if (kind == SHUNT_PROGRAM_NONE || (line->program && kind <= SHUNT_PROGRAM_DYNAMIC))
            continue;
        line->program = *words;
        line->kind = kind;
        if (kind > SHUNT_PROGRAM_DYNAMIC || !line->launcher)
            return;
    }
}

/* Whether srun, told to pass these variables on, keeps LD_PRELOAD to itself. */
static bool leaves_out(const char *list)
{
    static const char preload[] = "LD_PRELOAD";
    while (*list != '\0') {
        const size_t length = strcspn(list, ",");
        if (length == 3 && strncmp(list, "ALL", 3) == 0)
            return false;
        if (strncmp(list, preload, sizeof preload - 1) == 0)
            return false;
        list += length + (list[length] == ',');
    }
    return true;
}

/* Slurm passes on what the option says, else the first of these variables that is set; a job of
 * sbatch --export=NONE has the second. */
static void find_export(char *const *rest, struct line *line)
{
    static const char option[] = "--export";
    static const char *const variables[] = {"SRUN_EXPORT_ENV", "SLURM_EXPORT_ENV"};
    const char *list = NULL, *name = NULL;
    for (char *const *word = rest; *word && *word != line->program; word++) {
        if (strncmp(*word, option, sizeof option - 1) != 0)
            continue;
        const char *value = *word + sizeof option - 1;
        if (*value == '=')
            list = value + 1;
        else if (*value == '\0' && word[1])
            list = word[1];
    }
    if (list)
        name = option;
    for (size_t i = 0; i < COUNT(variables) && !list; i++) {
        list = shunt_environment_value(variables[i]);
        name = variables[i];
    }
    if (!list || list[0] == '\0' || !leaves_out(list))
        return;
    line->passes = list;
    line->passes_name = name;
}

static void read_line(char *const *command, struct line *line)
{
    char *const *rest = find_launcher(command, line);
    find_program(rest, line);
    if (line->launcher && is_launcher(line->launcher, other_launchers, 1))
        find_export(rest, line);
    for (; *command; command++) {
        if (is_among(base_of(*command), containers, COUNT(containers)))
            line->contained = true;
        if (strstr(*command, "LD_PRELOAD") || strcmp(*command, "-genvnone") == 0 ||
            strcmp(*command, "-envnone") == 0 || strcmp(*command, "--export=NONE") == 0)
            line->preloads = *command;
    }
    for (char *const *word = rest; line->launcher && *word && *word != line->program; word++)
        if (is_among(*word, host_options, COUNT(host_options)))
            line->elsewhere = true;
    for (size_t i = 0; i < COUNT(host_variables); i++) {
        const char *value = shunt_environment_value(host_variables[i]);
        line->elsewhere |= value && value[0] != '\0';
    }
}

/* Why no call can be routed, whatever the launcher does; "" where the file is as it should be. */
static void find_cause(const struct line *line, char *text, size_t capacity)
{
    const char *name = line->program;
    text[0] = '\0';
    if (line->kind == SHUNT_PROGRAM_MPI_INSIDE)
        snprintf(text, capacity,
                 "%s has the MPI library in itself (libmpich.a), and calls within a program cannot "
                 "be intercepted; link it with the shared library",
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
    else if (line->kind == SHUNT_PROGRAM_OPEN_MPI)
        snprintf(text, capacity,
                 "%s is linked with Open MPI, and libshunt.so serves MPICH and libraries with its "
                 "ABI; build it with one of these",
                 name);
}

static void say_not_loaded(const struct line *line, int status)
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
static void say_not_passed(const struct line *line)
{
    const bool option = line->passes_name[0] == '-';
    shunt_tool_say("nothing was routed: with %s=%s srun keeps LD_PRELOAD from the ranks; %s",
                   line->passes_name, line->passes,
                   option ? "let it pass all variables on (--export=ALL), or LD_PRELOAD as well"
                          : "set it to ALL for this line (it comes from \"sbatch --export\" where "
                            "you did not set it), or give srun --export=ALL");
}

/* `shunt bench` and its like: they call the MPI library past libshunt.so, and mean it. */
static bool is_measuring(const struct line *line)
{
    return line->program && strcmp(base_of(line->program), "shunt") == 0;
}

void shunt_hint_say(char *const *command, int status, bool loaded, bool called)
{
    struct line line = {0};
    char cause[1024];
    if (called || WIFSIGNALED(status) || WEXITSTATUS(status) == 126 || WEXITSTATUS(status) == 127)
        return;
    /* A program that failed may have failed before its first call. */
    if (loaded && WEXITSTATUS(status) != 0)
        return;
    read_line(command, &line);
    find_cause(&line, cause, sizeof cause);
    /* Something else was linked dynamically: that file is not what matters. */
    if (loaded && (line.kind == SHUNT_PROGRAM_STATIC || line.kind == SHUNT_PROGRAM_PRIVILEGED))
        cause[0] = '\0';
    if (line.contained || is_measuring(&line))
        return;
    const bool launched = line.launcher || line.kind == SHUNT_PROGRAM_MPI ||
                          line.kind == SHUNT_PROGRAM_MPI_SANITIZED ||
                          line.kind == SHUNT_PROGRAM_MPI_INSIDE ||
                          line.kind == SHUNT_PROGRAM_OPEN_MPI;
    if (loaded && cause[0] == '\0')
        shunt_tool_say("nothing was routed: libshunt.so was loaded with an MPI library on this "
                       "host, and no call of MPI_Alltoall or MPI_Alltoallv, or of their kin, came "
                       "to it%s: the program makes none, or makes them past all preloaded "
                       "libraries (MPI opened by dlopen and called through its handle, or with "
                       "RTLD_DEEPBIND; a tool that is linked into the program)",
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
