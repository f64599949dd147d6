#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Under a real Slurm: starts a cluster of two hosts by scripts/slurm, with prologs and epilogs, and
# in it the checks of jobs.sh. Takes two minutes, so it runs with SHUNT_TEST_SLURM=1 or
# SHUNT_TEST_FULL=1 only.
set -u
asked=${SHUNT_TEST_SLURM:-0}
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"

[ "$asked" = 1 ] || [ "$full" = 1 ] ||
    skip "a Slurm cluster is started with SHUNT_TEST_SLURM=1 or SHUNT_TEST_FULL=1 only"
[ -n "$lib" ] || skip "SHUNT_LIB does not say where the library under test is"
plain=$top_build/tests/preload/plain
[ -e "$plain" ] || skip "the program of this test ($plain) is missing"
# What runs on the "hosts" reads it, and Slurm changes into it.
chmod 755 "$work"
home=$(realpath "$work")
mkdir "$home/told"

# program NAME: an executable from standard input.
program()
{
    {
        echo '#!/bin/sh'
        cat
    } >"$home/$1"
    chmod +x "$home/$1"
}

# What sites have around jobs: on the nodes as root, and around each task as the user, in the
# environment of the task. That of tasks may set variables for them, and preload by that.
program prolog <<END
echo "prolog of \$SLURM_JOB_ID preload <\${LD_PRELOAD:-}>" >>"$home/told/prolog.\$(hostname)"
END
program epilog <<END
echo "epilog of \$SLURM_JOB_ID preload <\${LD_PRELOAD:-}>" >>"$home/told/epilog.\$(hostname)"
END
program task-prolog <<END
echo "export FROM_PROLOG=rank \$SLURM_PROCID"
[ -z "\${SITE_PRELOAD:-}" ] || echo "export LD_PRELOAD=\$SITE_PRELOAD"
[ -z "\${PROLOG_SPEAKS:-}" ] || echo "print the task prolog speaks"
END
program task-epilog <<END
[ -z "\${PROLOG_SPEAKS:-}" ] || echo "task epilog \$SLURM_PROCID" >>"$home/told/task-epilog"
END
cat >"$home/lines.conf" <<END
Prolog=$home/prolog
Epilog=$home/epilog
PrologFlags=Alloc
TaskProlog=$home/task-prolog
TaskEpilog=$home/task-epilog
JobRequeue=1
END

# In the folder of the build, as all tests.
"$top/scripts/slurm" --timeout 400 --conf "$home/lines.conf" --keep-logs "$home/daemons" 2x4 -- \
    env SHUNT_LIB="$lib" SHUNT_YIELD="$yield" abs_top_builddir="$top_build" TMPDIR="$home" \
    MPIEXEC="$MPIEXEC" MPICC="${MPICC:-mpicc.mpich}" \
    SLURM_TEST_HOME="$home" "$top/tests/slurm/jobs.sh" \
    >"$home/out" 2>&1 </dev/null
status=$?
cat "$home/out"
[ $status -ne 69 ] || skip "$(tail -n 1 "$home/out")"
check "the checks within the cluster hold" [ $status -eq 0 ]
[ $status -eq 0 ] || show "$home"/daemons/slurm*.log

# Nothing is left: no process that has the cluster's configuration, no namespace, no folder.
used=$(sed -n 's|^StateSaveLocation=\(.*\)/state|\1|p' "$home/daemons/slurm.conf")
check "the cluster's folder is known" [ -n "$used" ]
left=0
for environment in /proc/[0-9]*/environ; do
    if { tr '\0' '\n' <"$environment"; } 2>/dev/null | grep -qxF "SLURM_CONF=$used/slurm.conf"; then
        left=$((left + 1))
        ps -o pid=,args= -p "$(echo "$environment" | tr -dc 0-9)"
    fi
done
check "no process of the cluster is left" [ $left -eq 0 ]
check "its folder is gone" [ ! -e "$used" ]

# Nor where it is interrupted, or cannot begin.
# shellcheck disable=SC2016 # the inner shell expands it
"$top/scripts/slurm" 1x1 -- sh -c 'echo "$SLURM_CONF" >"$0"; srun sleep 60' "$home/begun" \
    >"$home/out" 2>&1 </dev/null &
cluster=$!
waited=0
while [ ! -s "$home/begun" ] && [ $waited -lt 300 ]; do
    sleep 0.1
    waited=$((waited + 1))
done
sleep 1
kill -TERM $cluster
wait $cluster
check "an interrupted cluster ends with the status of the signal" [ $? -eq 143 ]
check "its folder is gone" [ -s "$home/begun" ] && [ ! -e "$(dirname "$(cat "$home/begun")")" ]
"$top/scripts/slurm" 1x1 -- sh -c 'exit 9' >"$home/out" 2>&1
check "the status is that of the command" [ $? -eq 9 ]
echo 'SelectType=select/elephant' >"$home/wrong.conf"
"$top/scripts/slurm" --conf "$home/wrong.conf" 1x1 -- true >"$home/out" 2>&1
check "a configuration that Slurm rejects is told, with what it says" [ $? -eq 69 ]
for wrong in "" 0x2 2x 2y2 "2x2 --" "--conf $home/none 1x1 true" "--elephant 1x1 true"; do
    # shellcheck disable=SC2086 # words
    "$top/scripts/slurm" $wrong >"$home/out" 2>&1
    check "a mistake of usage is told: $wrong" [ $? -eq 2 ]
done
left=$(ip netns list | sed -n 's/^shuntslurm\([0-9]*\)-.*/\1/p' | sort -u | while read -r one; do
    [ -d "/proc/$one" ] || echo "$one"
done)
check "no namespace of a cluster that is gone is left" [ -z "$left" ]
finish
