#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What src/pmpi/*/mpi.h and functions.h say of each MPI ABI is what the MPI libraries' own headers
# say: those that the compiler wrappers here find, and those in the folders that
# SHUNT_TEST_ABI_HEADERS names, with colons between them (of other systems, say). Calls no MPI.
set -u
headers=${SHUNT_TEST_ABI_HEADERS:-}
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
cc=${CC:-cc}
command -v "${cc%% *}" >/dev/null 2>&1 || skip "there is no compiler $cc"
facts=$top/tests/unit/abi_facts.c prototypes=$top/tests/unit/abi_prototypes.c

# says FILE COMPILER...: what the header that it finds says is left in FILE.
says()
{
    says_file=$1
    shift
    "$@" -I"$top/src" -o "$work/program" "$facts" 2>"$work/err" && "$work/program" >"$says_file"
}

# unseen ABI: what our header defines and abi_facts.c does not print.
unseen()
{
    sed -n -e 's/^#define \(MPI_[A-Za-z0-9_]*\).*/\1/p' \
        -e 's/^[t}].*[ *]\(MPI_[A-Za-z]*\);$/sizeof(\1)/p' "$top/src/pmpi/$1/mpi.h" |
        while read -r name; do
            grep -qF -e "$name " "$work/$1" || echo "$name"
        done
}

# Facts of the first file that the second does not have, but as something else. Texts may be
# shorter there. What only later libraries have, ours says of all.
differences()
{
    awk '
    { name = $1; sub(/^[^ ]* /, "") }
    NR == FNR { ours[name] = $0; next }
    name == "#" { next }
    { theirs[name] }
    !(name in ours) || ($0 != ours[name] && !(name ~ /^MPI_MAX_/ && ours[name] + 0 > $0 + 0)) {
        print name ": " $0 " there, " (name in ours ? ours[name] : "nothing") " here"
    }
    END {
        for (name in ours)
            if (!(name in theirs) && name != "MPI_ERRORS_ABORT")
                print name ": nothing there, " ours[name] " here"
    }' "$1" "$2"
}

# functions FILE: names of those that are declared there.
functions()
{
    grep -oE 'PMPI_[A-Za-z_]+ *\(' "$1" | tr -d ' (' | sort -u
}

# one PATH COMPILER...: a header of a library, which the compiler finds; its text is in $work/text.
one()
{
    one_path=$1
    shift
    if ! says "$work/theirs" "$@"; then
        fail "$one_path: abi_facts.c compiles" "$work/err"
        return
    fi
    one_abi=$(sed -n 's/^ABI //p' "$work/theirs") one_library=$(sed -n 's/^# //p' "$work/theirs")
    if [ ! -f "$work/$one_abi" ]; then
        echo "NOTE: $one_path: another ABI, which Shunt does not serve"
        return
    fi
    held="$held $one_abi"
    differences "$work/$one_abi" "$work/theirs" >"$work/differences"
    if [ -s "$work/differences" ]; then
        fail "$one_path ($one_library): src/pmpi/$one_abi/mpi.h says the same" "$work/differences"
    else
        pass "$one_path ($one_library): $(grep -vc '^#' "$work/theirs") facts as in" \
            "src/pmpi/$one_abi/mpi.h"
    fi
    functions "$work/text" >"$work/names"
    comm -12 "$work/ours" "$work/names" >"$work/both"
    # Those of MPI-4 may be missing.
    comm -23 "$work/ours" "$work/names" | grep -v '_c$' >"$work/missing"
    one_both="$(wc -l <"$work/both") of the $(wc -l <"$work/ours") functions"
    if [ -s "$work/missing" ]; then
        fail "$one_path ($one_library): declares what Shunt needs, but not" "$work/missing"
    elif "$@" -I"$top/src" -fsyntax-only "$prototypes" 2>"$work/err"; then
        pass "$one_path ($one_library): $one_both of src/pmpi/functions.h are there, and alike"
    else
        fail "$one_path ($one_library): functions as in src/pmpi/functions.h" "$work/err"
    fi
}

# try COMPILER...: what it finds as <mpi.h>, and as the standard ABI's header under the names that
# MPICH and Open MPI give it; each file once.
try()
{
    for name in mpi.h mpi_abi.h standard_abi/mpi.h; do
        printf '#include <%s>\n' "$name" >"$work/probe.c"
        "$@" -E "$work/probe.c" >"$work/text" 2>/dev/null || continue
        path=$(sed -n "s,^# 1 \"\\(/.*/$name\\)\".*,\\1,p" "$work/text" | head -n 1)
        path=$(realpath -- "$path" 2>/dev/null) || continue
        case $tried in
        *":$path:"*) continue ;;
        esac
        tried=$tried:$path:
        one "$path" "$@" -std=gnu11 -DHEADER="<$name>"
    done
}

for abi in mpich standard open-mpi; do
    # shellcheck disable=SC2086 # words
    if ! says "$work/$abi" $cc -std=c11 -Wall -Wextra -Werror -I"$top/src/pmpi/$abi"; then
        fail "src/pmpi/$abi/mpi.h: abi_facts.c compiles" "$work/err"
        continue
    fi
    unseen "$abi" >"$work/unseen"
    check "abi_facts.c has all of src/pmpi/$abi/mpi.h$(sed 's/^/; not /' "$work/unseen")" \
        test ! -s "$work/unseen"
done

functions "$top/src/pmpi/functions.h" >"$work/ours"
held='' tried=''
for wrapper in "${MPICC:-mpicc}" mpicc mpicc.mpich mpicc.openmpi mpicc_abi; do
    if command -v "$wrapper" >/dev/null 2>&1; then try "$wrapper"; fi
done
while [ -n "$headers" ]; do
    folder=${headers%%:*}
    case $headers in
    *:*) headers=${headers#*:} ;;
    *) headers='' ;;
    esac
    [ -d "$folder" ] || {
        fail "SHUNT_TEST_ABI_HEADERS: $folder is a folder"
        continue
    }
    # shellcheck disable=SC2086 # words
    try $cc -I"$folder"
done
# Where systems put it. Debian's wrapper for the last one finds another's header.
for file in /usr/include/mpi_abi.h /usr/include/*/mpi_abi.h /usr/include/*/*/mpi_abi.h \
    /usr/lib/*/mpi_abi*/include/mpi.h; do
    # shellcheck disable=SC2086 # words
    if [ -f "$file" ]; then try $cc -I"$(dirname "$file")"; fi
done

[ -n "$held" ] || [ "$failures" -gt 0 ] || skip "no header of an MPI library is here"
for abi in mpich standard open-mpi; do
    case "$held " in
    *" $abi "*) ;;
    *) echo "NOTE: src/pmpi/$abi/mpi.h is held against nothing: no library here has that ABI" ;;
    esac
done
finish
