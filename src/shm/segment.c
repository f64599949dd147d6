/* SPDX-License-Identifier: BSD-3-Clause */
/* segment.c: making shared memory, and finding it in another process. */
#include "shm/segment.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/growth.h"
#include "shm/segment_header.h"

/* SMALLEST: less is no use. NEAR_MOST: control blocks of hundreds of communicators. */
enum { FD_SMALL = 64, FD_LARGE = 200, FD_TRIES = 32, NAME_SIZE = 64, INTERRUPTIONS = 1000 };
static const uint64_t SMALLEST = UINT64_C(64) << 10, NEAR_MOST = UINT64_C(16) << 20;

uint64_t shunt_segment_page(void)
{
    static _Atomic uint64_t known;
    uint64_t page = atomic_load_explicit(&known, memory_order_relaxed);
    if (page == 0) {
        const long told = sysconf(_SC_PAGESIZE);
        page = told > 4096 ? (uint64_t)told : 4096;
        atomic_store_explicit(&known, page, memory_order_relaxed);
    }
    return page;
}

uint64_t shunt_segment_pages(size_t bytes)
{
    const uint64_t page = shunt_segment_page();
    return ((uint64_t)bytes + page - 1) / page * page;
}

/*
 * Length of the object: half of the machine's memory, and no more than files may grow to, for a
 * shared object is one to Linux. That much is neither mapped nor taken: what is taken is bounded by
 * policy.memory, and a process maps what it uses.
 */
static uint64_t bytes_wanted(void)
{
    struct rlimit limit;
    const long pages = sysconf(_SC_PHYS_PAGES);
    uint64_t bytes = pages > 0 ? (uint64_t)pages * (shunt_segment_page() / 2) : UINT64_C(1) << 29;
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < bytes)
        bytes = limit.rlim_cur;
    return bytes / shunt_segment_page() * shunt_segment_page();
}

static uint64_t random_number(void)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == (ssize_t)sizeof number)
        return number;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_nsec << 32 ^ (uint64_t)t.tv_sec ^ (uint64_t)getpid() << 16;
}

/* Whether the descriptor still is the segment's: the application may have closed it, and opened
 * something else. */
bool shunt_segment_still_ours(const struct shunt_segment *segment)
{
    struct stat status;
    return segment->fd >= 0 && fstat(segment->fd, &status) == 0 &&
           status.st_dev == segment->device && status.st_ino == segment->file;
}

static bool is_free(int fd)
{
    return fcntl(fd, F_GETFD) < 0;
}

/*
 * A number of a file descriptor that is free, out of the way of programs that count on low ones;
 * -1: none in sight. Processes begin with tables of FD_SMALL descriptors, and where a process has
 * threads (UCX makes one) the kernel makes a larger one after all processors have passed a quiet
 * state, which takes tens of milliseconds. A process that has most of the small one's numbers in
 * use has a larger one by now, or soon.
 */
static int free_number(void)
{
    struct rlimit limit;
    int end = FD_SMALL, last = FD_LARGE + FD_TRIES;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < (rlim_t)last)
        last = (int)limit.rlim_cur;
    if (last < end)
        end = last;
    for (int fd = end - 1; fd >= 0 && fd >= end - FD_TRIES; fd--)
        if (is_free(fd))
            return fd;
    for (int fd = FD_LARGE; fd < last; fd++)
        if (is_free(fd))
            return fd;
    return -1;
}

struct shunt_segment_offer shunt_segment_offer(void)
{
    const uint64_t bytes = bytes_wanted();
    const int fd = free_number();
    return (struct shunt_segment_offer){.bytes = bytes >= SMALLEST ? bytes : 0,
                                        .nonce = random_number(),
                                        .pid = (int32_t)getpid(),
                                        .fd = (int32_t)fd};
}

/* Takes `fd` over, under another number: `number` or above. */
static bool adopt(struct shunt_segment *segment, int fd, int number, uint64_t bytes)
{
    struct stat status;
    const int moved = fcntl(fd, F_DUPFD_CLOEXEC, number);
    close(fd);
    if (moved < 0)
        return false;
    *segment = (struct shunt_segment){.fd = moved, .bytes = bytes};
    if (fstat(moved, &status) != 0) {
        close(moved);
        segment->fd = -1;
        return false;
    }
    segment->device = status.st_dev;
    segment->file = status.st_ino;
    return true;
}

static bool resize(int fd, uint64_t bytes)
{
    struct shunt_growth growth;
    shunt_growth_begin(&growth);
    const bool sized = ftruncate(fd, (off_t)bytes) == 0;
    shunt_growth_end(&growth);
    return sized;
}

/* The part that every process maps. The same for all of them. */
uint64_t shunt_segment_near(const struct shunt_segment *segment)
{
    const uint64_t half = segment->bytes / 2 / shunt_segment_page() * shunt_segment_page();
    return half < NEAR_MOST ? half : NEAR_MOST;
}

/* Not for core files: what is in it is in the buffers of the program as well. */
static void *map_part(const struct shunt_segment *segment, uint64_t from, uint64_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, segment->fd,
                    (off_t)from);
    if (at == MAP_FAILED)
        return NULL;
    madvise(at, bytes, MADV_DONTDUMP);
    return at;
}

static bool map_near(struct shunt_segment *segment)
{
    segment->at = map_part(segment, 0, shunt_segment_near(segment));
    return segment->at;
}

/* Memory for a range. EINTR: by signals, of a profiler for instance. */
bool shunt_segment_fill(const struct shunt_segment *segment, uint64_t from, uint64_t bytes)
{
    int status = EINTR;
    if (!shunt_segment_still_ours(segment)) {
#ifdef MADV_POPULATE_WRITE
        return from < shunt_segment_near(segment) &&
               madvise(segment->at + from, bytes, MADV_POPULATE_WRITE) == 0;
#else
        return false;
#endif
    }
    for (int i = 0; status == EINTR && i < INTERRUPTIONS; i++)
        status =
            posix_fallocate(segment->fd, (off_t)from,
                            (off_t)bytes); /* nothing grows: that limit does not matter any more */
    return status == 0;
}

/* Maps a new segment and makes it ready. */
static bool start(struct shunt_segment *segment, const struct shunt_segment_offer *offer)
{
    if (!map_near(segment) || !shunt_segment_fill(segment, 0, shunt_segment_first()))
        return false;
    struct shunt_segment_header *header = shunt_segment_header(segment);
    header->nonce = offer->nonce;
    atomic_flag_clear(&header->lock);
    header->next = shunt_segment_first();
    header->next_far = shunt_segment_near(segment);
    return true;
}

bool shunt_segment_create(struct shunt_segment *segment, const struct shunt_segment_offer *offer)
{
    *segment = (struct shunt_segment){.fd = -1};
    const int fd = offer->bytes > 0 && offer->fd >= 0 ? memfd_create("shunt", MFD_CLOEXEC) : -1;
    if (fd < 0)
        return false;
    if (!resize(fd, offer->bytes)) {
        close(fd);
        return false;
    }
    /* The number may have been taken meanwhile: then nobody would find it. */
    if (adopt(segment, fd, offer->fd, offer->bytes) && segment->fd == offer->fd &&
        start(segment, offer))
        return true;
    shunt_segment_close(segment);
    return false;
}

/* A process number, or a name, may mean something else here: then the object is another one. */
static bool is_offered(int fd, const struct shunt_segment_offer *offer)
{
    struct stat status;
    uint64_t nonce = 0;
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
           (uint64_t)status.st_size == offer->bytes &&
           pread(fd, &nonce, sizeof nonce, offsetof(struct shunt_segment_header, nonce)) ==
               (ssize_t)sizeof nonce &&
           nonce == offer->nonce;
}

static bool join(struct shunt_segment *segment, int fd, const struct shunt_segment_offer *offer)
{
    *segment = (struct shunt_segment){.fd = -1};
    if (fd < 0)
        return false;
    if (!is_offered(fd, offer)) {
        close(fd);
        return false;
    }
    const int number = free_number(); /* the offered one may be in use here */
    if (adopt(segment, fd, number < 0 ? offer->fd : number, offer->bytes) && map_near(segment))
        return true;
    shunt_segment_close(segment);
    return false;
}

bool shunt_segment_join(struct shunt_segment *segment, const struct shunt_segment_offer *offer)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)offer->pid, offer->fd);
    return join(segment,
                offer->bytes > 0 && offer->fd >= 0 ? open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK)
                                                   : -1,
                offer);
}

static void name_of(const struct shunt_segment_offer *offer, char name[NAME_SIZE])
{
    snprintf(name, NAME_SIZE, "/shunt-%016" PRIx64, offer->nonce);
}

bool shunt_segment_create_named(struct shunt_segment *segment,
                                const struct shunt_segment_offer *offer)
{
    char name[NAME_SIZE];
    *segment = (struct shunt_segment){.fd = -1};
    if (offer->bytes == 0)
        return false;
    name_of(offer, name);
    const int fd = shm_open(name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    if (fd < 0)
        return false;
    if (resize(fd, offer->bytes)) {
        if (adopt(segment, fd, 0, offer->bytes) && start(segment, offer))
            return true;
    } else {
        close(fd);
    }
    shunt_segment_close(segment);
    shm_unlink(name);
    return false;
}

bool shunt_segment_join_named(struct shunt_segment *segment,
                              const struct shunt_segment_offer *offer)
{
    char name[NAME_SIZE];
    name_of(offer, name);
    return join(segment, shm_open(name, O_RDWR | O_CLOEXEC, 0), offer);
}

void shunt_segment_forget_name(const struct shunt_segment_offer *offer)
{
    char name[NAME_SIZE];
    name_of(offer, name);
    shm_unlink(name);
}

void shunt_segment_close(struct shunt_segment *segment)
{
    if (segment->at)
        munmap(segment->at, shunt_segment_near(segment));
    if (shunt_segment_still_ours(segment))
        close(segment->fd);
    *segment = (struct shunt_segment){.fd = -1};
}

char *shunt_segment_map(const struct shunt_segment *segment, shunt_piece piece, size_t bytes)
{
    return shunt_segment_still_ours(segment) ? map_part(segment, piece, shunt_segment_pages(bytes))
                                             : NULL;
}

void shunt_segment_unmap(char *at, size_t bytes)
{
    if (at)
        munmap(at, shunt_segment_pages(bytes));
}
