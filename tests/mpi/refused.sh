#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Calls that the library refuses for the arguments of one rank: it is told so at once, while the
# others are elsewhere, and then makes the call that all others are in. So natively, and so with
# every route, before set-up, with it and after it, in stretches without agreements and in trials.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/common.sh"

# For the first call, for those before and after a set-up at call 3 and announcements at 8 and later
# ones, several times in a row, where nobody has data, and long after.
times='0 1 2 3 4 7 8 8 e20 21 e22 23 45 46 47 48 59 60 61 e62 115 e116'

# right WHAT ARGUMENT...: the program says that every byte was right.
right()
{
    right_what=$1
    shift
    job 40 "$@"
    if [ "$job_status" -eq 0 ] && grep -q '^PASS' "$work/out"; then
        pass "$right_what"
    else
        fail "$right_what"
    fi
}

# mistakes FORCE ARGUMENT...: half of the kinds of mistakes, the other half with the next FORCE, with
# operations, ways and communicators in turn. With SHUNT_TEST_FULL=1 all combinations.
turn=0
mistakes()
{
    mistakes_force=$1
    shift
    kind=0
    for mistake in count type nothing uncommitted send receive alias placeless; do
        place=0
        for case in alltoallv:return:world alltoallv:jump:copy alltoallv:handler:copy \
            alltoall:return:copy alltoall:jump:world sparse:handler:world sparse:return:copy; do
            chosen=$((kind % 2 == turn % 2 && (kind + 3 * turn) % 7 == place))
            place=$((place + 1))
            operation=${case%%:*}
            way=${case#*:}
            case $operation:$mistake in
                sparse:send | sparse:receive) continue ;; # MPICH 4.0.2 does not look at all counts
            esac
            [ "$full" = 1 ] || [ $chosen = 1 ] || continue
            # shellcheck disable=SC2086 # words are wanted
            right "$operation, $mistake, ${way%:*}, ${way#*:}: all go on, ${mistakes_force:-built-in table}" \
                ${mistakes_force:+-genv SHUNT_FORCE $mistakes_force} "$@" -n 4 "$programs/refused" \
                "$operation" "$mistake" "${way%:*}" "${way#*:}" 130 $times
        done
        kind=$((kind + 1))
    done
    turn=$((turn + 1))
}

mistakes ""
for algorithm in native shared-segment parlogna node-pair; do
    mistakes "alltoall=$algorithm,alltoallv=$algorithm"
done
mistakes alltoall=scattered,alltoallv=scattered -genv MPIR_CVAR_NUM_CLIQUES 2

# Stretches, and trials: with a table's route and without one.
cat >"$work/on.cfg" <<'END'
schema = 1;
alltoallv = ( { algorithm = "shared-segment"; } );
END
sed 's/^schema = 1;/schema = 1; policy = { learn = "on"; };/' "$work/on.cfg" >"$work/taught.cfg"
printf 'schema = 1; machine = { name = "m"; }; policy = { learn = "on"; };\n' >"$work/gaps.cfg"
for table in on taught gaps; do
    for case in sparse:nothing:jump alltoallv:type:return alltoall:uncommitted:handler; do
        # shellcheck disable=SC2046,SC2086 # words are wanted
        right "$case, table $table: all go on" -genv SHUNT_CONFIG "$work/$table.cfg" \
            -genv SHUNT_WARMUP 2 -n 4 "$programs/refused" $(echo $case | tr : ' ') copy 1500 \
            $(seq 0 23 1490)
    done
done

finish
