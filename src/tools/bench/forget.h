/* SPDX-License-Identifier: BSD-3-Clause */
/* forget.h: settings are for programs under the library; where algorithms are compared each
 * candidate says what is done. */
#ifndef SHUNT_BENCH_FORGET_H
#define SHUNT_BENCH_FORGET_H

/* Takes them out of the environment, and no table of the user's or the site's is looked for. What
 * describes the machine stays. */
void bench_forget_settings(void);

#endif
