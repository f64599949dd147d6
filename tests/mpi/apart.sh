# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# Jobs with a /dev/shm of their own; sourced by scripts, after common.sh.

# apart OPTIONS COMMAND...: the command with a /dev/shm that is mounted with these options. What the
# library leaves there is told at the end.
# shellcheck disable=SC2154 # of common.sh
cat >"$work/apart" <<'END'
#!/bin/sh
exec unshare -m sh -c 'mount -t tmpfs -o "$1" tmpfs /dev/shm || exit 99
    shift
    "$@"
    status=$?
    find /dev/shm -name "*shunt*" | sed "s/^/LEFT: /"
    exit $status' sh "$@"
END
chmod +x "$work/apart"

# Whether this user may mount; $work/why says why not.
can_mount()
{
    unshare -m mount -t tmpfs -o size=1m tmpfs /dev/shm 2>"$work/why"
}
