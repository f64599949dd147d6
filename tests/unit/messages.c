/* SPDX-License-Identifier: BSD-3-Clause */
/* messages.c: a call on a machine on which nothing costs but messages. */
#include "messages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

void begin_messages(struct costed *costed, int ranks, int nodes)
{
    costed_begin(costed, ranks, nodes);
    costed->machine.offload = false;
    costed->machine.link[SHUNT_LEVEL_BETWEEN] =
        (struct shunt_link){.latency = L, .overhead = o, .byte = G, .eager = INT64_MAX};
    costed->machine.link[SHUNT_LEVEL_INSIDE] =
        (struct shunt_link){.latency = l, .overhead = i, .eager = INT64_MAX};
}
