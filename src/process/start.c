/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * start.c: "shunt VERSION: /etc/shunt/alpha.cfg (alpha), 64 ranks on 4 nodes, MPICH 4.0.2".
 *
 * All of it is what this process knows by itself: set-up, where ranks tell each other, may come
 * much later or never. The table is the one that counts where this process is rank 0.
 */
#include "process/start.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>

#include "base/environment.h"
#include "base/notice.h"
#include "config.h"
#include "log/log.h"
#include "log/output.h"
#include "log/text.h"
#include "pmpi/version.h"
#include "process/identity.h"
#include "process/process.h"
#include "process/tables.h"

static void put_table(struct shunt_log_text *text, const struct shunt_table *table)
{
    const char *machine = shunt_table_string(table, table->machine);
    shunt_log_text_plain(text, shunt_table_string(table, table->source));
    if (machine[0] == '\0')
        return;
    shunt_log_text_string(text, " (");
    shunt_log_text_plain(text, machine);
    shunt_log_text_string(text, ")");
}

/* What decides about calls. */
static void put_choice(struct shunt_log_text *text, const struct shunt_settings *settings)
{
    enum shunt_table_state state;
    if (settings->disable) {
        shunt_log_text_string(text, "SHUNT_DISABLE: everything is passed through");
        return;
    }
    const struct shunt_table *force = shunt_tables_force(&state), *looked = shunt_tables_look(),
                             *table = looked != force ? looked : NULL;
    if (state == SHUNT_TABLE_BAD || (!table && !force)) {
        shunt_log_text_string(text, "no table that can be used: everything is native");
        return;
    }
    if (force) {
        shunt_log_text_string(text, "SHUNT_FORCE=");
        shunt_log_text_plain(text, settings->force);
    }
    if (force && table)
        shunt_log_text_string(text, ", otherwise ");
    if (table)
        put_table(text, table);
}

static void put_count(struct shunt_log_text *text, int count, const char *what)
{
    shunt_log_text_unsigned(text, (uint64_t)count);
    shunt_log_text_string(text, what);
    shunt_log_text_string(text, count == 1 ? "" : "s");
}

static void put_layout(struct shunt_log_text *text, const struct shunt_settings *settings)
{
    const int ranks = shunt_process_world_size(), nodes = shunt_identity_nodes(ranks),
              here = shunt_environment_counted_ranks();
    if (ranks <= 0)
        return; /* Sessions: there is no world */
    shunt_log_text_string(text, ", ");
    put_count(text, ranks, " rank");
    if (settings->layout_count > 0) {
        shunt_log_text_string(text, " as SHUNT_TEST_LAYOUT places them");
    } else if (nodes > 0) {
        shunt_log_text_string(text, " on ");
        put_count(text, nodes, " node");
    } else if (here > 0 && here < ranks) { /* how many there are, set-up finds out */
        shunt_log_text_string(text, " on several hosts, ");
        shunt_log_text_unsigned(text, (uint64_t)here);
        shunt_log_text_string(text, " on this one");
    }
}

static void say_line(const struct shunt_settings *settings)
{
    static const char name[] = PACKAGE_STRING ": ";
    char line[2048], library[SHUNT_PMPI_VERSION_MAX];
    struct shunt_log_text text = {.bytes = line, .capacity = sizeof line - 1};
    struct shunt_log_output output;
    shunt_log_text_string(&text, name);
    put_choice(&text, settings);
    put_layout(&text, settings);
    shunt_pmpi_version(library, sizeof library);
    if (library[0] != '\0') {
        shunt_log_text_string(&text, ", ");
        shunt_log_text_plain(&text, library);
    }
    line[text.used++] = '\n';
    shunt_log_output_stderr(&output);
    (void)shunt_log_output_write(&output, line, text.used);
}

static void say_alone(const struct shunt_environment_launcher *launcher)
{
    char library[SHUNT_PMPI_VERSION_MAX], count[32] = "several";
    shunt_pmpi_version(library, sizeof library);
    if (launcher->ranks > 0)
        snprintf(count, sizeof count, "%d", launcher->ranks);
    shunt_log_say("every process runs alone, as rank 0 of 1, though %s started %s of them: the "
                  "launcher and the program's MPI library (%s) do not understand each other. Start "
                  "it with the launcher of that library (of MPICH: mpiexec.hydra or "
                  "mpiexec.mpich; of Open MPI: mpiexec.openmpi or its mpirun), or let the launcher "
                  "speak its protocol (srun --mpi=pmi2, for Open MPI --mpi=pmix)",
                  launcher->name, count, library[0] != '\0' ? library : "unknown");
}

static void say(const struct shunt_settings *settings)
{
    const struct shunt_environment_launcher launcher = shunt_environment_launcher_of_many();
    const bool alone = launcher.name && shunt_process_world_size() == 1;
    /* Each of them is rank 0 of its own world; the launcher tells them apart. Where it does not
     * tell how many there are, rank 0 alone cannot know that there are more. */
    if (alone && launcher.rank != (launcher.ranks > 0 ? 0 : 1))
        return;
    /* A log in a file begins with the same facts; `shunt run` shows them in any case. */
    if (!settings->log_file || settings->log == SHUNT_LOG_OFF ||
        shunt_environment_find(shunt_environment(), SHUNT_NOTICE_VARIABLE))
        say_line(settings);
    if (alone)
        say_alone(&launcher);
}

void shunt_start_say(void)
{
    const struct shunt_settings *settings = shunt_process_settings();
    if (!settings->start || !shunt_process_first_of_job())
        return;
    /* write() is a cancellation point, and sets errno. */
    const int error = errno;
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    say(settings);
    pthread_setcancelstate(cancel, &cancel);
    errno = error;
}
