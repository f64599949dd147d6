#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# scripts/fit: numbers of a description are found again in what it predicts, descriptions that come with
# Shunt are what a fit finds near enough, and figures that cannot be are told. Needs no MPI.
set -u
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/tool_common.sh"
fit=$build/scripts/fit.d/fit

# in_build COMMAND...: in the build folder, where the script is started.
# shellcheck disable=SC2317 # called by code
in_build()
{
    (cd "$build" && "$@")
}

code 0 in_build "$top/scripts/fit" --help
part out '--check'
code 2 in_build "$top/scripts/fit"
part err 'no machine'
code 2 in_build "$top/scripts/fit" cray
part err '"cray" is none of polaris-like'
code 2 in_build "$top/scripts/fit" --elephant node
part err '"--elephant" is not an option'
code 2 in_build "$top/scripts/fit" node hosts
part err 'one machine at a time'
code 2 "$top/scripts/fit" node
part err 'start this in the build folder'

# What a machine predicts, as figures: four times, of which the last is held out, and a ratio.
cat >machine.cfg <<'END'
schema = 1;
model = {
  inside = { latency_us = 0.3; overhead_us = 0.2; byte_ns = 0.1; };
  between = { latency_us = 1; overhead_us = 0.3; byte_ns = 0.1; };
  copy = { block_ns = 30; byte_ns = 0.1; };
  card = { message_ns = 700; };
};
END
figures()
{
    printf 'one\tfitted\talltoallv\t4\t8\t8\tscattered:batch_size=32\t-\t1\n'
    printf 'two\tfitted\talltoall\t4\t8\t8\tbruck:radix=2\t-\t1\n'
    printf 'three\tfitted\talltoall\t4\t8\t64\tbruck:radix=2,4\tnative\t1\n'
    printf 'four\theld out\talltoallv\t4\t8\t64\tparlogna:radix=4\t-\t1\n'
}
figures | "$fit" machine.cfg | cut -f 4 >true
figures | cut -f 1-8 | paste - true >figures.tsv
"$fit" machine.cfg card.message_ns=100 copy.block_ns=90 <figures.tsv >found
tests=$((tests + 1))
awk -F '\t' 'NF == 2 { n++; wanted = $1 ~ /^card/ ? 700 : 30; if ($2 < 0.95 * wanted || $2 > 1.05 * wanted) bad = 1 }
    NF == 4 { m++; if ($4 < 0.97 * $3 || $4 > 1.03 * $3) bad = 1 }
    END { exit bad || n != 2 || m != 4 }' found || fail "numbers are found again: $(cat found)"

# figure MESSAGE FIELD...: the line is refused with that.
# shellcheck disable=SC2016 # the inner shell expands it
figure()
{
    figure_message=$1
    shift
    (IFS='|' && echo "$*") | tr '|' '\t' >bad.tsv
    code 1 sh -c '"$0" machine.cfg <bad.tsv' "$fit"
    part err "$figure_message"
}
figure 'one: fields are lacking' one fitted alltoallv
figure 'one: no such layout' one fitted alltoallv 0 8 8 native - 1
figure 'one: no number, or no algorithm' one fitted alltoallv 4 8 8 native - 0
figure 'bruk: ' one fitted alltoallv 4 8 8 bruk - 1
# shellcheck disable=SC2016 # the inner shell expands it
refused()
{
    code 1 sh -c '"$0" "$1" ${2:+"$2"} <figures.tsv' "$fit" "$2" "$3"
    part err "$1"
}
refused 'card.message_ns: begins at no positive number' machine.cfg card.message_ns=0
refused 'card.mesage: is no KEY=BEGIN of a number' machine.cfg card.mesage=1
refused none.cfg ./none.cfg ''

# With a processor for each rank: what is held out is predicted as well as people are told.
# held MACHINE ERROR WINNER: the median error is at most so many percent, and the winner within 10 %
# in so many percent of the cases at least.
held()
{
    code 0 in_build "$top/scripts/fit" --check "$1"
    tests=$((tests + 1))
    awk -v most="$2" -v least="$3" '/^held out: / { n++; good = $7 <= most; gsub(/[()%]/, "", $0); win = $(NF - 0) >= least }
        END { exit !(n == 1 && good && win) }' out || fail "$1: $(cat out)"
}
held node 25 85
held hosts 25 85
code 0 in_build "$top/scripts/fit" --check theta-like
part out '001-09 Radix 22'

finish_checks
