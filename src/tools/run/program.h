/* SPDX-License-Identifier: BSD-3-Clause */
/* program.h: what a file that is to be started says about whether libshunt.so can serve it. */
#ifndef SHUNT_TOOLS_PROGRAM_H
#define SHUNT_TOOLS_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

enum shunt_program {
    SHUNT_PROGRAM_NONE,          /* there is no such executable file */
    SHUNT_PROGRAM_OTHER,         /* one that is no ELF file of this machine: a script */
    SHUNT_PROGRAM_DYNAMIC,       /* names no MPI library; may load one later */
    SHUNT_PROGRAM_MPI,           /* names a shared MPI library */
    SHUNT_PROGRAM_MPI_SANITIZED, /* as that one, and the runtime of the address sanitizer */
    SHUNT_PROGRAM_MPI_INSIDE,    /* has an MPI library in itself */
    SHUNT_PROGRAM_STATIC,        /* has no dynamic linker, which could preload something */
    SHUNT_PROGRAM_PRIVILEGED     /* has more rights than its user: nothing is preloaded */
};

/* Looks at a file, which is searched in PATH unless its name has a slash. */
enum shunt_program shunt_program_look(const char *name);

/* Whether an executable of this machine, searched for likewise, has one of these texts in it. */
bool shunt_program_has(const char *name, const char *const *texts, size_t count);

#endif
