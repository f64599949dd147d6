/* SPDX-License-Identifier: BSD-3-Clause */
/* builtin.h: conf/default.cfg as a string, made when Shunt is built. */
#ifndef SHUNT_ROUTE_BUILTIN_H
#define SHUNT_ROUTE_BUILTIN_H

extern const char shunt_builtin_text[];

#endif
