/* SPDX-License-Identifier: BSD-3-Clause */
/* notice.c: a byte per notice in memory of `shunt run`. */
#include "base/notice.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/hash.h"

#define NAME "shunt-run-%016" PRIx64

/* "0123456789abcdef," */
enum { TOLD_LENGTH = 17 };

static void print_told(const char *sentence, char *text)
{
    snprintf(text, TOLD_LENGTH + 1, "%016" PRIx64 ",",
             shunt_hash_mix(shunt_hash_text(SHUNT_HASH_EMPTY, sentence)));
}

void shunt_told_add(char *list, const char *sentence)
{
    const size_t used = strlen(list);
    if (used + TOLD_LENGTH < SHUNT_TOLD_MAX)
        print_told(sentence, list + used);
}

bool shunt_told_has(const char *list, const char *sentence)
{
    char text[TOLD_LENGTH + 1];
    print_told(sentence, text);
    return list && strstr(list, text);
}

int shunt_notice_make(char *address)
{
    char name[64];
    uint64_t token;
    if (getrandom(&token, sizeof token, GRND_NONBLOCK) != (ssize_t)sizeof token)
        return -1;
    snprintf(name, sizeof name, NAME, token);
    if (prctl(PR_GET_DUMPABLE) != 1)
        return -1; /* nobody else may look at our descriptors */
    const int descriptor = memfd_create(name, MFD_CLOEXEC);
    if (descriptor < 0)
        return -1;
    if (ftruncate(descriptor, SHUNT_NOTICE_COUNT) != 0) {
        close(descriptor);
        return -1;
    }
    snprintf(address, SHUNT_NOTICE_ADDRESS_MAX, "%d.%d.%016" PRIx64, (int)getpid(), descriptor,
             token);
    return descriptor;
}

bool shunt_notice_given(int descriptor, enum shunt_notice notice)
{
    char byte = 0;
    return pread(descriptor, &byte, 1, (off_t)notice) == 1 && byte != 0;
}

/* Numbers of processes and descriptors are used again: whoever has them now must not be written to.
 */
static bool is_there(const char *path, uint64_t token)
{
    char target[128], name[64];
    const int length = snprintf(name, sizeof name, "/memfd:" NAME " ", token);
    const ssize_t got = readlink(path, target, sizeof target);
    return got >= length && memcmp(target, name, (size_t)length) == 0;
}

/* Not by write(), which would raise a signal where the application may write no files. */
static void mark(int descriptor, enum shunt_notice notice)
{
    volatile char *bytes =
        mmap(NULL, SHUNT_NOTICE_COUNT, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
    if (bytes == MAP_FAILED)
        return;
    bytes[notice] = 1;
    munmap((void *)(uintptr_t)bytes, SHUNT_NOTICE_COUNT);
}

void shunt_notice_give(const char *address, enum shunt_notice notice)
{
    const int saved = errno;
    char path[64];
    int process, descriptor;
    uint64_t token;
    if (sscanf(address, "%d.%d.%16" SCNx64, &process, &descriptor, &token) == 3) {
        snprintf(path, sizeof path, "/proc/%d/fd/%d", process, descriptor);
        const int fd = is_there(path, token) ? open(path, O_RDWR | O_CLOEXEC) : -1;
        if (fd >= 0) {
            mark(fd, notice);
            close(fd);
        }
    }
    errno = saved;
}
