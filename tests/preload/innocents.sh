#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Programs without MPI do not notice the library: same output, same status, nothing on stderr, no
# other library loaded on its account.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library

# same SETTING PROGRAM...: SETTING is an assignment for env, or LC_ALL=C for none.
same()
{
    setting=$1
    shift
    env "$setting" "$@" >"$work/plain.out" 2>"$work/plain.err" </dev/null
    plain=$?
    env "$setting" LD_PRELOAD="$lib" "$@" >"$work/out" 2>"$work/err" </dev/null
    status=$?
    grep -v '^LD_PRELOAD=' "$work/out" >"$work/out.other"
    if [ "$status" -eq "$plain" ] && cmp -s "$work/plain.err" "$work/err" &&
        cmp -s "$work/plain.out" "$work/out.other"; then
        pass "$* does not notice the library, $setting"
    else
        fail "$setting $*: status $status, without the library $plain" "$work/plain.out" \
            "$work/out" "$work/plain.err" "$work/err"
    fi
}

for setting in LC_ALL=C LD_BIND_NOW=1 SHUNT_LOG=summary SHUNT_CONFIG=/nonexistent; do
    same "$setting" /bin/true
    same "$setting" /bin/false
    same "$setting" sh -c 'echo out; echo err >&2; (exit 3) | cat; exit 5'
    same "$setting" env
    same "$setting" sh -c 'sh -c "kill -TERM \$\$"; exit $?'
done

# As it is without the library: 0.
cat >"$work/errno.c" <<'END'
#include <errno.h>
int main(void) { return errno; }
END
if command -v "${CC:-cc}" >/dev/null && ${CC:-cc} -o "$work/errno" "$work/errno.c"; then
    same LC_ALL=C "$work/errno"
    same SHUNT_LOG=summary "$work/errno"
fi

LD_PRELOAD=$lib cat /proc/self/maps >"$work/maps"
if grep -E 'lib(mpi|mpich|ucp|config)[.]|shunt-[a-z-]*[.]so' "$work/maps" >"$work/err"; then
    fail "the library brings others into a program without MPI" "$work/err"
elif grep -q "$(basename "$lib")" "$work/maps"; then
    pass "no other library is loaded"
else
    fail "the library was not preloaded at all" "$work/maps"
fi
finish
