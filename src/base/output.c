/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c: see output.h. */
#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LETTERS = 6, TRIES = 100 };
static const char end[] = ".part";

/* Open descriptors by their names: whoever gave them wants this very file written. */
static bool is_descriptor(const char *name)
{
    static const char *const beginnings[] = {"/dev/std", "/dev/fd/", "/proc/"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static int look(const char *name, struct stat *status, bool *there)
{
    struct stat link;
    *there = stat(name, status) == 0;
    if (*there)
        return 0;
    if (errno != ENOENT)
        return errno;
    return lstat(name, &link) == 0 ? ENOENT : 0; /* a link that leads nowhere */
}

static void put_letters(char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz012345";
    unsigned char bytes[LETTERS] = {0};
    /* Without chance it is still a new file, or none. */
    if (getrandom(bytes, sizeof bytes, GRND_NONBLOCK) < 0)
        memset(bytes, 0, sizeof bytes);
    for (size_t i = 0; i < LETTERS; i++)
        text[i] = letters[bytes[i] % (sizeof letters - 1)];
}

/* A name beside the file; its own is cut where both would be too long. */
static char *beside(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t folder = slash ? (size_t)(slash - path) + 1 : 0, most = NAME_MAX - 16,
                 length = strlen(path + folder), kept = length < most ? length : most;
    char *name = malloc(folder + kept + 1 + LETTERS + sizeof end);
    if (!name)
        return NULL;
    memcpy(name, path, folder + kept);
    name[folder + kept] = '.';
    put_letters(name + folder + kept + 1);
    memcpy(name + folder + kept + 1 + LETTERS, end, sizeof end);
    return name;
}

/* Returns the descriptor of a new file, or -1 with errno. */
static int make_part(struct shunt_output *output, mode_t mode)
{
    for (int i = 0; i < TRIES; i++) {
        free(output->part);
        output->part = beside(output->path);
        if (!output->part)
            return -1;
        const int descriptor =
            open(output->part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

/* What an editor keeps. Bits that lend rights are for the owner and group that had them. */
static void keep(int descriptor, const struct stat *status)
{
    mode_t mode = status->st_mode & 07777;
    if (fchown(descriptor, status->st_uid, status->st_gid) != 0) {
        mode &= 0777;
        if (fchown(descriptor, (uid_t)-1, status->st_gid) != 0)
            mode &= ~(mode_t)S_IRWXG | (mode & S_IRWXO) << 3;
    }
    (void)fchmod(descriptor, mode);
}

static void clear(struct shunt_output *output)
{
    free(output->path);
    free(output->part);
    *output = (struct shunt_output){0};
}

/* A new file. `status`: of the one to replace, NULL: there is none. */
static int open_part(struct shunt_output *output, const struct stat *status)
{
    const int descriptor = make_part(output, status ? 0600 : 0666);
    if (descriptor < 0)
        return errno;
    if (status)
        keep(descriptor, status);
    output->stream = fdopen(descriptor, "w+");
    if (output->stream)
        return 0;
    const int error = errno;
    close(descriptor);
    unlink(output->part);
    return error;
}

int shunt_output_open(struct shunt_output *output, const char *name)
{
    struct stat status;
    bool there;
    *output = (struct shunt_output){0};
    int error = look(name, &status, &there);
    if (error != 0)
        return error;
    if (!is_descriptor(name) && (!there || S_ISREG(status.st_mode))) {
        output->path = there ? realpath(name, NULL) : strdup(name);
        if (!output->path)
            return errno;
        /* A file that may not be written is not replaced either. */
        error = there && access(output->path, W_OK) != 0
                    ? errno
                    : open_part(output, there ? &status : NULL);
        if (error == 0)
            return 0;
        clear(output);
        if (!there || error != EACCES)
            return error;
    }
    output->stream = fopen(name, "we");
    return output->stream ? 0 : errno;
}

/* The new name is on the disk as well. A file system that cannot do this has done what it can. */
static void sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    const int descriptor = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
    if (descriptor >= 0) {
        (void)fsync(descriptor);
        close(descriptor);
    }
    free(folder);
}

/* Returns 0 or the first errno. */
static int end_stream(FILE *stream, bool durable)
{
    const int before = errno != 0 ? errno : EIO; /* of the write that failed, most likely */
    int error = ferror(stream) ? before : 0;
    if (fflush(stream) != 0 && error == 0)
        error = errno;
    if (error == 0 && durable && fsync(fileno(stream)) != 0)
        error = errno;
    if (fclose(stream) != 0 && error == 0)
        error = errno;
    return error;
}

int shunt_output_close(struct shunt_output *output, bool whole)
{
    if (!output->stream) {
        clear(output);
        return 0;
    }
    int error = end_stream(output->stream, output->part && whole);
    if (error == 0 && output->part && whole && rename(output->part, output->path) != 0)
        error = errno;
    if (error == 0 && output->part && whole)
        sync_folder(output->path);
    if (error != 0 && output->part)
        unlink(output->part);
    clear(output);
    return error;
}

void shunt_output_drop(struct shunt_output *output)
{
    if (output->stream)
        fclose(output->stream);
    if (output->part)
        unlink(output->part);
    clear(output);
}

int shunt_output_put(const char *name, const char *bytes, size_t count)
{
    struct shunt_output output;
    const int error = shunt_output_open(&output, name);
    if (error != 0)
        return error;
    fwrite(bytes, 1, count, output.stream); /* an error stays in the stream */
    return shunt_output_close(&output, true);
}
