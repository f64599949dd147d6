/* SPDX-License-Identifier: BSD-3-Clause */
/* command.c: `shunt import`: a decision file from the selection of algorithms that another MPI
 * library has in a file. Its parts are in import/. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/output.h"
#include "route/parse.h"
#include "route/source.h"
#include "tools/common/shape.h"
#include "tools/import/import.h"

/* JSON begins with a bracket; of the two forms one has "collectives". */
static void take_json(struct shunt_import *import, bool *enough)
{
    struct shunt_import_value root;
    if (shunt_import_json(import, &root)) {
        const bool open_mpi = import->form_given ? import->form != SHUNT_IMPORT_MPICH
                                                 : shunt_import_member(&root, "collectives") ||
                                                       shunt_import_member(&root, "module");
        import->form = open_mpi ? SHUNT_IMPORT_OPEN_MPI_JSON : SHUNT_IMPORT_MPICH;
        *enough = open_mpi ? shunt_import_open_mpi_json(import, &root)
                           : shunt_import_mpich(import, &root);
    }
    shunt_import_value_clear(&root);
}

static bool is_json(const char *text)
{
    const char first = text[strspn(text, " \t\r\n")];
    return first == '{' || first == '[' || first == '/';
}

/* That could be read: it is not valid. */
static bool is_empty(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

static int read_file(struct shunt_import *import)
{
    bool enough = true;
    import->file = shunt_tool_clean(import->path);
    if (!import->file)
        enough = false;
    else
        import->text = shunt_source_load(import->path, import->file, &import->problems);
    if (enough && !import->text)
        return is_empty(import->path) ? SHUNT_EXIT_TABLE : SHUNT_EXIT_IO;
    if (enough &&
        (is_json(import->text) || (import->form_given && import->form == SHUNT_IMPORT_MPICH))) {
        take_json(import, &enough);
    } else if (enough) {
        import->form = SHUNT_IMPORT_OPEN_MPI;
        enough = shunt_import_open_mpi(import);
    }
    if (!enough) {
        return shunt_tool_no_memory();
    }
    if (import->problems.count == 0 && import->count == 0)
        shunt_import_problem(import, 1, "nothing is said about alltoall or alltoallv");
    return import->problems.count > 0 ? SHUNT_EXIT_TABLE : SHUNT_EXIT_OK;
}

/* The decision file as a text, which is read before anybody gets it: what `shunt check` would
 * refuse, for one with more rules than a table can have, is a problem of this file. A malloc block;
 * NULL with *code set. */
static char *make_text(struct shunt_import *import, int *code)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    *code = stream ? shunt_import_write(import, stream) : SHUNT_EXIT_IO;
    const bool whole = stream && fclose(stream) == 0;
    if (!whole || !text) {
        *code = shunt_tool_no_memory();
    }
    if (*code == SHUNT_EXIT_OK) {
        struct shunt_table *table = shunt_parse_text(text, "the imported rules", &import->problems);
        if (!table)
            *code = SHUNT_EXIT_TABLE;
        free(table);
    }
    if (*code == SHUNT_EXIT_OK)
        return text;
    free(text);
    return NULL;
}

/* An error of standard output is found at the end of the command. */
static int write_text(const struct shunt_import *import, const char *text)
{
    struct shunt_output output;
    if (!import->output) {
        fputs(text, stdout);
        return SHUNT_EXIT_OK;
    }
    int error = shunt_output_open(&output, import->output);
    if (error == 0) {
        fputs(text, output.stream);
        error = shunt_output_close(&output, true);
    }
    if (error == 0)
        return SHUNT_EXIT_OK;
    shunt_tool_say("%s cannot be written: %s", import->output, strerror(error));
    return SHUNT_EXIT_IO;
}

static void clear(void *options)
{
    struct shunt_import *import = options;
    shunt_diagnostics_clear(&import->notes);
    shunt_diagnostics_clear(&import->problems);
    free(import->rule);
    free(import->text);
    free(import->file);
}

static int run(void *options, const struct shunt_words *words)
{
    struct shunt_import *import = options;
    import->path = words->word[0];
    import->form_given = shunt_given(words, "format");
    int code = read_file(import);
    char *text = code == SHUNT_EXIT_OK ? make_text(import, &code) : NULL;
    if (text)
        code = write_text(import, text);
    free(text);
    if (code == SHUNT_EXIT_OK && import->notes.count > 0)
        code = SHUNT_EXIT_FINDINGS;
    if (code <= SHUNT_EXIT_FINDINGS)
        shunt_tool_report(&import->notes);
    shunt_tool_report(&import->problems);
    return code;
}

static const struct shunt_option list[] = {
    SHUNT_WORD("format", "WORD", struct shunt_import, form, "mpich,open-mpi",
               "mpich or open-mpi; without: what the file looks like"),
    SHUNT_LONG("ranks", "P", struct shunt_import, ranks.high, 2, SHUNT_RANKS_MAX,
               "ranks of the largest jobs: up to there sizes of whole messages and powers of two "
               "are told apart (default 65536)"),
    SHUNT_OUTPUT(struct shunt_import, output, "the decision file (default: standard output)"),
};

const struct shunt_subcommand shunt_subcommand_import = {
    .name = "import",
    .summary = "write a decision file from a selection of MPICH or Open MPI",
    .usage = "shunt import [OPTION]... FILE",
    .about = "Reads which algorithms an MPI library is told to choose: a JSON file of MPICH "
             "(MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE, also that of CH4), or Open MPI's dynamic "
             "rules (coll_tuned_dynamic_rules_filename), and writes a decision file for "
             "MPI_Alltoall and MPI_Alltoallv. What cannot be expressed is told with its line, and "
             "stays native.",
    .status = "0 good, 1 something could not be expressed as it is there, 2 usage, 3 the file is "
              "not valid, 4 a file cannot be read or written",
    SHUNT_OPTIONS(list),
    .size = sizeof(struct shunt_import),
    /* One rank alone is copied, not routed. */
    .defaults = &(const struct shunt_import){.ranks = {2, 65536}},
    .words_most = 1,
    .missing = "the file is missing that is to be read",
    .run = run,
    .clear = clear,
};
