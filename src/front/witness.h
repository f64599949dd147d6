/* SPDX-License-Identifier: BSD-3-Clause */
/* witness.h: tells `shunt run`, where it started the program, that the library is at work. */
#ifndef SHUNT_FRONT_WITNESS_H
#define SHUNT_FRONT_WITNESS_H

/* At the first call of this process. That the library was loaded is told without being asked. */
void shunt_witness_call(void);

#endif
