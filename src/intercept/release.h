/* SPDX-License-Identifier: BSD-3-Clause */
/* release.h: the application frees communicators. */
#ifndef SHUNT_INTERCEPT_RELEASE_H
#define SHUNT_INTERCEPT_RELEASE_H

#include <stdbool.h>

/* Whether all of that comes through here. */
bool shunt_release_is_seen(void);

#endif
