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

# A plugin with a library of serial stubs that has no MPI_Alltoall: what it frees is freed by that
# library, and the program goes on.
cat >"$work/stubs.c" <<'END'
int MPI_Comm_free(int *comm) { *comm = 7; return 0; }
END
cat >"$work/frees.c" <<'END'
int MPI_Comm_free(int *comm);
int go(void) { int comm = 0; return MPI_Comm_free(&comm) ? 1 : comm; }
END
cat >"$work/opens.c" <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
    void *plugin = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
    int (*go)(void) = plugin ? (int (*)(void))dlsym(plugin, "go") : 0;
    return go ? go() : 2;
}
END
if ${CC:-cc} -shared -fPIC -o "$work/libmpistubs.so" "$work/stubs.c" &&
    ${CC:-cc} -shared -fPIC -o "$work/frees.so" "$work/frees.c" -L"$work" -lmpistubs \
        -Wl,-rpath,"$work" && ${CC:-cc} -o "$work/opens" "$work/opens.c" -ldl; then
    LD_PRELOAD=$lib "$work/opens" "$work/frees.so" >"$work/out" 2>&1
    status=$?
    if [ "$status" -eq 7 ] && [ ! -s "$work/out" ]; then
        pass "a library without MPI_Alltoall frees what is its own"
    else
        fail "MPI_Comm_free of a library without MPI_Alltoall: status $status" "$work/out"
    fi
else
    fail "the plugin with stubs was not compiled"
fi
finish
