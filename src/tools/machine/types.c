/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * types.c: blocks that do not lie side by side, packed and unpacked by the MPI library through the
 * datatype that src/execute/datatype.c makes of them, against the same blocks copied one by one:
 * what the library does at either end of a message of that type, and what that takes longer.
 * Libraries have a loop over the bytes of short pieces, and copy long ones at once: where these
 * begin is looked for.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "tools/machine/run.h"
#include "tools/measure/loop.h"

enum {
    BLOCKS_MOST = 64,
    AREA = 1 << 18,
    COUNTS = 5,
    SIZES = 5,
    LONG_SIZES = 5,
    BLOCKS = 16,    /* where sizes differ */
    SHORT = 16,     /* bytes, where numbers of blocks differ */
    LONG_BLOCKS = 2 /* where blocks are long */
};
static const int counts[COUNTS] = {4, 8, 16, 32, BLOCKS_MOST};
static const int64_t sizes[SIZES] = {16, 64, 256, 1024, 4096},
                     longs[LONG_SIZES] = {4096, 8192, 16384, 32768, 65536};

/* A difference that is lost in the clock. */
static const double LEAST = 1e-10;

struct types {
    struct machine_run *run;
    char *blocks, *message; /* AREA bytes each */
    int samples;            /* so far */
    double share;           /* seconds for each pair of sizes */
};

/* Blocks with as much room between them. */
static MPI_Datatype make_type(int count, int64_t size)
{
    MPI_Aint places[BLOCKS_MOST];
    MPI_Datatype type = MPI_DATATYPE_NULL;
    for (int i = 0; i < count; i++)
        places[i] = (MPI_Aint)(2 * size * i);
    measure_must(PMPI_Type_create_hindexed_block(count, (int)size, places, MPI_BYTE, &type),
                 "MPI_Type_create_hindexed_block");
    measure_must(PMPI_Type_commit(&type), "MPI_Type_commit");
    return type;
}

/* Into a message and out of it: seconds of one of the two. */
static double pass_type(const struct types *types, MPI_Datatype type, int inner)
{
    const double begin = shunt_clock();
    for (int i = 0; i < inner; i++) {
        int packed = 0, taken = 0;
        measure_must(
            PMPI_Pack(types->blocks, 1, type, types->message, AREA, &packed, MPI_COMM_SELF),
            "MPI_Pack");
        measure_must(
            PMPI_Unpack(types->message, packed, &taken, types->blocks, 1, type, MPI_COMM_SELF),
            "MPI_Unpack");
    }
    return (shunt_clock() - begin) / (2 * inner);
}

/* The same by copies. */
static double pass_copies(const struct types *types, int count, int64_t size, int inner)
{
    const double begin = shunt_clock();
    for (int i = 0; i < inner; i++) {
        for (int b = 0; b < count; b++)
            memcpy(types->message + b * size, types->blocks + 2 * size * b, (size_t)size);
        __asm__ volatile("" ::: "memory"); /* somebody may look at them */
        for (int b = 0; b < count; b++)
            memcpy(types->blocks + 2 * size * b, types->message + b * size, (size_t)size);
        __asm__ volatile("" ::: "memory");
    }
    return (shunt_clock() - begin) / (2 * inner);
}

/* Seconds that the type takes longer, in turn with copies; at least LEAST. */
static double longer(struct types *types, int count, int64_t size)
{
    struct measure_samples typed = {0}, copied = {0};
    MPI_Datatype type = make_type(count, size);
    pass_type(types, type, 1); /* warms the areas */
    const double seconds = pass_type(types, type, 2);
    const struct machine_plan plan = machine_plan_make(size, 2 * seconds, types->share / 2);
    for (int i = 0; i < plan.count; i++) {
        measure_samples_add(&typed, pass_type(types, type, plan.inner));
        measure_samples_add(&copied, pass_copies(types, count, size, plan.inner));
    }
    const double difference = measure_samples_typical(&typed) - measure_samples_typical(&copied);
    machine_results_judge(&types->run->results, &typed);
    types->samples += typed.count;
    measure_must(PMPI_Type_free(&type), "MPI_Type_free");
    return difference > LEAST ? difference : LEAST;
}

/* The first size from which on blocks take less than half of what their bytes should; INT64_MAX:
 * none does. */
static int64_t find_long(struct types *types, double byte)
{
    int64_t found = INT64_MAX;
    for (int i = LONG_SIZES - 1; i >= 0; i--) {
        const double bytes = (double)(LONG_BLOCKS * longs[i]);
        if (longer(types, LONG_BLOCKS, longs[i]) > bytes * byte / 2)
            break;
        found = longs[i];
    }
    return found;
}

static void tell(struct types *types, const struct measure_line *of_blocks, double residual)
{
    struct machine_results *results = &types->run->results;
    const double first = of_blocks->start;
    char note[MACHINE_NOTE_ROOM];
    snprintf(note, sizeof note, "packed and unpacked, less copies; %d blocks of %d B: %.3g us",
             BLOCKS_MOST, SHORT, 1e6 * (first + BLOCKS_MOST * of_blocks->slope));
    machine_row_add(results, "type.message_ns", residual, types->samples, note);
    machine_row_add(results, "type.block_ns", residual, types->samples, NULL);
    machine_row_add(results, "type.byte_ns", residual, types->samples, NULL);
    machine_row_add(
        results, "type.long", -1, types->samples,
        results->machine.type_long == INT64_MAX ? "blocks of up to 64 KiB are no quicker" : NULL);
}

/* Two lines: over the blocks of one size, and over the size of so many blocks. */
static void measure(struct types *types)
{
    struct shunt_machine *m = &types->run->results.machine;
    struct measure_point of_blocks[COUNTS], of_bytes[SIZES];
    for (int i = 0; i < COUNTS; i++)
        of_blocks[i] = (struct measure_point){counts[i], longer(types, counts[i], SHORT)};
    for (int i = 0; i < SIZES; i++)
        of_bytes[i] =
            (struct measure_point){(double)(BLOCKS * sizes[i]), longer(types, BLOCKS, sizes[i])};
    const struct measure_line blocks = measure_line_fit(of_blocks, COUNTS),
                              bytes = measure_line_fit(of_bytes, SIZES);
    const double block = blocks.slope - SHORT * bytes.slope;
    const double off_blocks = measure_line_residual(&blocks, of_blocks, COUNTS),
                 off_bytes = measure_line_residual(&bytes, of_bytes, SIZES);
    m->type_message = blocks.start;
    m->type_block = block > 0 ? block : 0;
    m->type_byte = bytes.slope;
    m->type_long = find_long(types, bytes.slope);
    tell(types, &blocks, off_blocks > off_bytes ? off_blocks : off_bytes);
}

void machine_types_measure(struct machine_run *run)
{
    struct types types = {.run = run};
    machine_step(run, "derived datatypes");
    if (run->rank == 0) {
        types.blocks = measure_need(malloc(AREA));
        types.message = measure_need(malloc(AREA));
        memset(types.blocks, 1, AREA);
        memset(types.message, 2, AREA);
        types.share = machine_share(run, COUNTS + SIZES + LONG_SIZES);
        measure(&types);
        free(types.blocks);
        free(types.message);
    }
    measure_rest(run->all);
}
