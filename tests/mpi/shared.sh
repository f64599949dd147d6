#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Memory that the ranks of a node share: MPI goes on while they wait in it, little of it and none at
# all is an answer and not the end, nothing of it is left behind, and a neighbour who no longer lets
# others look into its memory still gets its data.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

log="-genv SHUNT_LOG calls -genv SHUNT_LOG_FILE $work/log.jsonl"

# A job whose output must have PASS in it.
good()
{
    rm -f "$work/log.jsonl"
    # shellcheck disable=SC2086 # words are wanted
    job 90 $log "$@"
    [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"
}

# ran ALGORITHM LEAST: whether the log has so many calls by it.
ran()
{
    [ "$native" = 1 ] || [ "$(records . "$1" "$work/log.jsonl")" -ge "$2" ]
}

# Some combinations with SHUNT_TEST_FULL=1 only: a node's ranks wait by the same code whatever the
# algorithm is.
for algorithm in shared-segment node-pair node-bruck peer-read; do
    for layout in 64 2; do
        case $full:$algorithm:$layout in
        *:shared-segment:2 | *:peer-read:2 | 0:node-pair:64 | 0:node-bruck:2) continue ;;
        esac
        # Without cross-memory attach a large message needs its sender's attention to the end.
        if good -genv UCX_TLS posix,self -genv SHUNT_TEST_LAYOUT $layout -genv SHUNT_FORCE \
            "alltoall=$algorithm,alltoallv=$algorithm" -n 4 \
            "$programs/progress" && ran $algorithm 10; then
            pass "$algorithm, nodes of $layout: a message that a neighbour waits for is delivered meanwhile"
        else
            fail "$algorithm, nodes of $layout: a message that a neighbour waits for"
        fi
    done
done

# Communicators write into the same areas in turn; with threads each into its own. With
# SHUNT_TEST_FULL=1 with more ranks too, and threads on every number of nodes.
[ "$full" = 1 ] && turns="4 1:7 2:6 3 threads" || turns="5 2:4 3 threads"
for algorithm in shared-segment parlinna-shared node-pair peer-read; do
    for nodes in 1 2; do
        case $algorithm$nodes in shared-segment2 | peer-read2) continue ;; esac
        rest=$turns:
        while [ -n "$rest" ]; do
            case=${rest%%:*}
            rest=${rest#*:}
            case $full:$algorithm:$nodes:$case in
            0:parlinna-shared:1:*threads | 0:node-pair:1:*threads) continue ;;
            esac
            # shellcheck disable=SC2086 # words are wanted
            if good -genv MPIR_CVAR_NUM_CLIQUES $nodes -genv SHUNT_FORCE \
                "alltoall=$algorithm,alltoallv=$algorithm" -n ${case%% *} "$programs/turns" \
                ${case#* } && ran $algorithm 100; then
                pass "$algorithm, $nodes node(s), ranks and seed $case: communicators in turn"
            else
                fail "$algorithm, $nodes node(s), ranks and seed $case: communicators in turn"
            fi
        done
    done
done

cat >"$work/table.cfg" <<'END'
schema = 1;
policy = { warmup = 2; };
alltoall = ( { algorithm = "peer-read"; block = "4K-"; }, { algorithm = "shared-segment"; }, { algorithm = "bruck"; } );
alltoallv = ( { algorithm = "peer-read"; block = "4K-"; }, { algorithm = "shared-segment"; }, { algorithm = "parlogna"; } );
END

# Rules that share one segment, with different needs, taken in turn; with so little memory that
# large blocks do not get what they need where the segment has to hold them.
while read -r ranks layout first second; do
    for op in alltoall alltoallv; do
        echo "$op = ( { block = \"0-64\"; $first }, { $second } );"
    done >"$work/turns.cfg"
    echo 'schema = 1; policy = { warmup = 0; };' >>"$work/turns.cfg"
    for memory in 256M 512K; do
        if good -genv SHUNT_CONFIG "$work/turns.cfg" -genv SHUNT_MEMORY $memory -genv \
            SHUNT_TEST_LAYOUT "$layout" -n "$ranks" "$programs/sizes" &&
            { [ "$native" = 1 ] || [ "$(routed "$work/log.jsonl")" -ge 10 ]; }; then
            pass "small and large blocks in turn, nodes of $layout, $memory: $first $second"
        else
            fail "small and large blocks in turn, nodes of $layout, $memory: $first $second"
        fi
    done
done <<'END'
6 3 algorithm="node-pair";leaders=1; algorithm="node-pair";leaders=3;
6 3 algorithm="parlinna-shared";batch_size=1; algorithm="node-pair";leaders=3;
6 3 algorithm="node-bruck"; algorithm="parlinna-shared";
6 2 algorithm="node-pair";leaders=2; algorithm="parlinna-shared";batch_size=1;parts=3;
6 2 algorithm="parlinna-shared";batch_size=1;parts=2; algorithm="parlinna-shared";batch_size=2;
6 3 algorithm="node-pair";leaders=3; algorithm="node-bruck";
6 64 algorithm="shared-segment"; algorithm="peer-read";
6 64 algorithm="peer-read"; algorithm="shared-segment";
6 3,1 algorithm="node-pair";leaders=1; algorithm="node-pair";leaders=3;
8 6 algorithm="node-pair";leaders=1; algorithm="node-pair";leaders=6;
END

# small KIBIBYTES ARGUMENT...: a job whose files may not grow beyond that; shared memory is a file
# to Linux.
small()
{
    small_blocks=$((2 * $1))
    shift
    small_mpiexec=$MPIEXEC
    cat >"$work/small" <<END
#!/bin/sh
ulimit -f $small_blocks
exec $MPIEXEC "\$@"
END
    chmod +x "$work/small"
    MPIEXEC=$work/small
    good "$@"
    small_status=$?
    MPIEXEC=$small_mpiexec
    return $small_status
}

cat >"$work/fits.cfg" <<'END'
schema = 1;
policy = { warmup = 2; };
alltoall = ( { algorithm = "shared-segment"; }, { algorithm = "bruck"; } );
alltoallv = ( { algorithm = "shared-segment"; }, { algorithm = "parlogna"; } );
END
if small 1024 -genv UCX_TLS sysv,self -genv SHUNT_CONFIG "$work/fits.cfg" -n 8 "$programs/sizes" \
    && ran shared-segment 1 && ran parlogna 1 &&
    ran bruck 1; then
    pass "1 MiB of shared memory: shared while it lasts, then the next rule"
else
    fail "1 MiB of shared memory"
fi
if small 256 -genv UCX_TLS sysv,self -genv SHUNT_CONFIG "$work/table.cfg" -n 8 "$programs/matrix" \
    --random 40 --seed 1 --thin 6 &&
    ran shared-segment 1 && ran parlogna 1; then
    pass "256 KiB of shared memory: shared while it lasts, then the next rule"
else
    fail "256 KiB of shared memory"
fi

# Without the privilege to look into any process.
cat >"$work/humble" <<END
#!/bin/sh
exec setpriv --bounding-set=-sys_ptrace -- $MPIEXEC "\$@"
END
chmod +x "$work/humble"
if [ "$(id -u)" -ne 0 ] || setpriv --bounding-set=-sys_ptrace true 2>"$work/why"; then
    [ "$(id -u)" -ne 0 ] || MPIEXEC=$work/humble
    for algorithm in alltoall=peer-read alltoallv=peer-read; do
        for calls in 8 1; do
            if good -genv SHUNT_FORCE $algorithm -n 4 "$programs/shy" $calls \
                && ran peer-read 4; then
                pass "$algorithm: a neighbour that hides its memory after $calls calls still gets its data"
            else
                fail "$algorithm: a neighbour hides its memory after $calls calls"
            fi
        done
        if good -genv SHUNT_FORCE $algorithm -n 4 "$programs/shy" 0 3 && { [ "$native" = 1 ] \
            || [ "$(records . peer-read "$work/log.jsonl")" -eq 0 ]; }; then
            pass "$algorithm: infeasible where a neighbour hides its memory from the start"
        else
            fail "$algorithm: a neighbour hides its memory from the start"
        fi
    done
else
    echo "SKIP: the privilege to look into processes cannot be dropped: $(cat "$work/why")"
fi

# A message is lost on one rank, after set-up: its call fails, and what its bundle was cut into does
# not end up in later calls.
if [ "$native" != 1 ]; then
    [ "$full" = 1 ] && apart=1 || apart=4
    for form in "" v; do
        hits=0
        bad=0
        for at in $(seq 40 "$apart" 61); do
            job_line="LOSE_AT=$at alltoall$form"
            timeout 20 "$MPIEXEC" -genv LD_PRELOAD "$lib:$programs/lose.so:$yield" -genv LOSE_AT \
                "$at" -genv SHUNT_TEST_LAYOUT 1 \
                -genv SHUNT_FORCE "alltoall=node-pair:fragment=4K,alltoallv=node-pair:fragment=4K" \
                -n 3 "$programs/afterwards" $form >"$work/out" 2>&1 </dev/null ||
                bad=$((bad + 1))
            hits=$((hits + $(grep -c '^LOST' "$work/out")))
        done
        if [ $bad -eq 0 ] && [ $hits -ge $((15 / apart)) ]; then
            pass "alltoall$form: $hits lost messages, none ends up in a later call"
        else
            fail "alltoall$form: $hits messages lost, after $bad of them other calls went wrong"
        fi
    done
fi

# Other processes are let in on request only.
for wanted in off any; do
    job_line="SHUNT_PTRACER=$wanted"
    LD_PRELOAD='' timeout 60 "$MPIEXEC" -genv LD_PRELOAD "$programs/ptracer.so:$(preload "$lib")" \
        -genv SHUNT_PTRACER $wanted \
        -genv SHUNT_FORCE alltoall=peer-read,alltoallv=peer-read -n 3 "$programs/steady" \
        >"$work/out" 2>&1 </dev/null
    asked=$(grep -c '^PR_SET_PTRACER' "$work/out")
    if [ "$native" = 1 ] || { [ $wanted = any ] && [ "$asked" -ge 3 ]; } || { [ $wanted = off ] \
        && [ "$asked" -eq 0 ]; }; then
        pass "SHUNT_PTRACER=$wanted: $asked requests"
    else
        fail "SHUNT_PTRACER=$wanted: $asked requests of 3 ranks"
    fi
done

left=$(find /dev/shm -name 'shunt-*' 2>/dev/null | wc -l)
job_line="ls /dev/shm"
if [ "$left" -eq 0 ]; then
    pass "nothing is left in /dev/shm"
else
    fail "$left segments are left in /dev/shm"
fi
finish
