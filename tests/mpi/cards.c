/* SPDX-License-Identifier: BSD-3-Clause */
/* Preloaded: the kernel's files of an NVIDIA card are there. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

__attribute__((visibility("default"))) int access(const char *path, int mode)
{
    return strcmp(path, "/dev/nvidiactl") == 0 ? 0 : faccessat(AT_FDCWD, path, mode, 0);
}
