/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fft: one-dimensional discrete Fourier transform of R x C complex numbers with three transposes
 * (the six-step method), each of them an MPI_Alltoallv; FFTW does the local transforms. A plain MPI
 * program: it knows nothing of Shunt.
 *
 * With n = r*C + c and k = k1 + R*k2 the transform X[k] = sum over n of x[n] w^(n*k), w = exp(-2 pi
 * i / (R*C)), is
 *
 *     transpose x to C x R; transform the rows (length R); multiply element (c, k1) by w^(c*k1);
 *     transpose to R x C; transform the rows (length C); transpose to C x R: element (k2, k1) is
 * X[k1 + R*k2], in natural order.
 *
 * The rows of an R x C matrix are dealt to the ranks in pieces of equal height until none are left.
 * The sizes are those of the paper's section 6.1: N1 = a*b*8, a = ceil(0.78125 P), b = ceil(0.625
 * P), as b rows of 8a numbers: ranks below b have one row each, the others none, and each of them
 * sends 8 numbers to each of the first a ranks. N2 = ((P-1)*32 + 8)*P, as (P-1)*32 + 8 rows of P
 * numbers: every rank has 32 rows but the last, which has 8; so a rank sends 32 numbers (64 FP64
 * values) to every other, the last rank 8 (16 FP64 values).
 */
#include <complex.h>
#include <fftw3.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef double complex number;

#define TOLERANCE 1e-10
static const double two_pi = 6.28318530717958647692;

/* A count of matrix rows and how they are dealt: rank i has rows piece*i .. piece*(i+1)-1, as far
 * as they exist. */
struct deal {
    long count, piece;
};

struct plan {
    int rank, size;
    struct deal rows, columns;
    int *counts[2], *displs[2]; /* [0] send, [1] receive */
    number *data, *packed;      /* each room for this rank's largest part of either matrix */
    fftw_plan along_rows, along_columns;
    double exchanged; /* seconds of this rank in MPI_Alltoallv */
};

/* Both operands finite. (CMPLX would do, but not every C11 compiler comes with it.) */
static number join(double real, double imaginary)
{
    return real + imaginary * I;
}

static void *need(void *memory)
{
    if (!memory) {
        fprintf(stderr, "fft: out of memory; use more ranks or a smaller --size\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
        exit(1);
    }
    return memory;
}

static long deal_first(const struct deal *deal, int rank)
{
    long first = deal->piece * rank;
    return first < deal->count ? first : deal->count;
}

static long deal_share(const struct deal *deal, int rank)
{
    return deal_first(deal, rank + 1) - deal_first(deal, rank);
}

/* Element `index` of the input: both parts within [-1, 1), the same for any number of ranks. */
static number input(uint64_t index)
{
    uint64_t x = (index + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return join((double)(x >> 32) / 2147483648.0 - 1.0,
                (double)(x & UINT32_MAX) / 2147483648.0 - 1.0);
}

/* Transforms of all local rows of a matrix with rows of `length`. FFTW's estimate does not measure:
 * equal runs give equal bits. */
static fftw_plan plan_rows(number *data, long length, long count)
{
    if (count == 0)
        return NULL;
    int n = (int)length;
    return need(fftw_plan_many_dft(1, &n, (int)count, data, NULL, 1, n, data, NULL, 1, n,
                                   FFTW_FORWARD, FFTW_ESTIMATE | FFTW_UNALIGNED));
}

static void plan_make(struct plan *plan, struct deal rows, struct deal columns)
{
    plan->rows = rows;
    plan->columns = columns;
    long my_rows = deal_share(&rows, plan->rank), my_columns = deal_share(&columns, plan->rank);
    size_t capacity = (size_t)(my_rows * columns.count), other = (size_t)(my_columns * rows.count);
    if (capacity < other)
        capacity = other;
    plan->data = need(malloc((capacity + 1) * sizeof *plan->data));
    plan->packed = need(malloc((capacity + 1) * sizeof *plan->packed));
    for (int i = 0; i < 2; i++) {
        plan->counts[i] = need(malloc((size_t)plan->size * sizeof(int)));
        plan->displs[i] = need(malloc((size_t)plan->size * sizeof(int)));
    }
    plan->along_rows = plan_rows(plan->data, columns.count, my_rows);
    plan->along_columns = plan_rows(plan->data, rows.count, my_columns);
}

static void plan_clear(struct plan *plan)
{
    if (plan->along_rows)
        fftw_destroy_plan(plan->along_rows);
    if (plan->along_columns)
        fftw_destroy_plan(plan->along_columns);
    for (int i = 0; i < 2; i++) {
        free(plan->counts[i]);
        free(plan->displs[i]);
    }
    free(plan->packed);
    free(plan->data);
    fftw_cleanup();
}

/* Writes the local rows of data to packed, cut into one block of columns per rank. */
static void pack(const struct plan *plan, const struct deal *rows, const struct deal *columns)
{
    long share = deal_share(rows, plan->rank);
    number *to = plan->packed;
    for (int rank = 0; rank < plan->size; rank++) {
        long first = deal_first(columns, rank), width = deal_share(columns, rank);
        for (long r = 0; r < share; r++, to += width)
            memcpy(to, plan->data + r * columns->count + first, (size_t)width * sizeof *to);
    }
}

/* Element (r, c) of the block from each rank becomes element (c, its first row + r) of the
 * transposed matrix. */
static void turn(const struct plan *plan, const number *received, number *turned,
                 const struct deal *rows, const struct deal *columns)
{
    long width = deal_share(columns, plan->rank);
    for (int rank = 0; rank < plan->size; rank++) {
        long first = deal_first(rows, rank), height = deal_share(rows, rank);
        for (long r = 0; r < height; r++)
            for (long c = 0; c < width; c++)
                turned[c * rows->count + first + r] = *received++;
    }
}

/* Transposes data: rows x columns, dealt by rows, becomes columns x rows, dealt by columns. */
static void transpose(struct plan *plan, const struct deal *rows, const struct deal *columns)
{
    int sent = 0, received = 0;
    for (int rank = 0; rank < plan->size; rank++) {
        plan->counts[0][rank] = (int)(deal_share(rows, plan->rank) * deal_share(columns, rank));
        plan->counts[1][rank] = (int)(deal_share(rows, rank) * deal_share(columns, plan->rank));
        plan->displs[0][rank] = sent;
        plan->displs[1][rank] = received;
        sent += plan->counts[0][rank];
        received += plan->counts[1][rank];
    }
    pack(plan, rows, columns);
    double start = MPI_Wtime();
    MPI_Alltoallv(plan->packed, plan->counts[0], plan->displs[0], MPI_C_DOUBLE_COMPLEX, plan->data,
                  plan->counts[1], plan->displs[1], MPI_C_DOUBLE_COMPLEX, MPI_COMM_WORLD);
    plan->exchanged += MPI_Wtime() - start;
    turn(plan, plan->data, plan->packed, rows, columns);
    number *swap = plan->data;
    plan->data = plan->packed;
    plan->packed = swap;
}

static void twiddle(const struct plan *plan)
{
    uint64_t rows = (uint64_t)plan->rows.count, all = rows * (uint64_t)plan->columns.count;
    uint64_t first = (uint64_t)deal_first(&plan->columns, plan->rank),
             share = (uint64_t)deal_share(&plan->columns, plan->rank);
    for (uint64_t c = 0; c < share; c++) {
        for (uint64_t k = 0; k < rows; k++) {
            double angle = two_pi * (double)((first + c) * k % all) / (double)all;
            plan->data[c * rows + k] *= join(cos(angle), -sin(angle));
        }
    }
}

static void transform_rows(const struct plan *plan, fftw_plan along)
{
    if (along)
        fftw_execute_dft(along, plan->data, plan->data);
}

static void fill(struct plan *plan)
{
    uint64_t first = (uint64_t)(deal_first(&plan->rows, plan->rank) * plan->columns.count);
    size_t count = (size_t)(deal_share(&plan->rows, plan->rank) * plan->columns.count);
    for (size_t i = 0; i < count; i++)
        plan->data[i] = input(first + i);
}

static void transform(struct plan *plan)
{
    transpose(plan, &plan->rows, &plan->columns);
    transform_rows(plan, plan->along_columns);
    twiddle(plan);
    transpose(plan, &plan->columns, &plan->rows);
    transform_rows(plan, plan->along_rows);
    transpose(plan, &plan->rows, &plan->columns);
}

/* The whole result on rank 0 (malloc), NULL elsewhere. */
static number *gather(struct plan *plan)
{
    int total = 0;
    for (int rank = 0; rank < plan->size; rank++) {
        plan->counts[1][rank] = (int)(deal_share(&plan->columns, rank) * plan->rows.count);
        plan->displs[1][rank] = total;
        total += plan->counts[1][rank];
    }
    number *whole = plan->rank == 0 ? need(malloc(((size_t)total + 1) * sizeof *whole)) : NULL;
    MPI_Gatherv(plan->data, plan->counts[1][plan->rank], MPI_C_DOUBLE_COMPLEX, whole,
                plan->counts[1], plan->displs[1], MPI_C_DOUBLE_COMPLEX, 0, MPI_COMM_WORLD);
    return whole;
}

/* Distance to a serial transform of the same input, relative to its length. */
static double relative_error(const number *result, size_t count)
{
    number *serial = need(malloc(count * sizeof *serial));
    fftw_plan whole =
        need(fftw_plan_dft_1d((int)count, serial, serial, FFTW_FORWARD, FFTW_ESTIMATE));
    for (size_t i = 0; i < count; i++)
        serial[i] = input(i);
    fftw_execute(whole);
    double difference = 0, length = 0;
    for (size_t i = 0; i < count; i++) {
        difference += pow(cabs(result[i] - serial[i]), 2);
        length += pow(cabs(serial[i]), 2);
    }
    fftw_destroy_plan(whole);
    free(serial);
    return sqrt(difference / length);
}

/* Of the result's bits, so that one wrong bit shows. */
static uint64_t checksum(const number *result, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        double parts[2] = {creal(result[i]), cimag(result[i])};
        uint64_t bits[2];
        memcpy(bits, parts, sizeof bits);
        for (int j = 0; j < 2; j++) {
            sum = (sum ^ bits[j]) * UINT64_C(0x9e3779b97f4a7c15);
            sum ^= sum >> 29;
        }
    }
    return sum;
}

/* Seconds are those of one repeat: the most of any rank, and in all-to-all the mean over ranks. */
static int report(struct plan *plan, int repeat, double seconds)
{
    int status = 0;
    double exchanged;
    MPI_Reduce(&plan->exchanged, &exchanged, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    size_t count = (size_t)(plan->rows.count * plan->columns.count);
    number *whole = gather(plan);
    if (whole) {
        double error = relative_error(whole, count);
        status = error < TOLERANCE ? 0 : 1; /* NaN fails too */
        printf("ranks      %d\n"
               "size       %ld x %ld (%ld and %ld per rank)\n"
               "repeats    %d\n"
               "seconds    %.6f\n"
               "seconds-all-to-all %.6f (%d calls)\n"
               "error      %.3g%s\n"
               "checksum   %016" PRIx64 "\n",
               plan->size, plan->rows.count, plan->columns.count, plan->rows.piece,
               plan->columns.piece, repeat, seconds, exchanged / plan->size / repeat, 3 * repeat,
               error, status ? " (FAILED: too large)" : "", checksum(whole, count));
        free(whole);
    }
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
}

static int run(struct deal rows, struct deal columns, int repeat)
{
    struct plan plan = {0};
    MPI_Comm_rank(MPI_COMM_WORLD, &plan.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &plan.size);
    plan_make(&plan, rows, columns);
    double mine = 0, seconds;
    for (int i = 0; i < repeat; i++) {
        fill(&plan);
        MPI_Barrier(MPI_COMM_WORLD);
        double start = MPI_Wtime();
        transform(&plan);
        mine += MPI_Wtime() - start;
    }
    mine /= repeat;
    MPI_Allreduce(&mine, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    int status = report(&plan, repeat, seconds);
    plan_clear(&plan);
    return status;
}

/* Part (in 1/100000) of the ranks, rounded up. */
static long part_of(int size, long part)
{
    return (size * part + 99999) / 100000;
}

static bool parse_size(const char *text, int size, struct deal *rows, struct deal *columns)
{
    char rest;
    if (strcmp(text, "n1") == 0) {
        *rows = (struct deal){part_of(size, 62500), 1};
        *columns = (struct deal){8 * part_of(size, 78125), 8};
    } else if (strcmp(text, "n2") == 0) {
        *rows = (struct deal){32L * (size - 1) + 8, 32};
        *columns = (struct deal){size, 1};
    } else if (sscanf(text, "%9ldx%9ld%c", &rows->count, &columns->count, &rest) == 2) {
        rows->piece = (rows->count + size - 1) / size;
        columns->piece = (columns->count + size - 1) / size;
    } else {
        return false;
    }
    return rows->count > 0 && columns->count > 0 && rows->count <= INT_MAX / columns->count;
}

static bool parse_options(int argc, char **argv, int size, struct deal *rows, struct deal *columns,
                          int *repeat)
{
    char rest;
    *repeat = 1;
    bool good = parse_size("n1", size, rows, columns);
    good = good && argc % 2 == 1; /* every option has a value */
    for (int i = 1; i < argc && good; i += 2) {
        if (strcmp(argv[i], "--size") == 0)
            good = parse_size(argv[i + 1], size, rows, columns);
        else
            good = strcmp(argv[i], "--repeat") == 0 &&
                   sscanf(argv[i + 1], "%9d%c", repeat, &rest) == 1 && *repeat > 0;
    }
    return good;
}

int main(int argc, char **argv)
{
    int rank, size, repeat, status = 2;
    struct deal rows, columns;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (parse_options(argc, argv, size, &rows, &columns, &repeat))
        status = run(rows, columns, repeat);
    else if (rank == 0)
        fprintf(stderr, "usage: mpiexec -n RANKS fft [--size n1|n2|ROWSxCOLUMNS] [--repeat TIMES]\n"
                        "  ROWS*COLUMNS at most 2147483647; n1 (default) and n2 are the paper's "
                        "sizes and depend on RANKS\n");
    MPI_Finalize();
    return status;
}
