#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# MPI loaded by dlopen with RTLD_LOCAL, as interpreters load it: the library finds MPI's own
# functions although they are in no scope it sees, from a call inside the plugin and from a call
# that arrives by a jump.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need "$build/host" "the program of this test"
need "$build/plugin.so" "the plugin of this test"

if command -v objdump >/dev/null 2>&1; then
    objdump -d --no-show-raw-insn "$build/plugin.so" |
        sed -n '/<plugin_exchange>:/,/^$/p' >"$work/code"
    grep -Eq 'call' "$work/code" && skip "the compiler made no jump of the call in plugin.c"
fi

for way in inside jump; do
    for bind in '' 1; do
        job 2 -genv SHUNT_LOG calls -genv SHUNT_WARMUP 0 -genv LD_BIND_NOW "$bind" "$build/host" \
            "$build/plugin.so" "$way"
        if [ "$status" -ne 0 ] || [ "$(grep -c 'wrong 0$' "$work/out")" -ne 2 ]; then
            fail "$way, LD_BIND_NOW=$bind: status $status" "$work/out" "$work/err"
        elif [ "$(said '#[0-9]* alltoallv ')" -lt 6 ]; then
            fail "$way, LD_BIND_NOW=$bind: the calls were not seen" "$work/err"
        else
            pass "MPI's functions are found from a call that comes by $way, LD_BIND_NOW=$bind"
        fi
    done
done
finish
