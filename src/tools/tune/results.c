/* SPDX-License-Identifier: BSD-3-Clause */
/* results.c: what came of a run, for people and as a table. */
#include <stdlib.h>

#include "tools/common/fold.h"
#include "tools/common/tool.h"
#include "tools/tune/run.h"

static void print_all(FILE *stream, const struct tune_run *run, const struct tune_evidence *e)
{
    struct shunt_log_text text = {.grows = true};
    struct shunt_sheet sheet = {.text = &text};
    tune_rows_put(&sheet, run);
    fwrite(text.bytes, 1, text.used, stream); /* an error is found when it is closed */
    free(text.bytes);
    fprintf(stream, "\nmean gain over %d cell%s: %.2f times as fast as native%s", e->measured,
            shunt_tool_plural((uint64_t)e->measured), e->gain, e->simulated ? ", predicted\n" : "");
    if (!e->simulated)
        fprintf(stream, " (the built-in table: %.2f)\n", e->builtin_gain);
    if (e->measured < e->cells)
        fprintf(stream,
                "warning: %d of %d cells were not measured: there was no time; go on with "
                "--resume and a longer --time-limit\n",
                e->cells - e->measured, e->cells);
    char advice[TUNE_ADVICE_ROOM];
    tune_advise(e, advice, sizeof advice);
    shunt_fold_print(stream, "%s\n", advice);
}

static struct tune_evidence evidence_of(const struct tune_run *run)
{
    struct tune_evidence e = {.command = run->job.command,
                              .date = run->job.facts.date,
                              .processor = run->job.facts.processor,
                              .library = run->job.facts.library,
                              .host = run->job.facts.host,
                              .logged = run->logged[0] != '\0' ? run->logged : NULL,
                              .pattern = run->job.facts.hosts,
                              .simulated = run->options.simulated ? run->model.name : NULL,
                              .csv = run->options.csv,
                              .processors = run->job.facts.processors,
                              .oversubscribed = run->job.facts.oversubscribed,
                              .others = tune_run_others(run)};
    tune_evidence_add(&e, run->sweeps, run->sweep_count);
    return e;
}

/* The file must be good before it gets its name. */
static bool is_good(const struct measure_output *output)
{
    struct shunt_diagnostics problems = {0};
    if (!output->file.part || fflush(output->stream) != 0)
        return true; /* an error is found when it is closed */
    struct shunt_table *table = shunt_parse_file(output->file.part, &problems);
    for (size_t i = 0; i < problems.count; i++)
        fprintf(stderr, "shunt tune: the table is not written, for it is wrong: %s\n",
                problems.text[i]);
    shunt_diagnostics_clear(&problems);
    const bool good = table != NULL;
    free(table);
    return good;
}

int tune_run_finish(struct tune_run *run)
{
    const struct tune_evidence e = evidence_of(run);
    FILE *stream = run->output.stream;
    const int printed = run->options.json ? tune_run_print_json(run, &e) : SHUNT_EXIT_OK;
    if (!run->options.json)
        print_all(stream == stdout ? stderr : stdout, run, &e);
    tune_write(stream, &e, run->sweeps, run->sweep_count);
    const bool good = is_good(&run->output);
    const bool written = measure_output_close(&run->output, good);
    if (printed != SHUNT_EXIT_OK || !written || fflush(stdout) != 0)
        return SHUNT_EXIT_IO;
    return good ? SHUNT_EXIT_OK : SHUNT_EXIT_FINDINGS;
}
