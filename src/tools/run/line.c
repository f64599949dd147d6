/* SPDX-License-Identifier: BSD-3-Clause */
/* line.c: see line.h. Launchers, and commands that start others, by their names. */
#include "tools/run/line.h"

#include <ctype.h>
#include <string.h>

#include "base/environment.h"

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
/* Options and variables by which ranks come to other hosts; those of Open MPI alone. */
static const char *const host_options[] = {
    "-f",     "-host",   "-hosts",     "-hostfile", "-machinefile", "-machine",   "-H",
    "--host", "--hosts", "--hostfile", "-rmk",      "-launcher",    "-bootstrap", "--machinefile"};
static const char *const open_mpi_options[] = {"-default-hostfile", "--default-hostfile",
                                               "--add-host", "--add-hostfile"};
static const char *const host_variables[] = {
    "HYDRA_HOST_FILE", "HYDRA_LAUNCHER",      "HYDRA_RMK",   "PBS_NODEFILE",
    "LSB_HOSTS",       "LSB_DJOB_HOSTFILE",   "PE_HOSTFILE", "I_MPI_HYDRA_HOST_FILE",
    "COBALT_NODEFILE", "SLURM_JOB_NUM_NODES", "FLUX_URI"};
static const char *const open_mpi_variables[] = {"OMPI_MCA_orte_default_hostfile",
                                                 "PRTE_MCA_prte_default_hostfile"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

const char *shunt_line_base(const char *word)
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
    const char *base = shunt_line_base(word);
    for (size_t i = 0; i < count; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(base, names[i], length) == 0 && !isalnum((unsigned char)base[length]))
            return true;
    }
    return false;
}

/* Finds the launcher: the first word, or behind commands that start others. Returns what follows
 * it, or the program. */
static char *const *find_launcher(char *const *command, struct shunt_line *line)
{
    char *const *word = command;
    while (*word && is_among(shunt_line_base(*word), starters, COUNT(starters))) {
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
static void find_program(char *const *words, struct shunt_line *line)
{
    line->kind = SHUNT_PROGRAM_NONE;
    for (; *words; words++) {
        if (**words == '-')
            continue;
        const char *base = shunt_line_base(*words);
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
static void find_export(char *const *rest, struct shunt_line *line)
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

/* Whether one of these variables has a value. */
static bool are_set(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *value = shunt_environment_value(names[i]);
        if (value && value[0] != '\0')
            return true;
    }
    return false;
}

void shunt_line_read(char *const *command, struct shunt_line *line)
{
    *line = (struct shunt_line){.rest = NULL};
    char *const *rest = line->rest = find_launcher(command, line);
    find_program(rest, line);
    if (line->launcher && is_launcher(line->launcher, other_launchers, 1))
        find_export(rest, line);
    for (; *command; command++) {
        if (is_among(shunt_line_base(*command), containers, COUNT(containers)))
            line->contained = true;
        if (strstr(*command, "LD_PRELOAD") || strcmp(*command, "-genvnone") == 0 ||
            strcmp(*command, "-envnone") == 0 || strcmp(*command, "--export=NONE") == 0)
            line->preloads = *command;
    }
    for (char *const *word = rest; line->launcher && *word && *word != line->program; word++)
        if (is_among(*word, host_options, COUNT(host_options)) ||
            is_among(*word, open_mpi_options, COUNT(open_mpi_options)))
            line->elsewhere = true;
    line->elsewhere = line->elsewhere || are_set(host_variables, COUNT(host_variables)) ||
                      are_set(open_mpi_variables, COUNT(open_mpi_variables));
}

bool shunt_line_open_mpi(const struct shunt_line *line)
{
    static const char *const own[] = {"orterun", "prterun"};
    /* Its daemons, of version 4 and of later ones. */
    static const char *const daemons[] = {"orte_", "prterun"};
    if (!line->launcher || !is_launcher(line->launcher, local_launchers, COUNT(local_launchers)))
        return false;
    return is_launcher(line->launcher, own, COUNT(own)) ||
           strstr(shunt_line_base(line->launcher), "openmpi") ||
           shunt_program_has(line->launcher, daemons, COUNT(daemons));
}
