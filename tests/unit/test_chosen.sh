#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What the built-in table chooses where each rank has a processor does no harm in any case that was
# measured so, and is near the best (scripts/chosen); with more ranks than processors it has other
# rules. Needs no MPI.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"

# shellcheck disable=SC2317 # by "code"
chosen()
{
    "$top/scripts/chosen" "--shunt=$shunt" "$@"
}

code 0 chosen
part out ' cases: '
part out ' 0 below 0.97 of it or not measured, '
part out '2x8         alltoallv'

# A table that does harm is found, and so is one that gains too little.
cat >harm.cfg <<'END'
schema = 1;
alltoall = ( { nodes = "2-"; algorithm = "node-pair"; leaders = 1; fragment = "15K"; }, { algorithm = "native"; } );
END
code 1 chosen --table=harm.cfg
part out 'below native'
echo 'schema = 1; alltoall = ( { algorithm = "native"; } );' >native.cfg
code 1 chosen --table=native.cfg
part out ': 0 faster than native, 0 below'
echo 'schema = 1; alltoall = ( { algorithm = "pairwise"; } );' >other.cfg
code 1 chosen --table=other.cfg
part out 'not measured'

# Cases measured several times are one; those with a note do not count.
cat >some.csv <<'END'
# A comment.
layout,operation,block,largest,native_us,setting,times_native,note
16,alltoall,16,16,10.0,shared-segment,2.00,
16,alltoall,16,16,10.0,shared-segment,8.00,
2,alltoallv,16,13,0.6,shared-segment,0.50,others had more
END
code 0 chosen some.csv
part out 'shared-segment                                    4.00'
part out '1 cases: 1 faster than native'
part out '; 1 with a note left out'
code 2 chosen missing.csv
code 2 chosen --nonsense
code 2 chosen --table=missing.cfg some.csv

# One node's rules are for both cases but where two to four ranks differ; hosts have rules of their own.
code 0 "$shunt" explain --op=alltoall --layout=4x4 --block=1K built-in
part out 'leaders=4'
code 0 "$shunt" explain --op=alltoall --layout=4x4 --block=1K --oversubscribed=true built-in
part out 'leaders=1'
code 0 "$shunt" explain --op=alltoall --layout=32x1 --block=1K built-in
part out 'algorithm  native'
code 0 "$shunt" explain --op=alltoall --layout=32x1 --block=1K --oversubscribed=true built-in
part out 'algorithm  bruck'

finish_checks
