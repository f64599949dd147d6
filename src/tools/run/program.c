/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * program.c: looks into an executable file: whether it has a dynamic linker, which MPI library it
 * names, whether it has one inside. Files come from anywhere, so every offset is checked.
 */
#include "tools/run/program.h"

#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/environment.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

struct file {
    const unsigned char *bytes;
    size_t size;
    const ElfW(Ehdr) * header;
};

/* `count` things of `size` bytes at an offset, or NULL. In files that can be started they are
 * aligned. */
static const void *at(const struct file *file, uint64_t offset, uint64_t count, size_t size)
{
    const bool within = offset <= file->size && count <= (file->size - offset) / size;
    return within && offset % sizeof(void *) == 0 ? file->bytes + offset : NULL;
}

/* A string that ends within the file, or "". */
static const char *string_at(const struct file *file, uint64_t offset)
{
    return offset < file->size && memchr(file->bytes + offset, '\0', file->size - offset)
               ? (const char *)file->bytes + offset
               : "";
}

static const ElfW(Phdr) * find_part(const struct file *file, uint32_t type)
{
    const ElfW(Phdr) *parts = at(file, file->header->e_phoff, file->header->e_phnum, sizeof *parts);
    for (int i = 0; parts && i < file->header->e_phnum; i++)
        if (parts[i].p_type == type)
            return &parts[i];
    return NULL;
}

/* Where in the file that lies which will be at an address. */
static uint64_t offset_of(const struct file *file, uint64_t address)
{
    const ElfW(Phdr) *parts = at(file, file->header->e_phoff, file->header->e_phnum, sizeof *parts);
    for (int i = 0; parts && i < file->header->e_phnum; i++)
        if (parts[i].p_type == PT_LOAD && address >= parts[i].p_vaddr &&
            address - parts[i].p_vaddr < parts[i].p_filesz)
            return address - parts[i].p_vaddr + parts[i].p_offset;
    return UINT64_MAX;
}

static bool begins_with(const char *name, const char *const *beginnings, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0)
            return true;
    return false;
}

static enum shunt_program named(const char *library)
{
    /* A program names the bindings of its language, and the library itself not always. */
    static const char *const names[] = {"libmpi.so",     "libmpich",      "libmpifort",
                                        "libmpicxx",     "libmpi_cray",   "libmpi_gnu",
                                        "libmpi_intel",  "libmpi_abi",    "libmpi_mpifh",
                                        "libmpi_usempi", "libmpi_cxx.so", "libmpi_java"};
    return begins_with(library, names, COUNT(names)) ? SHUNT_PROGRAM_MPI : SHUNT_PROGRAM_DYNAMIC;
}

/* A program without a dynamic linker. Libraries have none either. */
static bool is_static(const struct file *file)
{
    const ElfW(Phdr) *part = find_part(file, PT_DYNAMIC);
    const uint64_t count = part ? part->p_filesz / sizeof(ElfW(Dyn)) : 0;
    const ElfW(Dyn) *entries = part ? at(file, part->p_offset, count, sizeof *entries) : NULL;
    for (uint64_t i = 0; entries && i < count; i++)
        if (entries[i].d_tag == DT_FLAGS_1 && (entries[i].d_un.d_val & DF_1_PIE) != 0)
            return true;
    return file->header->e_type == ET_EXEC;
}

/* The libraries that the file names. Those of the address sanitizer are asked for as gcc and clang
 * name them. */
static enum shunt_program look_at_needed(const struct file *file)
{
    const ElfW(Phdr) *part = find_part(file, PT_DYNAMIC);
    const uint64_t count = part ? part->p_filesz / sizeof(ElfW(Dyn)) : 0;
    const ElfW(Dyn) *entries = part ? at(file, part->p_offset, count, sizeof *entries) : NULL;
    static const char *const sanitizers[] = {"libasan.so", "libclang_rt.asan"};
    uint64_t strings = UINT64_MAX;
    for (uint64_t i = 0; entries && i < count; i++)
        if (entries[i].d_tag == DT_STRTAB)
            strings = offset_of(file, entries[i].d_un.d_ptr);
    enum shunt_program found = SHUNT_PROGRAM_DYNAMIC;
    bool sanitized = false;
    for (uint64_t i = 0; entries && strings < file->size && i < count; i++) {
        if (entries[i].d_tag != DT_NEEDED || entries[i].d_un.d_val >= file->size)
            continue;
        const char *library = string_at(file, strings + entries[i].d_un.d_val);
        sanitized = sanitized || begins_with(library, sanitizers, COUNT(sanitizers));
        if (found == SHUNT_PROGRAM_DYNAMIC)
            found = named(library);
    }
    return found == SHUNT_PROGRAM_MPI && sanitized ? SHUNT_PROGRAM_MPI_SANITIZED : found;
}

/* Whether MPI's functions are in the file: seen unless its symbols were stripped. */
static bool has_mpi_inside(const struct file *file)
{
    const ElfW(Shdr) *sections =
        at(file, file->header->e_shoff, file->header->e_shnum, sizeof *sections);
    for (int i = 0; sections && i < file->header->e_shnum; i++) {
        const ElfW(Shdr) *section = &sections[i];
        const uint64_t count = section->sh_size / sizeof(ElfW(Sym));
        const ElfW(Sym) *symbols = at(file, section->sh_offset, count, sizeof *symbols);
        if (section->sh_type != SHT_SYMTAB || section->sh_link >= file->header->e_shnum)
            continue;
        const uint64_t strings = sections[section->sh_link].sh_offset;
        for (uint64_t s = 0; symbols && strings < file->size && s < count; s++)
            if (symbols[s].st_shndx != SHN_UNDEF &&
                strcmp(string_at(file, strings + symbols[s].st_name), "PMPI_Alltoall") == 0)
                return true;
    }
    return false;
}

static enum shunt_program look_inside(struct file *file)
{
    const uint16_t one = 1;
    const unsigned char order = *(const unsigned char *)&one == 1 ? ELFDATA2LSB : ELFDATA2MSB;
    const ElfW(Ehdr) *header = file->header = at(file, 0, 1, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
        header->e_ident[EI_DATA] != order || header->e_phentsize != sizeof(ElfW(Phdr)) ||
        (header->e_shnum > 0 && header->e_shentsize != sizeof(ElfW(Shdr))))
        return SHUNT_PROGRAM_OTHER;
    if (!find_part(file, PT_INTERP) && !is_static(file))
        return SHUNT_PROGRAM_NONE;
    if (!find_part(file, PT_INTERP))
        return has_mpi_inside(file) ? SHUNT_PROGRAM_MPI_INSIDE : SHUNT_PROGRAM_STATIC;
    const enum shunt_program found = look_at_needed(file);
    return found == SHUNT_PROGRAM_DYNAMIC && has_mpi_inside(file) ? SHUNT_PROGRAM_MPI_INSIDE
                                                                  : found;
}

/* Maps a file that may be started. *bytes: NULL where it cannot be read. False: there is none. */
static bool map(const char *path, struct file *file, struct stat *status)
{
    *file = (struct file){0};
    if (stat(path, status) != 0 || !S_ISREG(status->st_mode) || access(path, X_OK) != 0)
        return false;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return true;
    void *bytes = status->st_size > 0
                      ? mmap(NULL, (size_t)status->st_size, PROT_READ, MAP_PRIVATE, fd, 0)
                      : MAP_FAILED;
    close(fd);
    if (bytes != MAP_FAILED) {
        file->bytes = bytes;
        file->size = (size_t)status->st_size;
    }
    return true;
}

static void unmap(const struct file *file)
{
    if (file->bytes)
        munmap((void *)(uintptr_t)file->bytes, file->size);
}

static enum shunt_program look(const char *path)
{
    struct stat status;
    struct file file;
    enum shunt_program found = SHUNT_PROGRAM_OTHER;
    if (!map(path, &file, &status))
        return SHUNT_PROGRAM_NONE;
    if ((status.st_mode & S_ISUID && status.st_uid != getuid()) ||
        (status.st_mode & S_ISGID && status.st_gid != getgid()) ||
        (getuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0))
        found = SHUNT_PROGRAM_PRIVILEGED;
    else if (file.bytes)
        found = look_inside(&file);
    unmap(&file);
    return found;
}

/* The next file of that name: in PATH, of which *folders is what has not been searched, unless it
 * has a slash. False: there is no further one. */
static bool find_next(const char *name, const char **folders, char path[PATH_MAX])
{
    if (!*folders || name[0] == '\0')
        return false;
    if (strchr(name, '/')) {
        snprintf(path, PATH_MAX, "%s", name);
        *folders = NULL;
        return true;
    }
    const char *end = strchrnul(*folders, ':');
    snprintf(path, PATH_MAX, "%.*s/%s", end > *folders ? (int)(end - *folders) : 1,
             end > *folders ? *folders : ".", name);
    *folders = *end != '\0' ? end + 1 : NULL;
    return true;
}

static const char *where_to_search(const char *name)
{
    return strchr(name, '/') ? "" : shunt_environment_value("PATH");
}

enum shunt_program shunt_program_look(const char *name)
{
    char path[PATH_MAX];
    enum shunt_program found = SHUNT_PROGRAM_NONE;
    for (const char *folders = where_to_search(name);
         found == SHUNT_PROGRAM_NONE && find_next(name, &folders, path);)
        found = look(path);
    return found;
}

bool shunt_program_has(const char *name, const char *const *texts, size_t count)
{
    char path[PATH_MAX];
    struct stat status;
    struct file file;
    bool mapped = false, has = false;
    for (const char *folders = where_to_search(name); !mapped && find_next(name, &folders, path);)
        mapped = map(path, &file, &status);
    if (!mapped)
        return false;
    if (file.bytes && look_inside(&file) > SHUNT_PROGRAM_OTHER)
        for (size_t i = 0; i < count; i++)
            has = has || memmem(file.bytes, file.size, texts[i], strlen(texts[i]));
    unmap(&file);
    return has;
}
