/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * segment.c: memory shared by the ranks of a node, as POSIX shared memory of our own.
 *
 * Local rank 0 creates the object and reserves its memory at once: lack of space is an answer here, and would be a SIGBUS later. It tells
 * the others the name; they attach and check that they see the same object (processes of one host may live in different containers).
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "communicator/comm.h"

/* INTERRUPTIONS: by signals, of a profiler for instance, that reserving memory survives. */
enum { NAME_ROOM = 64, TRIES = 8, INTERRUPTIONS = 1000 };

/* What local rank 0 sends to each of the others. An empty name: it could not create one. */
struct invitation {
    char name[NAME_ROOM];
    uint64_t nonce;
};

static uint64_t random_number(void)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) == (ssize_t)sizeof number)
        return number;
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_nsec << 32 ^ (uint64_t)t.tv_sec ^ (uint64_t)getpid() << 16;
}

static void *map_shared(int fd, size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void *create(struct invitation *invitation, size_t bytes)
{
    int fd = -1;
    for (int i = 0; fd < 0 && i < TRIES; i++) {
        invitation->nonce = random_number();
        snprintf(invitation->name, sizeof invitation->name, "/shunt-%ld-%016" PRIx64, (long)getpid(), invitation->nonce);
        fd = shm_open(invitation->name, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, S_IRUSR | S_IWUSR);
    }
    if (fd < 0) {
        invitation->name[0] = '\0';
        return NULL;
    }
    int reserved = EINTR;
    for (int i = 0; reserved == EINTR && i < INTERRUPTIONS; i++)
        reserved = posix_fallocate(fd, 0, (off_t)bytes);
    void *at = reserved == 0 ? map_shared(fd, bytes) : NULL;
    close(fd);
    if (at) {
        memcpy(at, &invitation->nonce, sizeof invitation->nonce);
    } else {
        shm_unlink(invitation->name);
        invitation->name[0] = '\0';
    }
    return at;
}

static void *attach(const struct invitation *invitation, size_t bytes)
{
    struct stat status;
    void *at = NULL;
    if (invitation->name[0] == '\0')
        return NULL;
    const int fd = shm_open(invitation->name, O_RDWR | O_CLOEXEC, 0);
    if (fd < 0)
        return NULL;
    if (fstat(fd, &status) == 0 && (size_t)status.st_size == bytes)
        at = map_shared(fd, bytes);
    close(fd);
    if (at && memcmp(at, &invitation->nonce, sizeof invitation->nonce) != 0) {
        munmap(at, bytes);
        at = NULL;
    }
    return at;
}

/* One message between local rank 0 and another rank of the node. */
static bool pass(struct shunt_comm *comm, struct invitation *invitation, int peer, bool send)
{
    MPI_Request request;
    const int bytes = (int)sizeof *invitation;
    const int status = send ? shunt_comm_send(comm, invitation, bytes, MPI_BYTE, peer, SHUNT_TAG_SEGMENT, &request)
                            : shunt_comm_receive(comm, invitation, bytes, MPI_BYTE, peer, SHUNT_TAG_SEGMENT, &request);
    return status == MPI_SUCCESS && shunt_wait_all(comm, 1, &request, &peer, NULL) == MPI_SUCCESS;
}

void *shunt_segment_attach(struct shunt_comm *comm, size_t bytes)
{
    const struct shunt_layout *layout = &comm->layout;
    const struct shunt_node *node = &comm->node;
    struct invitation invitation = {.name = ""};
    comm->segment_name[0] = '\0';
    if (node->ppn == 1) { /* nobody to share with */
        void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return at == MAP_FAILED ? NULL : at;
    }
    if (node->local != 0)
        return pass(comm, &invitation, shunt_layout_rank(layout, node->index, 0), false) ? attach(&invitation, bytes) : NULL;
    void *at = create(&invitation, bytes);
    memcpy(comm->segment_name, invitation.name, sizeof comm->segment_name);
    for (int local = 1; local < node->ppn; local++)
        pass(comm, &invitation, shunt_layout_rank(layout, node->index, local), true);
    return at;
}

void shunt_segment_forget(struct shunt_comm *comm)
{
    if (comm->segment_name[0] != '\0')
        shm_unlink(comm->segment_name);
    comm->segment_name[0] = '\0';
}
