#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What people read: lines of at most 100 columns in Markdown, NEWS and manual pages, and the field's
# terms. Words on the left were used here once for what the words on the right say.
set -u
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
export LC_ALL=C.UTF-8

sed 's/ *#.*//' >"$work/banned" <<'END'
newcomers?                # a team, a new communicator
arms?                     # candidate
foresight                 # cached prediction
journals?                 # log
kin                       # variants, the others
c[oa]mes? late             # arrives late
shown and found           # publish and look up
say and hear              # publish and look up
says? of (itself|themselves)  # calls itself, states
END

# long FILE...: lines that have more than 100 columns.
long()
{
    awk 'length($0) > 100 { printf "%s:%d: %d columns\n", FILENAME, FNR, length($0); bad = 1 }
        END { exit !bad }' "$@"
}

banned()
{
    grep -rniwEf "$work/banned" --include='*.[ch]' --include='*.[1-8]' --include='*.md' \
        --include='*.ts' --include='*.vue' --include='*.cfg' --include=NEWS "$@"
}

# shellcheck disable=SC2317 # check calls it
not()
{
    ! "$@"
}

# They find what they have to find.
printf 'The newcomers have Arms.\n%0101d\n' 0 >"$work/NEWS"
printf 'Communicators have candidates: an alarm warms the army.\n%0100d\n' 0 >"$work/README.md"
check "a line of 101 columns is found" long "$work/NEWS"
check "a banned word is found" banned "$work/NEWS"
check "100 columns are none too many" not long "$work/README.md"
check "words that contain a banned one are not banned" not banned "$work/README.md"

find "$top/README.md" "$top/CONTRIBUTING.md" "$top/NEWS" "$top/man" "$top/src" \
    \( -name node_modules -prune \) -o \( -name '*.md' -o -name 'NEWS' -o -name '*.[1-8]' \) -print \
    >"$work/texts"
check "there are texts to look at" test "$(wc -l <"$work/texts")" -ge 30
# shellcheck disable=SC2046 # words are wanted
if long $(cat "$work/texts") >"$work/err"; then
    fail "Markdown, NEWS and manual pages have lines of at most 100 columns" "$work/err"
else
    pass "Markdown, NEWS and manual pages have lines of at most 100 columns"
fi
if (cd "$top" && banned --exclude-dir=node_modules README.md CONTRIBUTING.md NEWS man src scripts \
    conf) >"$work/err"; then
    fail "no banned words" "$work/err"
else
    pass "no banned words"
fi
version=$(sed -n 's/^AC_INIT(\[shunt\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
check "README.md shows a line of this version" grep -q "^shunt $version: " "$top/README.md"
check "manual pages show lines of whatever version it is" \
    not grep -nE '(^|[^A-Za-z])shunt [0-9]+\.[0-9]' "$top"/man/*.[1-8]
check "the Spack recipe is for this version" \
    [ "$(grep -cF "$version" "$top/scripts/packaging/spack/package.py")" = 2 ]
lines=$(wc -l <"$top/README.md")
check "README.md has at most 150 lines, and has $lines" test "$lines" -le 150
awk '/^## / { if (version != "") print version, count; version = $2; count = 0; next }
    version != "" && NF { count++ } END { print version, count }' "$top/NEWS" >"$work/versions"
while read -r version lines; do
    check "NEWS has at most 20 lines for $version, and has $lines" test "$lines" -le 20
done <"$work/versions"
finish
