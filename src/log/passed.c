/* SPDX-License-Identifier: BSD-3-Clause */
/* passed.c: calls of functions that are passed through. */
#include "log/passed.h"

#include <stdatomic.h>
#include <string.h>

static struct {
    const char *_Atomic function;
    _Atomic uint64_t calls;
} passed[SHUNT_LOG_PASSED_MAX];

void shunt_log_passed(const char *function)
{
    for (int i = 0; i < SHUNT_LOG_PASSED_MAX; i++) {
        const char *known = atomic_load_explicit(&passed[i].function, memory_order_relaxed);
        if (!known && atomic_compare_exchange_strong(&passed[i].function, &known, function))
            known = function;
        if (known == function) {
            atomic_fetch_add_explicit(&passed[i].calls, 1, memory_order_relaxed);
            return;
        }
    }
}

/* The same name may have come from several places. */
size_t shunt_log_passed_take(struct shunt_log_passed *list)
{
    size_t count = 0;
    for (int i = 0; i < SHUNT_LOG_PASSED_MAX; i++) {
        const char *function = atomic_load(&passed[i].function);
        const uint64_t calls = atomic_exchange(&passed[i].calls, 0);
        size_t at = 0;
        if (calls == 0)
            continue;
        while (at < count && strcmp(list[at].function, function) != 0)
            at++;
        if (at == count)
            list[count++] = (struct shunt_log_passed){.function = function};
        list[at].calls += calls;
    }
    return count;
}
