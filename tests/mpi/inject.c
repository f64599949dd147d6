/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * inject.c: lets one call that libshunt.so makes fail without doing anything; to be preloaded
 * behind it. Calls of the program and of other libraries pass.
 *
 * Programs ask for it as inject.h says.
 */
#include "inject.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <mpi.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))

/* What follows, of MPI 4. A library of MPI 3.1 has none of it, and may not look as if it had. */
#if MPI_VERSION >= 4
#define MPI4_POINTS(X)                                                                             \
    X(Pack_c,                                                                                      \
      (const void *in, MPI_Count count, MPI_Datatype type, void *out, MPI_Count size,              \
       MPI_Count *at, MPI_Comm comm),                                                              \
      (in, count, type, out, size, at, comm), comm)                                                \
    X(Unpack_c,                                                                                    \
      (const void *in, MPI_Count size, MPI_Count *at, void *out, MPI_Count count,                  \
       MPI_Datatype type, MPI_Comm comm),                                                          \
      (in, size, at, out, count, type, comm), comm)                                                \
    X(Type_get_envelope_c,                                                                         \
      (MPI_Datatype type, MPI_Count * integers, MPI_Count * addresses, MPI_Count * counts,         \
       MPI_Count * types, int *combiner),                                                          \
      (type, integers, addresses, counts, types, combiner), MPI_COMM_NULL)                         \
    X(Type_get_contents_c,                                                                         \
      (MPI_Datatype type, MPI_Count a, MPI_Count b, MPI_Count c, MPI_Count d, int integers[],      \
       MPI_Aint addresses[], MPI_Count counts[], MPI_Datatype types[]),                            \
      (type, a, b, c, d, integers, addresses, counts, types), MPI_COMM_NULL)
#else
#define MPI4_POINTS(X)
#endif

/* Functions of MPI: name, parameters, arguments, and where the library would raise the error of
 * this call (MPI_COMM_NULL: nowhere). Not those that fail for bad arguments alone and come before
 * anything else (Comm_get_attr): then the call itself fails natively. What the library keeps
 * handlers from hearing by, and sizes, are not heard either. */
#define MPI_POINTS(X)                                                                              \
    MPI4_POINTS(X)                                                                                 \
    X(Pack,                                                                                        \
      (const void *in, int count, MPI_Datatype type, void *out, int size, int *at, MPI_Comm comm), \
      (in, count, type, out, size, at, comm), comm)                                                \
    X(Unpack,                                                                                      \
      (const void *in, int size, int *at, void *out, int count, MPI_Datatype type, MPI_Comm comm), \
      (in, size, at, out, count, type, comm), comm)                                                \
    X(Sendrecv,                                                                                    \
      (const void *out, int outs, MPI_Datatype otype, int to, int otag, void *in, int ins,         \
       MPI_Datatype itype, int from, int itag, MPI_Comm comm, MPI_Status *status),                 \
      (out, outs, otype, to, otag, in, ins, itype, from, itag, comm, status), comm)                \
    X(Type_size_x, (MPI_Datatype type, MPI_Count * size), (type, size), MPI_COMM_NULL)             \
    X(Type_get_envelope,                                                                           \
      (MPI_Datatype type, int *integers, int *addresses, int *types, int *combiner),               \
      (type, integers, addresses, types, combiner), MPI_COMM_NULL)                                 \
    X(Type_get_contents,                                                                           \
      (MPI_Datatype type, int a, int b, int c, int integers[], MPI_Aint addresses[],               \
       MPI_Datatype types[]),                                                                      \
      (type, a, b, c, integers, addresses, types), MPI_COMM_NULL)                                  \
    X(Type_get_extent, (MPI_Datatype type, MPI_Aint * lower, MPI_Aint * extent),                   \
      (type, lower, extent), MPI_COMM_NULL)                                                        \
    X(Type_create_hindexed_block,                                                                  \
      (int count, int length, const MPI_Aint at[], MPI_Datatype old, MPI_Datatype *type),          \
      (count, length, at, old, type), MPI_COMM_NULL)                                               \
    X(Type_commit, (MPI_Datatype * type), (type), MPI_COMM_NULL)                                   \
    X(Get_count, (const MPI_Status *status, MPI_Datatype type, int *count), (status, type, count), \
      MPI_COMM_NULL)                                                                               \
    X(Isend,                                                                                       \
      (const void *from, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,             \
       MPI_Request *request),                                                                      \
      (from, count, type, to, tag, comm, request), comm)                                           \
    X(Irecv,                                                                                       \
      (void *to, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,                   \
       MPI_Request *request),                                                                      \
      (to, count, type, from, tag, comm, request), comm)                                           \
    X(Ialltoall,                                                                                   \
      (const void *out, int outs, MPI_Datatype otype, void *in, int ins, MPI_Datatype itype,       \
       MPI_Comm comm, MPI_Request *request),                                                       \
      (out, outs, otype, in, ins, itype, comm, request), comm)                                     \
    X(Iallreduce,                                                                                  \
      (const void *in, void *out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,          \
       MPI_Request *request),                                                                      \
      (in, out, count, type, op, comm, request), comm)                                             \
    X(Ibcast,                                                                                      \
      (void *data, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request *request),   \
      (data, count, type, root, comm, request), comm)                                              \
    X(Iallgather,                                                                                  \
      (const void *out, int outs, MPI_Datatype otype, void *in, int ins, MPI_Datatype itype,       \
       MPI_Comm comm, MPI_Request *request),                                                       \
      (out, outs, otype, in, ins, itype, comm, request), comm)                                     \
    X(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm * made), (comm, group, made), comm)   \
    X(Comm_split_type, (MPI_Comm comm, int kind, int key, MPI_Info info, MPI_Comm *made),          \
      (comm, kind, key, info, made), comm)                                                         \
    X(Comm_group, (MPI_Comm comm, MPI_Group * group), (comm, group), comm)                         \
    X(Group_translate_ranks,                                                                       \
      (MPI_Group one, int count, const int ranks[], MPI_Group other, int there[]),                 \
      (one, count, ranks, other, there), MPI_COMM_NULL)                                            \
    X(Comm_set_attr, (MPI_Comm comm, int key, void *value), (comm, key, value), comm)              \
    X(Comm_test_inter, (MPI_Comm comm, int *inter), (comm, inter), comm)                           \
    X(Comm_get_errhandler, (MPI_Comm comm, MPI_Errhandler * handler), (comm, handler),             \
      MPI_COMM_NULL)                                                                               \
    X(Comm_set_errhandler, (MPI_Comm comm, MPI_Errhandler handler), (comm, handler),               \
      MPI_COMM_NULL)                                                                               \
    X(Comm_create_errhandler, (MPI_Comm_errhandler_function * function, MPI_Errhandler * handler), \
      (function, handler), MPI_COMM_NULL)                                                          \
    X(Errhandler_free, (MPI_Errhandler * handler), (handler), MPI_COMM_NULL)                       \
    X(Group_size, (MPI_Group group, int *size), (group, size), MPI_COMM_NULL)                      \
    X(Group_free, (MPI_Group * group), (group), MPI_COMM_NULL)                                     \
    X(Type_free, (MPI_Datatype * type), (type), MPI_COMM_NULL)                                     \
    X(Type_get_true_extent, (MPI_Datatype type, MPI_Aint * lower, MPI_Aint * extent),              \
      (type, lower, extent), MPI_COMM_NULL)                                                        \
    X(Iprobe, (int from, int tag, MPI_Comm comm, int *found, MPI_Status *status),                  \
      (from, tag, comm, found, status), comm)                                                      \
    X(Test, (MPI_Request * request, int *done, MPI_Status *status), (request, done, status),       \
      MPI_COMM_NULL)                                                                               \
    X(Comm_rank, (MPI_Comm comm, int *rank), (comm, rank), MPI_COMM_NULL)                          \
    X(Comm_size, (MPI_Comm comm, int *size), (comm, size), MPI_COMM_NULL)

/* Functions of the system: name, type, parameters, arguments, value of a failure, errno. */
#define SYSTEM_POINTS(X)                                                                           \
    X(malloc, void *, (size_t bytes), (bytes), NULL, ENOMEM)                                       \
    X(calloc, void *, (size_t count, size_t bytes), (count, bytes), NULL, ENOMEM)                  \
    X(aligned_alloc, void *, (size_t boundary, size_t bytes), (boundary, bytes), NULL, ENOMEM)     \
    X(strdup, char *, (const char *text), (text), NULL, ENOMEM)                                    \
    X(fstat, int, (int file, struct stat *status), (file, status), -1, ENOMEM)                     \
    X(realloc, void *, (void *old, size_t bytes), (old, bytes), NULL, ENOMEM)                      \
    X(mmap, void *, (void *at, size_t bytes, int protection, int flags, int file, off_t offset),   \
      (at, bytes, protection, flags, file, offset), MAP_FAILED, ENOMEM)                            \
    X(shm_open, int, (const char *name, int flags, mode_t mode), (name, flags, mode), -1, ENOMEM)  \
    X(memfd_create, int, (const char *name, unsigned flags), (name, flags), -1, ENOMEM)            \
    X(ftruncate, int, (int file, off_t bytes), (file, bytes), -1, ENOSPC)                          \
    X(posix_fallocate, int, (int file, off_t offset, off_t bytes), (file, offset, bytes), ENOSPC,  \
      ENOSPC)                                                                                      \
    X(getrandom, ssize_t, (void *to, size_t bytes, unsigned flags), (to, bytes, flags), -1,        \
      EAGAIN)                                                                                      \
    X(process_vm_readv, ssize_t,                                                                   \
      (pid_t pid, const struct iovec *to, unsigned long tos, const struct iovec *from,             \
       unsigned long froms, unsigned long flags),                                                  \
      (pid, to, tos, from, froms, flags), -1, EPERM)

#define POINT(name, ...) POINT_##name,
enum { MPI_POINTS(POINT) SYSTEM_POINTS(POINT) POINTS };
#define NAME(name, ...) #name,
static const char *const names[] = {MPI_POINTS(NAME) SYSTEM_POINTS(NAME)};

static atomic_bool armed;
static atomic_long came[POINTS];
static _Atomic int struck;
static int wanted = -1, kills;
static long wanted_at, row = 1;

/* The code of libshunt.so's back end. */
static _Atomic uintptr_t library_from, library_to;

static int find_library(struct dl_phdr_info *info, size_t size, void *data)
{
    const char *name = info->dlpi_name ? strrchr(info->dlpi_name, '/') : NULL;
    (void)size;
    (void)data;
    if (!name || strncmp(name, "/shunt-", 7) != 0 || strcmp(name, "/shunt-table.so") == 0 ||
        !strstr(name, ".so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        if (header->p_type == PT_LOAD && header->p_flags & PF_X) {
            library_from = info->dlpi_addr + header->p_vaddr;
            library_to = library_from + header->p_memsz;
        }
    }
    return 1;
}

/* It is opened after this library is begun, and before the program calls MPI. */
static void look(void)
{
    if (library_to == 0)
        dl_iterate_phdr(find_library, NULL);
}

/* INJECT_FAIL=NAME: every call of it by libshunt.so fails, on every rank, whatever the program. */
static int always = -1;

static void read_fail(const char *wish)
{
    for (int i = 0; i < POINTS; i++)
        if (strcmp(wish, names[i]) == 0)
            always = i;
}

/* INJECT_ROW=N: what fails does so N times in a row. */
static void read_row(const char *wish)
{
    row = atol(wish);
}

/* INJECT_KILL=NAME:AT: that call of libshunt.so is the last thing the process does, whatever the
 * program. */
static void read_kill(const char *wish)
{
    for (int i = 0; i < POINTS; i++) {
        const size_t length = strlen(names[i]);
        if (strncmp(wish, names[i], length) != 0 || wish[length] != ':')
            continue;
        kills = 1;
        inject_arm(i, atol(wish + length + 1));
    }
}

static __attribute__((constructor)) void start(void)
{
    const char *wish = getenv("INJECT_KILL"), *fail = getenv("INJECT_FAIL"),
               *times = getenv("INJECT_ROW");
    if (fail)
        read_fail(fail);
    if (times)
        read_row(times);
    if (wish)
        read_kill(wish);
}

/* Whether this call is the one. */
static int strikes(int point, void *caller)
{
    if ((uintptr_t)caller < library_from || (uintptr_t)caller >= library_to)
        return 0;
    if (point == always)
        return 1;
    if (!atomic_load(&armed))
        return 0;
    const long now = atomic_fetch_add(&came[point], 1) + 1;
    if (point != wanted || now < wanted_at || now >= wanted_at + row)
        return 0;
    if (kills)
        kill(getpid(), SIGKILL);
    atomic_store(&struck, 1);
    return 1;
}

EXPORT int inject_points(void)
{
    look();
    return library_to > 0 ? POINTS : 0;
}

EXPORT const char *inject_name(int point)
{
    return names[point];
}

EXPORT void inject_arm(int point, long at)
{
    wanted = point;
    wanted_at = at;
    for (int i = 0; i < POINTS; i++)
        atomic_store(&came[i], 0);
    atomic_store(&struck, 0);
    atomic_store(&armed, 1);
}

EXPORT int inject_disarm(void)
{
    atomic_store(&armed, 0);
    return atomic_load(&struck);
}

EXPORT long inject_count(int point)
{
    return atomic_load(&came[point]);
}

#define MPI_FUNCTION(name, parameters, arguments, comm)                                            \
    EXPORT int PMPI_##name parameters                                                              \
    {                                                                                              \
        static int(*next) parameters; /* a list: NOLINT(bugprone-macro-parentheses) */             \
        if (!next) {                                                                               \
            look();                                                                                \
            *(void **)&next = dlsym(RTLD_NEXT, "PMPI_" #name);                                     \
        }                                                                                          \
        if (!strikes(POINT_##name, __builtin_return_address(0)))                                   \
            return next arguments;                                                                 \
        if ((comm) != MPI_COMM_NULL)                                                               \
            PMPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);                                        \
        return MPI_ERR_OTHER;                                                                      \
    }
MPI_POINTS(MPI_FUNCTION)

/* The C library's own names, for these are needed before anything can be looked up. */
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t bytes);
extern void *__libc_realloc(void *old, size_t bytes);

/* The function behind ours. dlsym may ask for memory itself. */
static void *behind(const char *name)
{
    if (strcmp(name, "malloc") == 0)
        return (void *)(uintptr_t)__libc_malloc;
    if (strcmp(name, "calloc") == 0)
        return (void *)(uintptr_t)__libc_calloc;
    if (strcmp(name, "realloc") == 0)
        return (void *)(uintptr_t)__libc_realloc;
    return dlsym(RTLD_NEXT, name);
}

#define SYSTEM_FUNCTION(name, type, parameters, arguments, failure, error)                         \
    EXPORT type name parameters                                                                    \
    {                                                                                              \
        static type(*next) parameters; /* a list: NOLINT(bugprone-macro-parentheses) */            \
        if (!next)                                                                                 \
            *(void **)&next = behind(#name);                                                       \
        if (!strikes(POINT_##name, __builtin_return_address(0)))                                   \
            return next arguments;                                                                 \
        errno = error;                                                                             \
        return failure;                                                                            \
    }
SYSTEM_POINTS(SYSTEM_FUNCTION)
