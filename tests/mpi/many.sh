#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# As many communicators as a program can have natively, under the built-in table.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

mkdir "$work/nothing"
export XDG_CONFIG_HOME="$work/nothing"

# many WHAT ARGUMENT...: the program, with 4 ranks.
many()
{
    many_what=$1
    shift
    job_native 120 -n 4 "$programs/many" "$@"
    if [ "$job_status" -ne 0 ] || ! grep -q '^PASS' "$work/out"; then
        fail "$many_what: not even natively"
        return
    fi
    job 120 -n 4 "$programs/many" "$@"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$many_what: every call is right"
    else
        fail "$many_what"
    fi
}

many "1650 communicators, 4 calls on each" 1650 4 0 0
many "1650 communicators, 4 calls on each, 200 more on every 25th" 1650 4 25 200
many "1650 communicators, 4 calls on each, 20 more on all" 1650 4 1 20
finish
