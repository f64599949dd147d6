/* SPDX-License-Identifier: BSD-3-Clause */
/* case.c: the calls that are asked about: layouts, and sizes of their blocks. */
#include "tools/predict/predict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/size.h"
#include "tools/common/matrix.h"
#include "tools/common/shape.h"
#include "tools/common/tool.h"

/* Bytes for each pair of ranks: of the size, and of what the model makes of it for one algorithm,
 * measured with 512 to 2,048 ranks: 150 to 200. */
enum { PAIR_BYTES = 8 + 200 };

/* Bytes that this host has to spare; 4 GiB where it does not tell. */
static uint64_t spare_bytes(void)
{
    uint64_t kib = (uint64_t)4 << 20;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kib) == 1)
            break;
    if (file)
        fclose(file);
    return kib << 10;
}

/* Array of ranks * ranks. An exit code, after saying what it takes: a machine that lends memory it
 * does not have would end the command, or others. */
static int make_counts(struct shunt_case *c, const struct shunt_predict *predict)
{
    const uint64_t ranks = (uint64_t)c->layout.ranks, bytes = ranks * ranks * PAIR_BYTES,
                   spare = spare_bytes();
    char text[32], free_text[32];
    if (bytes <= spare)
        c->counts = calloc(ranks * ranks, sizeof *c->counts);
    if (c->counts)
        return SHUNT_EXIT_OK;
    shunt_bytes_print(bytes, text, sizeof text);
    shunt_bytes_print(spare, free_text, sizeof free_text);
    return shunt_tool_usage(
        predict->asker,
        "--%s: %d times %d sizes take %s of memory, and %s are free: ask about fewer ranks",
        predict->counts ? "counts" : "distribution", c->layout.ranks, c->layout.ranks, text,
        free_text);
}

static int64_t largest_of(const struct shunt_case *c)
{
    const size_t ranks = (size_t)c->layout.ranks;
    int64_t largest = 0;
    for (size_t i = 0; i < ranks * ranks; i++)
        largest = c->counts[i] > largest ? c->counts[i] : largest;
    return largest;
}

static int read_counts(struct shunt_case *c, const struct shunt_predict *predict)
{
    char diagnostic[512];
    int code = make_counts(c, predict);
    if (code != SHUNT_EXIT_OK)
        return code;
    code = shunt_matrix_read(predict->counts, c->layout.ranks, c->counts, diagnostic,
                             sizeof diagnostic);
    if (code != SHUNT_EXIT_OK)
        shunt_tool_say("--counts: %s", diagnostic);
    else
        c->block = largest_of(c);
    return code;
}

static int draw_counts(struct shunt_case *c, const struct shunt_predict *predict)
{
    const int ranks = c->layout.ranks;
    const int code = make_counts(c, predict);
    if (code != SHUNT_EXIT_OK)
        return code;
    for (int rank = 0; rank < ranks; rank++)
        measure_distribution_row(&predict->sizes, predict->seed, ranks, rank, c->block,
                                 c->counts + (size_t)rank * (size_t)ranks);
    c->block = largest_of(c);
    return SHUNT_EXIT_OK;
}

/* All blocks of the job together have to be a number of bytes. */
static int check_bytes(const struct shunt_case *c, const struct shunt_predict *predict)
{
    const int64_t ranks = c->layout.ranks;
    if (c->block <= INT64_MAX / ranks / ranks)
        return SHUNT_EXIT_OK;
    return shunt_tool_usage(predict->asker,
                            "--block: %" PRId64 " times %" PRId64 " blocks of %" PRId64
                            " bytes are more than 8 EiB",
                            ranks, ranks, c->block);
}

int shunt_case_make(struct shunt_case *c, const struct shunt_predict *predict, int first, int block)
{
    struct shunt_shape shape = {.ppn = predict->ppn, .layout = predict->layout};
    *c = (struct shunt_case){0};
    if (predict->ranks.count > 0)
        shape.ranks = (int)predict->ranks.value[predict->ranks.count > 1 ? first : 0];
    if (predict->nodes.count > 0)
        shape.nodes = (int)predict->nodes.value[predict->nodes.count > 1 ? first : 0];
    int code = shunt_shape_layout(predict->asker, &shape, false, &c->layout);
    if (code != SHUNT_EXIT_OK)
        return code;
    if (predict->counts)
        return read_counts(c, predict);
    c->block = predict->block.value[block];
    code = check_bytes(c, predict);
    if (code == SHUNT_EXIT_OK && predict->distribution && predict->sizes.shape != MEASURE_CONSTANT)
        code = draw_counts(c, predict);
    return code;
}

void shunt_case_clear(struct shunt_case *c)
{
    free(c->counts);
    shunt_layout_clear(&c->layout);
    *c = (struct shunt_case){0};
}

struct shunt_place shunt_case_place(const struct shunt_case *c)
{
    return (struct shunt_place){c->layout.ranks, c->layout.nodes, c->layout.ppn_min,
                                c->layout.ppn_max, c->block};
}

/* A file says sizes of no distribution. */
const char *shunt_predict_distribution(const struct shunt_predict *predict)
{
    return predict->counts ? NULL : predict->distribution ? predict->distribution : "constant";
}
