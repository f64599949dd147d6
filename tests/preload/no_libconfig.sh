#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A compute node without libconfig: the built-in table needs none. Where there is a file to read,
# the program runs natively and one line says why.
# shellcheck source-path=SCRIPTDIR source=common.sh
. "${srcdir:-.}/tests/preload/common.sh"
need_library
need "$build/plain" "the program of this test"
here=$lib

cat >"$work/site.cfg" <<'END'
schema = 1;
alltoallv = ( { id = "all"; algorithm = "scattered"; batch_size = 2; } );
END

check()
{
    if [ "$status" -ne 7 ] || ! grep -q '^ranks 4 wrong 0$' "$work/out"; then
        fail "$1: status $status, expected 7" "$work/out" "$work/err"
    elif [ "$(grep -c '^shunt: ' "$work/err")" -ne 1 ] || [ "$(said "$2")" -ne 1 ]; then
        fail "$1: not exactly one line, with the word $2" "$work/err"
    else
        pass "$1 it is said why all is native: $(cat "$work/err")"
    fi
}

# built_in WHAT: no file anywhere: calls are routed by the built-in table, and nothing is complained
# about.
built_in()
{
    job 4 -genv SHUNT_WARMUP 0 -genv SHUNT_LOG summary -genv XDG_CONFIG_HOME "$work/none" \
        "$build/plain"
    if [ "$status" -ne 7 ] || ! grep -q '^ranks 4 wrong 0$' "$work/out"; then
        fail "$1: status $status, expected 7" "$work/out" "$work/err"
    elif ! grep -q '^shunt:  alltoallv .* built-in:' "$work/err" || grep '^shunt: ' "$work/err" \
        | grep -qvE '^shunt: ( |summary)'; then
        fail "$1: not routed by the built-in table without a word" "$work/err"
    else
        pass "$1 calls are routed by the built-in table"
    fi
}

# Without the module that needs libconfig: works for everybody.
mkdir "$work/copy"
cp "$here" "$work/copy/libshunt.so"
for back_end in mpich standard open-mpi; do
    cp "$(dirname "$here")/shunt-$back_end.so" "$work/copy/"
done
lib=$work/copy/libshunt.so
job 4 -genv SHUNT_WARMUP 0 -genv SHUNT_CONFIG "$work/site.cfg" "$build/plain"
check "without shunt-table.so" shunt-table
built_in "without shunt-table.so and without a file"
mkdir -p "$work/xdg/shunt"
cp "$work/site.cfg" "$work/xdg/shunt/"
job 4 -genv SHUNT_WARMUP 0 -genv XDG_CONFIG_HOME "$work/xdg" "$build/plain"
check "without shunt-table.so, with a file in a folder" shunt-table
lib=$here

# With the module, but libconfig hidden under an empty file in a mount namespace of our own.
config=$(ldconfig -p 2>/dev/null | sed -n 's/.*libconfig\.so\.9 .*=> //p' | head -n 1)
if [ -z "$config" ] || ! unshare -m true 2>/dev/null; then
    echo "not tried: libconfig hidden in a mount namespace (needs root and unshare)"
    finish
fi
: >"$work/empty"
mpiexec_real=$mpiexec
mpiexec=$work/launch
cat >"$work/launch" <<END
#!/bin/sh
exec unshare -m sh -c 'mount --bind "$work/empty" "$(readlink -f "$config")" && exec "\$@"' sh "$mpiexec_real" "\$@"
END
chmod +x "$work/launch"
job 4 -genv SHUNT_WARMUP 0 -genv SHUNT_CONFIG "$work/site.cfg" "$build/plain"
check "with libconfig hidden" libconfig
built_in "with libconfig hidden and without a file"
finish
