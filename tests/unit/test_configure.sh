#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# configure says what was found, where, and the remedy, when the MPI library, its launcher or
# libconfig is missing, broken or another one. Needs no MPI but for its compiler wrapper.
set -u
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
[ -x "$top/configure" ] || skip "there is no configure: autogen.sh makes it"
[ ! -e "$top/config.status" ] || skip "the sources are configured in their own folder"
mpicc=${MPICC:-mpicc.mpich}
cd "$work" || exit 99
unset MPIEXEC MPIF90 MPI_CPPFLAGS MPI_LIBS LIBCONFIG_CPPFLAGS LIBCONFIG_LIBS PKG_CONFIG_LIBDIR MAKEFLAGS

# What the compiler and the system are is known, from the build that this tests: that takes the most
# time. What is found of MPI, libconfig and the page is not among it.
known='ac_cv_(c_|prog_|build|host|header_|type_|func_|objext|exeext|path_([EF]?GREP|SED|install|mkdir)|safe_to_define_|should_define_|search_)|am_cv_'
sed -n '/^## Cache variables/,/^## Output/p' "$top_build/config.log" |
    grep -E "^($known)" | grep -vE '^ac_cv_env_' >known.site
[ -s known.site ] || skip "this is not run from a build folder that configure has made"
CONFIG_SITE=$work/known.site
CONFIG_SHELL=/bin/sh
export CONFIG_SITE CONFIG_SHELL

# script NAME TEXT: what configure is to take for a wrapper or a launcher.
script()
{
    printf '#!/bin/sh\n%s\n' "$2" >"$1"
    chmod +x "$1"
}

# configured ARGUMENT...: its output is left in out, warnings and errors in err.
configured()
{
    rm -rf build && mkdir build && (cd build && /bin/sh "$top/configure" "$@" >../out 2>../err </dev/null)
}

# refuses WHAT ARGUMENTS TEXT...: configure fails, and says all of the texts. The arguments are
# words.
refuses()
{
    refuses_what=$1
    # shellcheck disable=SC2086 # words
    if configured $2; then
        fail "$refuses_what: configure took it" out
        return
    fi
    shift 2
    says "$refuses_what" "$@"
}

# says WHAT TEXT...: they are in what configure wrote to standard error.
says()
{
    says_what=$1
    shift
    for text; do
        grep -qF -e "$text" err || {
            fail "$says_what: not said: $text" err
            return
        }
    done
    pass "$says_what"
}

# finds WHAT ABI: that is what the last configure took the header for.
finds()
{
    check "$1 has the ABI $2" grep -qF "which ABI that has... $2" out
}

# header FOLDER TEXT: an mpi.h, and FOLDER/mpicc, a wrapper that finds it.
header()
{
    mkdir -p "$1"
    printf '%s\n' "$2" >"$1/mpi.h"
    script "$1/mpicc" "[ \"\$1\" = -show ] && { echo cc -I$work/$1; exit; }
exec cc -I$work/$1 \"\$@\""
}

remedy='install MPICH (Debian: mpich, libmpich-dev), or set MPICC'
refuses "no wrapper of that name" 'MPICC=mpicc.elephant' \
    'no MPI compiler wrapper: looked for mpicc.elephant in PATH' "$remedy"
refuses "no wrapper at that place" "MPICC=$work/nowhere" \
    "the MPI compiler wrapper $work/nowhere cannot compile a C program" 'it says: ' "$remedy"
script broken 'echo "no elephants here" >&2; exit 1'
refuses "a wrapper that fails" "MPICC=$work/broken" \
    "$work/broken cannot compile a C program" 'it says: no elephants here' "$remedy"
script bare 'exec cc -nostdinc "$@"'
refuses "a wrapper without mpi.h" "MPICC=$work/bare" "$work/bare finds no header mpi.h" "$remedy"
header other '#define OMPI_MAJOR_VERSION 9
#define OMPI_MINOR_VERSION 8
#define OMPI_RELEASE_VERSION 7
typedef struct ompi_communicator_t *MPI_Comm;'
refuses "a header of Open MPI without its library" "MPICC=$work/other/mpicc" \
    'no program can be built with MPI' "and MPI_LIBS"
check "its version is told" grep -qF "Open MPI 9.8.7, $work/other/mpi.h" out
finds "a header of Open MPI" open-mpi
header abi '#define MPI_ABI_VERSION 1
typedef struct MPI_ABI_Comm *MPI_Comm;'
refuses "a header of the ABI of MPI 5 without a library" "MPICC=$work/abi/mpicc" \
    'no program can be built with MPI' "and MPI_LIBS"
check "what it is for is told" grep -qF "a library of the ABI of MPI 5, $work/abi/mpi.h" out
finds "a header of the ABI of MPI 5" standard
header liar '#define MPICH_VERSION "7"
typedef long MPI_Comm, MPI_Datatype;
#define MPI_COMM_WORLD ((MPI_Comm)1)
#define MPI_BYTE ((MPI_Datatype)1)'
refuses "a header with the name of MPICH and another ABI" "MPICC=$work/liar/mpicc" \
    '(MPICH 7)' "is not of MPICH's family" "$remedy"
finds "that header" 'none that is known'
header liar '#define OMPI_MAJOR_VERSION 7
#define OMPI_MINOR_VERSION 0
#define OMPI_RELEASE_VERSION 0
typedef int MPI_Comm;'
refuses "a header with the name of Open MPI and another ABI" "MPICC=$work/liar/mpicc" \
    '(Open MPI 7.0.0)' "nor of Open MPI's" "$remedy"
mkdir empty
# What stops configure here comes after the launcher, which does not.
script hydra 'echo "HYDRA build details:"'
if command -v mpicc.openmpi >/dev/null; then
    refuses "Open MPI itself, without libconfig" \
        "MPICC=mpicc.openmpi MPIEXEC=$work/hydra --with-libconfig=$work/empty" \
        "the launcher $work/hydra is not Open MPI's" '(Debian: openmpi-bin)' \
        'there is no include/libconfig.h'
    finds "Open MPI itself" open-mpi
    refuses "Open MPI itself without a launcher that is named" \
        "MPICC=mpicc.openmpi --with-libconfig=$work/empty" 'there is no include/libconfig.h'
    check "its launcher is not said to be another's" sh -c '! grep -q "the launcher" err'
else
    echo "not tried: Open MPI's wrapper (mpicc.openmpi is not installed)"
fi

if ! command -v "$mpicc" >/dev/null; then
    echo "not tried: what comes after the wrapper ($mpicc is not there)"
    finish
fi
script silent "[ \"\$1\" != -show ] || exit 1
exec '$mpicc' \"\$@\""
refuses "a wrapper without -show" "MPICC=$work/silent" \
    "$work/silent compiles, but \"$work/silent -show\" says \"\"" 'set MPI_CPPFLAGS (-I/' \
    'and MPI_LIBS'

script orterun 'echo "mpiexec (OpenRTE) 9.8.7"'
configured MPICC="$mpicc" MPIEXEC="$work/orterun" --with-libconfig="$work/empty"
says "Open MPI's launcher" "the launcher $work/orterun is Open MPI's" 'mpiexec.hydra'
says "a folder without libconfig" \
    "--with-libconfig=$work/empty: there is no include/libconfig.h" '(Debian: libconfig-dev)'
refuses "no libconfig at all" "MPICC=$mpicc --without-libconfig" 'decision files' \
    '(Debian: libconfig-dev)'
refuses "flags for libconfig that are wrong" \
    "MPICC=$mpicc LIBCONFIG_LIBS=-lelephant" 'linked with "-lelephant"' '(Debian: libconfig-dev)'
mkdir -p old/include old/lib
printf '#define LIBCONFIG_VER_MAJOR 1\n#define LIBCONFIG_VER_MINOR 4\n' >old/include/libconfig.h
: >old/lib/libconfig.so
refuses "an old libconfig" "MPICC=$mpicc --with-libconfig=$work/old" 'older than 1.5' \
    '(Debian: libconfig-dev)'

# One that is elsewhere: the real one, under another path. No launcher is no obstacle.
header_file=$(printf '#include <libconfig.h>\n' | cc -E - 2>/dev/null |
    sed -n 's,^# [0-9]* "\(.*/libconfig\.h\)".*,\1,p' | head -n 1)
library_file=$(cc -print-file-name=libconfig.so)
case $header_file:$library_file in
/*:/*)
    mkdir -p elsewhere/include elsewhere/lib
    ln -s "$header_file" elsewhere/include/libconfig.h
    ln -s "$(realpath "$library_file")" elsewhere/lib/libconfig.so
    check "libconfig in a folder of its own is taken" \
        configured MPICC="$mpicc" MPIEXEC="$work/nowhere" --with-libconfig="$work/elsewhere" \
        --no-create
    # It alone: the files for dependencies take seconds.
    (cd build && ./config.status Makefile >/dev/null)
    check "its folders go into the makefile" grep -qF -e "-L$work/elsewhere/lib" build/Makefile
    says "no launcher" "no MPI launcher: looked for $work/nowhere" '(Debian: mpich)'
    ;;
*) echo "not tried: libconfig elsewhere (it is not where the compiler looks)" ;;
esac

# The page of the viewer is no condition, unless it is wanted.
if [ -e "$top/src/viewer/built/viewer.html" ]; then
    echo "not tried: what the page needs (it came with the sources)"
    finish
fi
refuses "an answer that is none" "MPICC=$mpicc --enable-viewer=maybe" 'give auto, yes or no'
refuses "a page without npm" "MPICC=$mpicc --enable-viewer=yes NPM=$work/nowhere" \
    'left out (npm is missing; Debian: npm clang lld wasi-libc libclang-rt-14-dev-wasm32)'
check "without npm the rest is built" configured MPICC="$mpicc" NPM="$work/nowhere" --no-create
check "and the page is said to be left out" grep -qF 'left out (npm is missing; Debian: npm clang lld wasi-libc libclang-rt-14-dev-wasm32)' out
if command -v npm >/dev/null && command -v node >/dev/null; then
    script cannot 'echo "no such target" >&2; exit 1'
    refuses "a page without a compiler for it" \
        "MPICC=$mpicc --enable-viewer=yes WASM_CC=$work/cannot" \
        'clang cannot link for WASI; Debian: npm clang lld wasi-libc libclang-rt-14-dev-wasm32'
else
    echo "not tried: a compiler that cannot make the page (npm is not installed)"
fi
finish
