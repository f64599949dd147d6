# shellcheck shell=sh
# SPDX-License-Identifier: BSD-3-Clause
# What the tests of the command shunt share: a folder of their own, an empty environment, checks
# that count. Sourced.
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
build=$top_build
# shellcheck disable=SC2034 # for those who source this
shunt=$build/src/shunt
unset LD_PRELOAD NO_COLOR
export HOME="$work" XDG_CONFIG_HOME="$work/xdg"
cd "$work" || exit 1
tests=0

# Checks are counted where they are made, and told of only when they fail: there are hundreds.
fail()
{
    failed "$*"
    show out err
}

# code WANTED COMMAND...: runs it; out and err keep what it wrote.
code()
{
    wanted=$1
    shift
    tests=$((tests + 1))
    "$@" >out 2>err </dev/null
    got=$?
    [ "$got" -eq "$wanted" ] || fail "$*: exit status $got instead of $wanted"
}

# line FILE TEXT: one line of FILE is exactly TEXT.
line()
{
    tests=$((tests + 1))
    grep -Fxq -e "$2" "$1" || fail "no line \"$2\" in $1"
}

# part FILE TEXT: a line of FILE has TEXT in it.
part()
{
    tests=$((tests + 1))
    grep -Fq -e "$2" "$1" || fail "\"$2\" is not in $1"
}

# unfold FILE: lines that were folded at 100 columns are whole again.
unfold()
{
    awk '/^    / && NR > 1 { sub(/^ +/, " "); printf "%s", $0; next }
        { printf("%s%s", (NR > 1 ? "\n" : ""), $0) } END { if (NR > 0) print "" }' "$1" >"$1.whole"
    mv "$1.whole" "$1"
}

# empty FILE
empty()
{
    tests=$((tests + 1))
    [ ! -s "$1" ] || fail "$1 is not empty"
}

# keeps FILE ARGUMENT...: what was in the file stays there when it cannot be written, and nothing
# else is left.
keeps()
{
    kept=$1
    shift
    echo before >"$kept"
    # shellcheck disable=SC2016 # the inner shell expands it
    code 4 sh -c 'trap "" XFSZ; ulimit -f 0; exec "$@"' sh "$shunt" "$@"
    line "$kept" before
    tests=$((tests + 1))
    [ "$(echo "$kept"*)" = "$kept" ] || fail "something is left: $(echo "$kept"*)"
    rm -f "$kept"
}

# The last line of a test: how many of these checks passed, and the exit status.
finish_checks()
{
    passes=$((tests - failures))
    finish
}

# own_page: a command of the test's own, in $shunt, beside which lies a page to be filled, so that a
# test needs neither npm nor a browser; what the real one shows is tested in src/viewer/app.
mark='<script type="application/json" id="shunt-data">'
own_page()
{
    mkdir -p "$work/bin/viewer" "$work/conf/installed"
    cp "$shunt" "$work/bin/shunt"
    cp "$build"/conf/installed/*.cfg "$work/conf/installed/"
    shunt=$work/bin/shunt
    page "{\"version\": \"$("$shunt" --version | sed 's/^shunt //')\", \"tables\": []}"
}

# page TEXT: with these data, and something on both sides.
page()
{
    printf '%s' "<!doctype html><p>before</p>$mark$1</script><script>after()</script>" \
        >"$work/bin/viewer/viewer.html"
}

# embedded FILE: the data in a page, its JSON as it is read; of one of our own or the real one.
embedded()
{
    sed -n "/$(printf %s "$mark" | sed 's,/,\\/,g')/,/<\/script>/p" "$1" | sed "s,^.*$mark,," |
        sed 's,</script>.*,,'
}

# embeds PAGE KEY JSON: the page is for the viewer, and has under the key what the file has.
embeds()
{
    tests=$((tests + 1))
    [ "$(grep -o '</script>' "$1" | wc -l)" -eq 2 ] || fail "$1: something ends the script"
    embedded "$1" >data.json
    command -v python3 >/dev/null || {
        echo "not tried: what $1 has under $2 (python3 is not installed)"
        return
    }
    code 0 python3 -c 'import json, sys
data, wanted = (json.load(open(name, encoding="utf-8")) for name in sys.argv[2:])
assert data[sys.argv[1]] == wanted, "another " + sys.argv[1]' "$2" data.json "$3"
}
