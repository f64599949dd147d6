#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A limit on the size of files does not end a job that it would not end natively; ranks set aside
# hardly more address space and memory than natively; and however the ranks of a job die, nothing of
# their shared memory is left behind.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/apart.sh"

# The MPI library's own shared memory would not fit into such files either. And UCX leads calls of
# mmap past inject.so.
ucx="-genv UCX_TLS sysv,self -genv UCX_MEM_MMAP_HOOK_MODE none"
force="-genv SHUNT_FORCE alltoall=shared-segment,alltoallv=shared-segment"

cat >"$work/limit" <<'END2'
#!/bin/sh
ulimit -f "$1" || exit 1
shift
exec "$@"
END2
chmod +x "$work/limit"

for blocks in 100 1024; do
    # shellcheck disable=SC2086 # words are wanted
    job 60 $ucx $force -n 4 "$work/limit" $blocks "$programs/limited" none
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "files of $blocks blocks from the start do not end the job"
    else
        fail "files of $blocks blocks from the start"
    fi
done
for bytes in 0 4096 100000; do
    # shellcheck disable=SC2086
    job 60 $ucx $force -n 4 "$programs/limited" fsize:$bytes
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "files of $bytes bytes after the first calls do not end the job"
    else
        fail "files of $bytes bytes, after the first calls"
    fi
done

# What was learned is written at the end, into a file that may not grow; where the library is slow
# there is something to learn.
if [ "$native" != 1 ]; then
    printf 'schema = 1;\nmachine = { name = "m"; };\n' >"$work/gaps.cfg"
    for bytes in 0 100 1000000; do
        rm -rf "$XDG_CACHE_HOME"
        # shellcheck disable=SC2086
        job_run "$(preload "$programs/sluggish.so:$lib")" 60 $ucx -genv SLUGGISH_MS 2 \
            -genv SHUNT_LEARN on -genv SHUNT_CONFIG "$work/gaps.cfg" -n 4 "$programs/limited" \
            fsize:$bytes 400
        left=$(cd "$XDG_CACHE_HOME/shunt" 2>/dev/null && echo m*)
        if [ "$job_status" -ne 0 ] || ! grep -q '^PASS' "$work/out"; then
            fail "files of $bytes bytes when what was learned is written end the job"
        elif [ $bytes -lt 1000 ] && [ "$left" = m.cfg.lock ] &&
            [ "$(grep -c 'what this run learned cannot be written' "$work/out")" -eq 1 ]; then
            pass "what was learned does not fit into $bytes bytes: one line says so"
        elif [ $bytes -gt 1000 ] && [ "$left" = "m.cfg m.cfg.lock" ]; then
            pass "what was learned fits into $bytes bytes"
        else
            fail "what was learned, and $bytes bytes: $left"
        fi
    done
fi

# Address space and locked memory of a rank, in KiB, natively and routed.
# shellcheck disable=SC2086
if [ "$native" != 1 ]; then
    job_native 60 $ucx -n 4 "$programs/footprint"
    read -r space locked <"$work/out"
    job 60 $ucx $force -n 4 "$programs/footprint"
    read -r more_space more_locked <"$work/out"
    if [ "$job_status" -eq 0 ] && [ "$more_space" -lt $((space + 65536)) ] &&
        [ "$more_locked" -lt $((locked + 65536)) ]; then
        pass "a rank sets aside little more than natively: $space and $more_space KiB, \
locked $locked and $more_locked"
    else
        fail "a rank has $more_space KiB of address space and $more_locked locked, natively $space \
and $locked"
    fi
fi

# dies WHAT ARGUMENT...: nothing may be left of a job that is killed.
dies()
{
    dies_what=$1
    shift
    dies_mpiexec=$MPIEXEC
    job_line="$*"
    # shellcheck disable=SC2086
    timeout -k 10 60 "$work/apart" size=256m "$dies_mpiexec" \
        -genv LD_PRELOAD "$(preload "$lib${lib:+:$programs/inject.so}")" $ucx $force "$@" \
        >"$work/out" 2>&1 </dev/null
    job_status=$?
    if grep -q '^LEFT' "$work/out"; then
        fail "killed $dies_what: something is left"
    elif ! grep -q 'KILLED BY SIGNAL: 9\|EXIT CODE: 9\|signal 9' "$work/out"; then
        fail "killed $dies_what: the job was not killed"
    else
        pass "killed $dies_what: nothing is left"
    fi
}

if can_mount; then
    dies "after the last call" -n 4 "$programs/limited" none die
    # While memory is being set up: at the first and later calls of what may be used for that.
    if [ "$native" != 1 ]; then
        struck=0
        for at in shm_open:1 memfd_create:1 posix_fallocate:1 ftruncate:1 mmap:1 mmap:2 mmap:3; do
            job_line="INJECT_KILL=$at"
            # shellcheck disable=SC2086
            timeout -k 10 60 "$work/apart" size=256m "$MPIEXEC" -genv LD_PRELOAD \
                "$lib:$programs/inject.so:$yield" -genv INJECT_KILL $at $ucx $force -n 4 \
                "$programs/limited" none >"$work/out" 2>&1 </dev/null
            job_status=$?
            if grep -q '^LEFT' "$work/out"; then
                fail "killed at $at: something is left"
            elif grep -q '^PASS' "$work/out"; then
                pass "$at: not reached"
            else
                struck=$((struck + 1))
                pass "killed at $at: nothing is left"
            fi
        done
        job_line="INJECT_KILL"
        if [ $struck -lt 1 ]; then fail "no job was killed while memory was set up"; fi
    fi
else
    echo "SKIP: this user may not mount: what jobs leave in /dev/shm cannot be told apart: $(cat \
        "$work/why")"
fi
finish
