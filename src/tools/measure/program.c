/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c: see program.h. */
#include "tools/measure/program.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/hash.h"
#include "pmpi/pmpi.h"
#include "route/parse.h"
#include "tools/common/tool.h"

enum { DIAGNOSTIC_SIZE = 800 };

static const char *subcommand = ""; /* which messages come from */

_Noreturn void measure_fail(int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING + 1] = "unknown error";
    int length, rank = -1;
    PMPI_Error_string(code, text, &length);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    shunt_tool_say("%s: rank %d: %s failed: %s", subcommand, rank, what, text);
    PMPI_Abort(MPI_COMM_WORLD, SHUNT_EXIT_MPI);
    exit(SHUNT_EXIT_MPI);
}

static void refuse(int code, const char *diagnostic)
{
    fprintf(stderr, "shunt %s: %s", subcommand, diagnostic);
    if (code == SHUNT_EXIT_USAGE)
        fprintf(stderr, "; see \"shunt %s --help\"", subcommand);
    putc('\n', stderr);
}

int measure_refuse(const struct measure_job *job, int code, const char *diagnostic)
{
    if (job->rank == 0 && diagnostic[0] != '\0')
        refuse(code, diagnostic);
    return code;
}

int measure_agree(MPI_Comm comm, int code)
{
    measure_must(PMPI_Bcast(&code, 1, MPI_INT, 0, comm), "MPI_Bcast");
    return code;
}

static char *join_command(int argc, char **argv)
{
    size_t capacity = sizeof "shunt " + strlen(subcommand);
    for (int i = 1; i < argc; i++)
        capacity += strlen(argv[i]) + 1;
    char *text = measure_need(malloc(capacity));
    char *at = stpcpy(stpcpy(text, "shunt "), subcommand);
    for (int i = 1; i < argc; i++)
        at = stpcpy(stpcpy(at, " "), argv[i]);
    return text;
}

/* Settings are for programs under the library; here each candidate says what is done. No table of
 * the user's or the site's, and nothing that programs have learned, is looked for. What describes
 * the machine stays. */
static void forget_settings(void)
{
    static const char *const names[] = {
        "SHUNT_FORCE", "SHUNT_DISABLE",  "SHUNT_STRICT",    "SHUNT_VERIFY",     "SHUNT_WARMUP",
        "SHUNT_LOG",   "SHUNT_LOG_FILE", "SHUNT_LOG_RANKS", "SHUNT_LOG_FORMAT", "SHUNT_LOG_SIZE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
    setenv("SHUNT_CONFIG", SHUNT_BUILTIN_NAME, 1);
    setenv("SHUNT_LEARN", "off", 1);
}

/* How many processes the launcher started, by what it told this one; 0: it told nothing. */
static long started(void)
{
    static const char *const names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "SLURM_STEP_NUM_TASKS"};
    long most = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *value = shunt_environment_value(names[i]);
        const long count = value ? strtol(value, NULL, 10) : 0;
        most = count > most ? count : most;
    }
    return most;
}

static bool in_path(const char *program)
{
    const char *path = shunt_environment_value("PATH");
    char file[PATH_MAX];
    while (path && *path) {
        const int length = (int)strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", length, path, program);
        if (access(file, X_OK) == 0)
            return true;
        path += length + (path[length] == ':');
    }
    return false;
}

/* The launcher to name: the library's own names first, for mpiexec alone may be another's. */
static const char *launcher(const char *library)
{
    enum { NAMES = 4 };
    static const char *const mpich[NAMES] = {"mpiexec.hydra", "mpiexec.mpich", "mpiexec", "srun"};
    static const char *const open_mpi[NAMES] = {"mpiexec.openmpi", "mpirun.openmpi", "mpirun",
                                                "srun"};
    const char *const *names = strncmp(library, "Open MPI", 8) == 0 ? open_mpi : mpich;
    for (size_t i = 0; i < NAMES; i++)
        if (in_path(names[i]))
            return names[i];
    return NULL;
}

/* Whether this process, the only one of its job, was started without a launcher, or by that of
 * another MPI library; then `diagnostic` says what to do. */
static bool is_astray(const char *library, char *diagnostic, size_t capacity)
{
    const long count = started();
    const char *name = launcher(library);
    char hint[160];
    if (name)
        snprintf(hint, sizeof hint, "start it as \"%s -n 16 shunt %s ...\"", name, subcommand);
    else
        snprintf(hint, sizeof hint,
                 "start it with the MPI library's launcher; neither mpiexec nor srun is in PATH "
                 "(Debian: package mpich)");
    if (count > 1)
        snprintf(diagnostic, capacity,
                 "the launcher started %ld processes, but each is alone: it belongs to another MPI "
                 "library than %s; %s",
                 count, library, hint);
    else if (count == 0 && shunt_environment_rank() < 0)
        snprintf(diagnostic, capacity,
                 "started without a launcher, so there is one rank and nothing to exchange; %s",
                 hint);
    else
        return false;
    return true;
}

/* The lowest rank on which it is so; as many as there are ranks where it is on none. Ranks may have
 * command lines and memory of their own, and none of them may go on alone. */
static int first_rank(const struct measure_job *job, bool so)
{
    int first = so ? job->rank : job->size;
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD),
                 "MPI_Allreduce");
    return first;
}

/* Ranks that repeat different calls wait for each other for ever. */
static bool is_everywhere(const char *command)
{
    const uint64_t hash = shunt_hash_bytes(SHUNT_HASH_EMPTY, command, strlen(command));
    uint64_t least[2] = {hash, ~hash};
    measure_must(PMPI_Allreduce(MPI_IN_PLACE, least, 2, MPI_UINT64_T, MPI_MIN, MPI_COMM_WORLD),
                 "MPI_Allreduce");
    return least[0] == ~least[1];
}

/* Whether there is anything to measure; otherwise `code` is set. */
static bool read_command(const struct measure_program *program, const struct measure_job *job,
                         void *run, int argc, char **argv, int *code)
{
    char diagnostic[DIAGNOSTIC_SIZE] = "";
    struct shunt_words words = {0};
    const bool good = program->read(run, &words, argc, argv, diagnostic, sizeof diagnostic);
    const int wrong = first_rank(job, !good), asks = first_rank(job, good && words.help);
    const bool same = is_everywhere(job->command);
    *code = wrong < job->size || (asks == job->size && !same) ? SHUNT_EXIT_USAGE : SHUNT_EXIT_OK;
    if (wrong == job->rank)
        refuse(SHUNT_EXIT_USAGE, diagnostic);
    else if (wrong == job->size && asks == job->rank)
        shunt_help_print(words.command, stdout);
    else if (wrong == job->size && asks == job->size && !same)
        measure_refuse(job, SHUNT_EXIT_USAGE,
                       "ranks have different command lines: start all of them with the same");
    return wrong == job->size && asks == job->size && same;
}

static int start(const struct measure_program *program, struct measure_job *job, void *run,
                 int argc, char **argv)
{
    char diagnostic[DIAGNOSTIC_SIZE] = "";
    int code;
    if (!read_command(program, job, run, argc, argv, &code))
        return code;
    if (!job->as_is)
        forget_settings();
    measure_facts_find(&job->facts);
    if (job->size == 1 && !job->alone &&
        is_astray(job->facts.library, diagnostic, sizeof diagnostic)) {
        if (shunt_environment_first_of_job())
            shunt_tool_say("%s: %s", subcommand, diagnostic);
        return SHUNT_EXIT_USAGE;
    }
    code = program->check(run, diagnostic, sizeof diagnostic);
    if (code != SHUNT_EXIT_OK)
        return measure_refuse(job, code, diagnostic);
    const bool lacks =
        !job->as_is && !job->alone && !shunt_pmpi_resolve(__builtin_return_address(0));
    if (first_rank(job, lacks) < job->size)
        return SHUNT_EXIT_MPI;
    return program->measure(run);
}

/* Rank 0: what was printed is where it was sent. */
static int flush_results(int code)
{
    if ((fflush(stdout) == 0 && !ferror(stdout)) || code == SHUNT_EXIT_IO)
        return code;
    shunt_tool_say("%s: standard output could not be written", subcommand);
    return SHUNT_EXIT_IO;
}

int measure_program_run(const struct measure_program *program, struct measure_job *job, void *run,
                        int argc, char **argv)
{
    subcommand = program->name;
    measure_must(PMPI_Init(&argc, &argv), "MPI_Init");
    measure_must(PMPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN),
                 "MPI_Comm_set_errhandler");
    measure_must(PMPI_Comm_rank(MPI_COMM_WORLD, &job->rank), "MPI_Comm_rank");
    measure_must(PMPI_Comm_size(MPI_COMM_WORLD, &job->size), "MPI_Comm_size");
    char *command = join_command(argc, argv);
    job->command = command;
    int code = start(program, job, run, argc, argv);
    if (job->rank == 0)
        code = flush_results(code);
    code = measure_agree(MPI_COMM_WORLD, code);
    program->end(run);
    measure_facts_clear(&job->facts);
    free(command);
    PMPI_Finalize();
    return code;
}
