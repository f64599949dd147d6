/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory.c: blocks of several sizes, from one warm area to another: copied, by as many ranks of the
 * node at once as have a processor, as they do in an exchange; and read with process_vm_readv, a
 * call per block, as peer-read does.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/clock.h"
#include "tools/machine/run.h"
#include "tools/measure/loop.h"

enum { AREA = 1 << 18, SIZES = 9, READ_BLOCKS_MOST = 64, TRIALS = 3 };
static const int64_t sizes[SIZES] = {8, 32, 128, 512, 2048, 8192, 16384, 32768, 65536};

struct memory {
    struct machine_run *run;
    char *from, *to; /* AREA bytes each */
    int64_t pid;     /* of the neighbour, and where its area lies */
    uint64_t at;
};

/* An odd number of blocks further each time: the order of an exchange is none that prefetching
 * knows. `blocks` is a power of two. */
static int64_t next_block(int64_t block, int64_t blocks)
{
    return (block + (5 * blocks / 8 | 1)) & (blocks - 1);
}

/* Seconds of one block. */
static double copy_once(const struct memory *memory, int64_t size)
{
    const int64_t blocks = AREA / size;
    const double begin = shunt_clock();
    for (int64_t i = 0, at = 0; i < blocks; i++, at = next_block(at, blocks))
        memcpy(memory->to + i * size, memory->from + at * size, (size_t)size);
    __asm__ volatile("" ::: "memory"); /* somebody may look at them */
    return (shunt_clock() - begin) / (double)blocks;
}

/* Negative: the system does not allow it. */
static double read_once(const struct memory *memory, int64_t size)
{
    const int64_t all = AREA / size, blocks = all < READ_BLOCKS_MOST ? all : READ_BLOCKS_MOST;
    const double begin = shunt_clock();
    for (int64_t i = 0, at = 0; i < blocks; i++, at = next_block(at, all)) {
        struct iovec local = {.iov_base = memory->to + i * size, .iov_len = (size_t)size},
                     remote = {.iov_base = (void *)(uintptr_t)(memory->at + (uint64_t)(at * size)),
                               .iov_len = (size_t)size};
        if (process_vm_readv((pid_t)memory->pid, &local, 1, &remote, 1, 0) != (ssize_t)size)
            return -1;
    }
    return (shunt_clock() - begin) / (double)blocks;
}

/* Blocks of one size as often as planned. */
static double typical_of(const struct memory *memory, const struct machine_plan *plan,
                         double (*once)(const struct memory *, int64_t), int *count)
{
    struct measure_samples samples = {0};
    for (int i = 0; i < plan->count; i++)
        measure_samples_add(&samples, once(memory, plan->size));
    if (memory->run->rank == 0)
        machine_results_judge(&memory->run->results, &samples);
    *count += samples.count;
    return measure_samples_typical(&samples);
}

/* The rows of two numbers. */
static void tell(struct machine_run *run, const char *block, const char *byte, double residual,
                 int samples, const char *note)
{
    machine_row_add(&run->results, block, residual, samples, note);
    machine_row_add(&run->results, byte, residual, samples, note);
}

/* Without reads: the least that they would be. */
static void tell_no_reads(struct machine_run *run, const char *note)
{
    struct shunt_machine *machine = &run->results.machine;
    machine->read_block = machine->copy_block;
    machine->read_byte = machine->copy_byte;
    tell(run, "read.block_ns", "read.byte_ns", -1, 0, note);
}

/* Whole areas are copied, so a sample takes long enough for the clock. `block`: seconds. */
static struct machine_plan plan_of(int64_t size, double block, double share)
{
    const int64_t blocks = AREA / size;
    return machine_plan_make(size, block * (double)blocks, share);
}

/* Warms the areas. Seconds of a block. */
static double first_copies(const struct memory *memory, int64_t size)
{
    double least = copy_once(memory, size);
    for (int i = 0; i < TRIALS; i++) {
        const double seconds = copy_once(memory, size);
        least = seconds < least ? seconds : least;
    }
    return least;
}

static void measure_copies(struct memory *memory, MPI_Comm copiers, int count_copiers)
{
    struct machine_run *run = memory->run;
    struct measure_point points[SIZES];
    char note[MACHINE_NOTE_ROOM];
    int count = 0;
    for (int i = 0; i < SIZES; i++) {
        const double seconds = first_copies(memory, sizes[i]);
        struct machine_plan plan =
            plan_of(sizes[i], seconds, run->rank == 0 ? machine_share(run, SIZES) : 0);
        machine_tell(run, copiers, &plan, (int)sizeof plan);
        points[i] =
            (struct measure_point){(double)sizes[i], typical_of(memory, &plan, copy_once, &count)};
    }
    const struct measure_line line = measure_line_fit(points, SIZES);
    run->results.machine.copy_block = line.start;
    run->results.machine.copy_byte = line.slope;
    snprintf(note, sizeof note, "%d rank%s at once", count_copiers, count_copiers == 1 ? "" : "s");
    if (run->rank == 0)
        tell(run, "copy.block_ns", "copy.byte_ns", measure_line_residual(&line, points, SIZES),
             count, note);
}

static void copy_all(struct memory *memory)
{
    struct machine_run *run = memory->run;
    MPI_Comm copiers = MPI_COMM_NULL;
    const int home = machine_run_home(run), count = home < run->processors ? home : run->processors;
    const bool copies = run->rank < count;
    measure_must(PMPI_Comm_split(run->all, copies ? 0 : MPI_UNDEFINED, run->rank, &copiers),
                 "MPI_Comm_split");
    machine_step(run, "copies");
    if (!copies)
        return;
    measure_copies(memory, copiers, count);
    measure_must(PMPI_Comm_free(&copiers), "MPI_Comm_free");
}

static void measure_reads(struct memory *memory)
{
    struct machine_run *run = memory->run;
    struct measure_point points[SIZES];
    struct shunt_machine *machine = &run->results.machine;
    int count = 0;
    for (int i = 0; i < SIZES; i++) {
        const double first = read_once(memory, sizes[i]), seconds = read_once(memory, sizes[i]);
        if (first < 0 || seconds < 0) {
            tell_no_reads(run, "the system refuses reads: as copies");
            return;
        }
        const struct machine_plan plan = plan_of(sizes[i], seconds, machine_share(run, SIZES));
        points[i] =
            (struct measure_point){(double)sizes[i], typical_of(memory, &plan, read_once, &count)};
    }
    const struct measure_line line = measure_line_fit(points, SIZES);
    machine->read_block = line.start;
    machine->read_byte = line.slope;
    tell(run, "read.block_ns", "read.byte_ns", measure_line_residual(&line, points, SIZES), count,
         NULL);
}

static void read_all(struct memory *memory)
{
    struct machine_run *run = memory->run;
    machine_step(run, "reads from a neighbour");
    const bool alone = machine_run_home(run) < 2;
    if (run->rank == 0 && alone) {
        tell_no_reads(run, "no neighbour: as copies");
    } else if (run->rank == 0) {
        uint64_t told[2];
        machine_receive(run, told, (int64_t)sizeof told, 1);
        memory->pid = (int64_t)told[0];
        memory->at = told[1];
        measure_reads(memory);
    } else if (run->rank == 1 && !alone) {
        const uint64_t told[2] = {(uint64_t)getpid(), (uint64_t)(uintptr_t)memory->from};
        prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0); /* some systems ask for it */
        machine_send(run, told, (int64_t)sizeof told, 0);
    }
}

void machine_memory_measure(struct machine_run *run)
{
    struct memory memory = {.run = run};
    memory.from = measure_need(malloc(AREA));
    memory.to = measure_need(malloc(AREA));
    memset(memory.from, 1, AREA);
    memset(memory.to, 2, AREA);
    copy_all(&memory);
    read_all(&memory);
    measure_rest(run->all); /* the neighbour's area stays until it has been read */
    free(memory.from);
    free(memory.to);
}
