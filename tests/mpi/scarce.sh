#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Little of what the system has: descriptors, address space, shared memory, room on a disk, or none of
# something at all. What
# passes natively passes routed, or native on all ranks, and what cannot be written is said.
# SHUNT_TEST_FULL=1: under more algorithms; by a seed, one case:
#   scarce.sh --seed S --chunk N
# shellcheck source-path=SCRIPTDIR
# shellcheck disable=SC2317 # check calls functions
. "$(dirname "$0")/common.sh"
. "$(dirname "$0")/apart.sh"

# The MPI library's own shared memory would not fit either, so it takes another kind. And UCX leads
# calls of mmap past inject.so.
ucx="-genv UCX_TLS sysv,self -genv UCX_MEM_MMAP_HOOK_MODE none"
every="spread-out bruck parlogna sloav bruck-zero-copy padded-bruck padded-alltoall shared-segment node-pair
    node-bruck parlinna-shared peer-read"

# forced ALGORITHM: arguments of mpiexec.
forced()
{
    case $1 in
    bruck*) forced_v=two-phase-bruck ;;
    *) forced_v=$1 ;;
    esac
    case $1 in shared-segment | peer-read) forced_layout=64 ;; *) forced_layout=2 ;; esac
    echo "-genv SHUNT_FORCE alltoall=$1,alltoallv=$forced_v -genv SHUNT_TEST_LAYOUT $forced_layout"
}

passed()
{
    [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out" && ! grep -q '^LEFT' "$work/out"
}

# in_shm OPTIONS ALGORITHM FAILS: with a /dev/shm like that, and calls of FAILS by the library that
# all fail ("none": none).
in_shm()
{
    in_shm_mpiexec=$MPIEXEC
    # shellcheck disable=SC2046,SC2086 # words are wanted
    job_line="/dev/shm: $1, $(forced "$2"), $3 fails" &&
        timeout -k 10 60 "$work/apart" "$1" "$in_shm_mpiexec" -genv LD_PRELOAD \
            "$(preload "$lib${lib:+:$programs/inject.so}")" -genv INJECT_FAIL "$3" $ucx \
            $(forced "$2") -n 4 "$programs/limited" none >"$work/out" 2>&1 </dev/null
    job_status=$?
    check "/dev/shm is $1, $3 fails: $2" passed
}

# What the system or the library may lack for good, on all ranks: then calls are native, or do
# without. (A call whose attribute or datatype cannot be made at all is an error, as in inject.sh.)
# Types are looked into by functions of MPI 4, where there are such.
wide=
! nm -D "$programs/inject.so" 2>/dev/null | grep -q Type_get_envelope_c || wide=_c
lacks="malloc calloc realloc aligned_alloc strdup fstat mmap memfd_create ftruncate posix_fallocate getrandom
    process_vm_readv Comm_group Group_translate_ranks Group_size Comm_create Comm_create_errhandler
    Type_get_envelope$wide Type_get_contents$wide Type_get_extent Type_size_x"

# without NAME ALGORITHM: every call of that function by the library fails.
without()
{
    # shellcheck disable=SC2046,SC2086 # words are wanted
    job_run "$(preload "$lib:$programs/inject.so")" 60 -genv INJECT_FAIL "$1" $ucx $(forced "$2") \
        -n 4 "$programs/limited" none
    check "$1 always fails: $2" passed
}

# with_limit LIMIT ALGORITHM
with_limit()
{
    job_native 60 -n 4 "$programs/limited" "$1"
    if ! passed; then
        fail "a limit of $1: not even natively"
        return
    fi
    # shellcheck disable=SC2046
    job 60 $(forced "$2") -n 4 "$programs/limited" "$1"
    check "a limit of $1: $2" passed
}

# A full disk, of 64 KiB, on $work/small; $work/kept is on it.
mkdir "$work/small"
cat >"$work/full" <<END
#!/bin/sh
exec unshare -m sh -c 'mount -t tmpfs -o size=64k tmpfs $work/small || exit 99
    mkdir $work/small/shunt
    [ ! -f $work/kept ] || cp $work/kept $work/small/shunt/m.cfg
    cat /dev/zero >$work/small/filler 2>/dev/null
    "\$@"
    status=\$?
    rm $work/small/filler
    rm -rf $work/after
    cp -r $work/small $work/after
    exit \$status' sh "\$@"
END
chmod +x "$work/full"

# on_full_disk ARGUMENT...: of mpiexec.
on_full_disk()
{
    job_line="on a full disk: $*"
    timeout -k 10 60 "$work/full" "$MPIEXEC" -genv LD_PRELOAD "$full_preload" "$@" >"$work/out" \
        2>&1 </dev/null
    job_status=$?
}

said_once()
{
    passed && [ "$(grep -c "$1" "$work/out")" -eq 1 ]
}

full_log()
{
    full_preload=$(preload "$lib")
    # shellcheck disable=SC2046
    on_full_disk $(forced "$1") -genv SHUNT_LOG calls -genv SHUNT_LOG_FILE \
        "$work/small/log.jsonl" -n 4 "$programs/limited" none
    check "a log on a full disk costs one line: $1" said_once 'log.jsonl.*No space left'
}

old_stays()
{
    said_once 'what this run learned cannot be written.*No space left' &&
        cmp -s "$work/kept" "$work/after/shunt/m.cfg" &&
        [ "$(cd "$work/after/shunt" && echo m*)" = "m.cfg m.cfg.lock" ]
}

full_cache()
{
    printf 'schema = 1;\nmachine = { name = "m"; };\n' >"$work/gaps.cfg"
    cat >"$work/kept" <<'END'
schema = 1;
machine = { name = "m"; };
alltoall = ( { ranks = 77; block = "1-2"; algorithm = "bruck"; radix = 2; } );
END
    full_preload=$(preload "$programs/sluggish.so:$lib")
    on_full_disk -genv SLUGGISH_MS 2 -genv SHUNT_CONFIG "$work/gaps.cfg" -genv SHUNT_LEARN on \
        -genv XDG_CACHE_HOME "$work/small" -n 4 "$programs/limited" none 400
    check "what was learned is not lost where a disk is full: the old file stays" old_stays
    rm "$work/kept"
}

refused()
{
    [ "$job_status" -ne 0 ] && [ "$job_status" -ne 124 ] &&
        grep -q 'small/found.cfg.*No space left' "$work/out" && [ ! -s "$work/after/found.cfg" ]
}

full_tune()
{
    full_preload=$(preload)
    on_full_disk -n 2 "$top_build/src/shunt" tune --force --time-limit=2 --op=alltoall --block=64 \
        -o "$work/small/found.cfg"
    check "tune on a full disk says so, and writes no table" refused
}

drawn_case()
{
    draws=0
    # shellcheck disable=SC2086 # words are wanted
    draw $every
    algorithm=$drawn
    draw shm without without without nofile as log cache tune
    case $drawn in
    shm)
        draw ro size=300k size=1m size=4m
        options=$drawn
        draw none memfd_create posix_fallocate mmap ftruncate
        in_shm "$options" "$algorithm" "$drawn"
        ;;
    without)
        # shellcheck disable=SC2086
        draw $lacks
        without "$drawn" "$algorithm"
        ;;
    nofile)
        draw 0 1 2 3 5 9
        with_limit "nofile:$drawn" "$algorithm"
        ;;
    as)
        draw 6000000 10000000 30000000
        with_limit "as:$drawn" "$algorithm"
        ;;
    log) full_log "$algorithm" ;;
    *) "full_$drawn" ;;
    esac
}

[ "$native" != 1 ] || skip "without the library there is nothing that could differ"
can_mount || skip "this user may not mount: $(cat "$work/why")"
if [ $# -eq 4 ] && [ "$1" = --seed ] && [ "$3" = --chunk ]; then
    seed=$2 chunk=$4
    drawn_case
    finish
fi
[ "$full" = 1 ] && algorithms=$every || algorithms="shared-segment node-pair"
for algorithm in $algorithms; do
    for options in ro size=300k; do
        in_shm $options "$algorithm" memfd_create
        [ "$full" != 1 ] || in_shm $options "$algorithm" none
    done
done
[ "$full" = 1 ] && algorithms=$every || algorithms=parlogna
for algorithm in $algorithms; do
    # Scratch of the library is memory of the process as well: natively two of these would do.
    with_limit as:6000000 "$algorithm"
    with_limit nofile:0 "$algorithm"
done
[ "$full" = 1 ] && algorithms=$every || algorithms="node-pair"
for algorithm in $algorithms; do
    [ "$full" = 1 ] && names=$lacks || names="malloc calloc mmap memfd_create Comm_create Type_size_x"
    for name in $names; do
        without "$name" "$algorithm"
    done
done
full_log parlogna
full_cache
full_tune
finish
