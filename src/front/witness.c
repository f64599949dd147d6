/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * witness.c: tells `shunt run` that a process with an MPI library has loaded this one, and that it
 * called. Launchers and shells load it too, so what counts is whether MPI is there: when the
 * process begins, or, for interpreters that load it later, when it ends.
 */
#include "front/witness.h"

#include <errno.h>
#include <stdio.h>

#include "base/environment.h"
#include "base/notice.h"
#include "pmpi/library.h"

static char address[SHUNT_NOTICE_ADDRESS_MAX]; /* "": nobody asks */
static bool told;

static void tell_loaded(void)
{
    if (address[0] == '\0' || told || !shunt_library_present())
        return;
    told = true;
    shunt_notice_give(address, SHUNT_NOTICE_LOADED);
}

static void find_address(void)
{
    const char *value = shunt_environment_value(SHUNT_NOTICE_VARIABLE);
    if (value)
        snprintf(address, sizeof address, "%s", value);
}

__attribute__((constructor)) static void begin(void)
{
    const int error = errno;
    find_address();
    tell_loaded();
    errno = error;
}

__attribute__((destructor)) static void end(void)
{
    tell_loaded();
}

void shunt_witness_call(void)
{
    if (address[0] == '\0')
        find_address(); /* a constructor of another library calls before ours has run */
    if (address[0] != '\0')
        shunt_notice_give(address, SHUNT_NOTICE_CALLED);
}
