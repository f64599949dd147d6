# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# What the scripts share: the packages they need, how steps are run and shown. Sourced from the root
# of the sources.

# shellcheck disable=SC2034 # used by the scripts that source this
packages_build=(autoconf automake gcc make libc6-dev mpich libmpich-dev libconfig-dev \
    libjson-c-dev)
# For `make check` and the lint steps. Open MPI is there because libshunt.so serves it too.
# shellcheck disable=SC2034 # likewise
packages_test=(libcmocka-dev python3-mpi4py libfftw3-dev gfortran valgrind clang clang-tidy \
    clang-format cppcheck shellcheck mandoc
    libclang-rt-14-dev python3 python3-jsonschema iproute2 openmpi-bin libopenmpi-dev
    pkg-config zsh environment-modules build-essential debhelper dpkg-dev fakeroot lintian
    libsimgrid-dev)

# For the page of the viewer and its tests.
# shellcheck disable=SC2034 # likewise
packages_viewer=(clang lld wasi-libc libclang-rt-14-dev-wasm32 chromium)

# packages_node: what has node and npm, as far as they are lacking. A nodejs that is not Debian's
# has npm with it, or brings one in another way: Debian's npm may not be installable beside it.
packages_node() {
    command -v node >/dev/null || echo nodejs
    command -v npm >/dev/null || echo npm
}

say() {
    printf '%s\n' "$@"
}

die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# ensure_settings: whether the caller's SHUNT_ settings and table, which measured jobs run with, are
# understood: else the jobs would be native, and the figures as well. In the build folder.
ensure_settings() {
    local said
    said=$(src/shunt run true 2>&1) || {
        printf '%s: Shunt would not run with these settings; it said:\n%s\n' "${0##*/}" "$said" >&2
        exit 2
    }
}

# ensure_place FOLDER: whether the sources lie where a build in FOLDER can work; better said before
# the build than after it. LD_PRELOAD separates its paths by spaces and colons.
ensure_place() {
    local folder
    case $PWD in
    *[[:space:]:]*) die "libshunt.so cannot be preloaded from \"$PWD\": move the sources to a path without spaces and colons" ;;
    esac
    for folder in . "$1"; do
        [ ! -e "$folder" ] || [ -w "$folder" ] ||
            die "$(id -un) cannot write into $(realpath "$folder"): build as its owner ($(stat -c \
                %U "$folder")), or in a copy of your own"
    done
}

# show_tail FILE [LINES]: the first errors may lie far above the end when several jobs wrote it.
show_tail() {
    if grep -qE "(error:|undefined reference|not found)" "$1"; then
        printf -- '---- first errors in %s\n' "$1"
        grep -n -m 12 -E "(error:|undefined reference|not found)" "$1"
    fi
    printf -- '---- end of %s\n' "$1"
    tail -n "${2:-40}" "$1"
    printf -- '----\n'
}

# step TITLE LOG COMMAND...: runs it with its output in LOG, prints one line with the time, and on
# failure the end of the log. Returns its status. The command may be a function; -e does not act
# inside it, so it has to pass failures on.
step() {
    local title=$1 log=$2 start=$SECONDS status=0
    shift 2
    mkdir -p "$(dirname "$log")"
    [ ! -t 1 ] || printf '  %-44s' "$title"
    "$@" >"$log" 2>&1 </dev/null || status=$?
    [ ! -t 1 ] || printf '\r'
    printf '  %-44s %-7s %4d s\n' "$title" "$([ "$status" = 0 ] && echo ok || echo FAILED)" \
        $((SECONDS - start))
    [ "$status" = 0 ] || show_tail "$log"
    return "$status"
}

# prepare LOG: makes configure where a checkout has none or an old one.
prepare() {
    if [ ! -f Makefile.in ] || [ ! -x configure ] || [ configure.ac -nt configure ]; then
        step "prepare (autoreconf)" "$1" ./autogen.sh
    fi
}

# lacking PACKAGE...: prints those that are not installed.
lacking() {
    local package
    for package in "$@"; do
        [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] \
            || printf '%s\n' "$package"
    done
}

# as_root COMMAND...: directly, or with sudo.
as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

can_be_root() {
    [ "$(id -u)" = 0 ] && return 0
    command -v sudo >/dev/null || return 1
    # Asks for the password now, where the user sees it; without a terminal there must be no need
    # for one.
    if [ -t 0 ]; then sudo -v; else sudo -n true 2>/dev/null; fi
}

apt_install() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

# The package lists are fetched only if they are missing or too old to install from.
apt_install_or_update() {
    apt-cache show --no-all-versions "$@" >/dev/null 2>&1 && apt_install "$@" && return 0
    as_root apt-get update && apt_install "$@"
}

# can_install PACKAGE...: whether apt-get would, beside what is there.
can_install() {
    apt-get install --simulate --no-install-recommends "$@" >/dev/null 2>&1 ||
        { as_root apt-get update && apt-get install --simulate --no-install-recommends "$@"; } \
            >/dev/null 2>&1
}

# ensure_packages LOG PACKAGE...: installs what is lacking; needs no network when nothing is.
ensure_packages() {
    local log=$1 list
    shift
    command -v dpkg-query >/dev/null ||
        die "this is not Debian: install the counterparts of these packages by hand, then follow README.md: $*"
    mapfile -t list < <(lacking "$@")
    [ "${#list[@]}" -gt 0 ] || return 0
    can_be_root || die "packages are lacking and this user cannot install them (no root, no sudo). Ask for:
  apt-get install --no-install-recommends ${list[*]}"
    step "install ${#list[@]} packages" "$log" apt_install_or_update "${list[@]}" \
        || die "installing failed: ${list[*]}"
}

# Which configure found; mpiexec alone may be another MPI's.
made_with() {
    sed -n "s/^$2 = //p" "$1/Makefile"
}
