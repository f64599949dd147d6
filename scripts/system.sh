# shellcheck shell=bash
# SPDX-License-Identifier: BSD-3-Clause
# Debian systems in folders, for scripts that try what is built here elsewhere than on this machine:
# root, Debian, debootstrap. Sourced after common.sh.

# within_own_mounts NAME SCRIPT ARGUMENT...: SCRIPT again, with mounts and processes of its own and
# with `--inside FOLDER` behind its arguments, a folder for what it writes meanwhile. They end with
# what is started here, which itself is deaf to all signals but these. Returns its status.
within_own_mounts() {
    inside=$(mktemp -d "${TMPDIR:-/tmp}/$1.XXXXXX") || exit 4
    trap 'rm -rf "$inside"' EXIT
    # shellcheck disable=SC2317 # traps call it
    stop() { kill -KILL $! && wait $! 2>/dev/null; }
    trap 'stop; exit 129' HUP
    trap 'stop; exit 130' INT
    trap 'stop; exit 143' TERM
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc \
        --propagation private -- "$BASH" "${@:2}" --inside "$inside" &
    wait $!
}

# make_system SUITE FOLDER: as few packages as a Debian can have. They come from the first archive
# of this machine that is not one of security updates, through what its apt is told. What was begun
# and not ended begins again.
make_system() {
    local root=$2.part uri
    # shellcheck disable=SC2016 # apt-get's own variable
    uri=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security |
        head -n 1)
    [ -n "$uri" ] || {
        echo "apt-get of this machine knows no archive (apt-get update)"
        return 1
    }
    rm -rf --one-file-system "$root"
    command -v debootstrap >/dev/null || apt_install_or_update debootstrap || return
    debootstrap --variant=minbase "$1" "$root" "$uri" || return
    echo "deb $uri $1 main" >"$root/etc/apt/sources.list"
    cp /etc/resolv.conf /etc/hosts "$root/etc/"
    cp /etc/apt/apt.conf.d/* "$root/etc/apt/apt.conf.d/"
    # Packages start no services.
    printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
    chmod +x "$root/usr/sbin/policy-rc.d" && mv "$root" "$2"
}

# mount_into FOLDER
mount_into() {
    mount --rbind /dev "$1/dev" && mount -t tmpfs tmpfs "$1/dev/shm" &&
        mount --bind /sys "$1/sys" && mount --bind /proc "$1/proc"
}

# enter FOLDER COMMAND [ARGUMENT]...: by bash in the system there; of this environment only what is
# Open MPI's.
enter() {
    local ours
    mapfile -t ours < <(env | grep -E '^(OMPI|PRTE)_')
    env -i HOME=/root TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin "${ours[@]}" \
        chroot "$1" /bin/bash -c "$2" bash "${@:3}"
}
