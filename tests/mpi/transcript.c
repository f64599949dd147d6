/* SPDX-License-Identifier: BSD-3-Clause */
/* transcript.c: what each rank saw, written in the order of ranks. */
#include "transcript.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE 65536
#define TAG 4711

static char text[SIZE];
static size_t used;
static int noted;

void transcript(const char *format, ...)
{
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text + used, SIZE - used, format, arguments);
    va_end(arguments);
    if (length < 0 || (size_t)length + 2 > SIZE - used) {
        fprintf(stderr, "FAIL: the transcript is full\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
        return;
    }
    used += (size_t)length;
    text[used++] = '\n';
    text[used] = '\0';
}

const char *transcript_error(int error)
{
    static const struct {
        int class;
        const char *name;
    } names[] = {{MPI_SUCCESS, "success"},
                 {MPI_ERR_BUFFER, "MPI_ERR_BUFFER"},
                 {MPI_ERR_COUNT, "MPI_ERR_COUNT"},
                 {MPI_ERR_TYPE, "MPI_ERR_TYPE"},
                 {MPI_ERR_COMM, "MPI_ERR_COMM"},
                 {MPI_ERR_TRUNCATE, "MPI_ERR_TRUNCATE"},
                 {MPI_ERR_OTHER, "MPI_ERR_OTHER"},
                 {MPI_ERR_ARG, "MPI_ERR_ARG"},
                 {MPI_ERR_UNKNOWN, "MPI_ERR_UNKNOWN"},
                 {MPI_ERR_INTERN, "MPI_ERR_INTERN"}};
    static char other[32];
    int class = error;

    MPI_Error_class(error, &class);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (names[i].class == class)
            return names[i].name;
    }
    snprintf(other, sizeof other, "class %d", class);
    return other;
}

static void note(MPI_Comm *comm, int *error, ...)
{
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length;

    noted++;
    MPI_Comm_get_name(*comm, name, &length);
    transcript("  error handler called: %s on \"%s\"", transcript_error(*error), name);
}

MPI_Errhandler transcript_handler(void)
{
    static MPI_Errhandler handler = MPI_ERRHANDLER_NULL;

    if (handler == MPI_ERRHANDLER_NULL)
        MPI_Comm_create_errhandler(note, &handler);
    return handler;
}

int transcript_noted(void)
{
    return noted;
}

void transcript_print(void)
{
    int rank, ranks;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank != 0)
        MPI_Send(text, (int)used, MPI_CHAR, 0, TAG, MPI_COMM_WORLD);
    for (int from = 0; rank == 0 && from < ranks; from++) {
        if (from > 0) {
            MPI_Status status;
            int length;

            MPI_Recv(text, SIZE - 1, MPI_CHAR, from, TAG, MPI_COMM_WORLD, &status);
            MPI_Get_count(&status, MPI_CHAR, &length);
            text[length] = '\0';
        }
        printf("rank %d\n%s", from, text);
    }
    fflush(stdout);
    used = 0;
    text[0] = '\0';
}
