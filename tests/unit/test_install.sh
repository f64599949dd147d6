#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# What `make install` puts where, that it works from there, and that `make uninstall` leaves
# nothing: in a folder of its own (DESTDIR). Needs no MPI.
set -u
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
cd "$top_build" || exit 99
unset MAKEFLAGS MFLAGS MAKELEVEL
[ -f Makefile ] || skip "this is no build folder"
root=$(realpath "$work")/root

# Folders as configured.
placed()
{
    # shellcheck disable=SC2016 # make expands it
    printf 'print-%%: ; @echo $($*)\n' >"$work/print.mk"
    make -s --no-print-directory -f Makefile -f "$work/print.mk" "print-$1"
}

if ! make install DESTDIR="$root" >"$work/log" 2>&1; then
    tail -n 20 "$work/log"
    fail "make install"
    finish
fi
bindir=$(placed bindir) libdir=$(placed libdir) mandir=$(placed mandir) docdir=$(placed docdir)
pkgdatadir=$(placed pkgdatadir) sysconfdir=$(placed sysconfdir) datadir=$(placed datadir)
version=$(placed VERSION) zsh=$(placed zshcompletiondir) libexecdir=$(placed libexecdir)
for file in "$bindir/shunt" "$bindir/shunt-one-group" "$libdir/libshunt.so" \
    "$libdir/shunt/shunt-mpich.so" "$libdir/shunt/shunt-standard.so" \
    "$libdir/shunt/shunt-open-mpi.so" \
    "$libdir/shunt/shunt-table.so" "$libdir/shunt/libshuntyield.so" "$libdir/pkgconfig/shunt.pc" \
    "$libexecdir/shunt/shunt-bench" "$libexecdir/shunt/shunt-machine" \
    "$libexecdir/shunt/shunt-tune" "$mandir/man1/shunt-tune.1" "$docdir/README.md" "$docdir/NEWS" "$docdir/COPYING" \
    "$docdir/conf/example.cfg" "$docdir/conf/theta.cfg" "$docdir/conf/polaris.cfg" \
    "$docdir/conf/fugaku.cfg" "$pkgdatadir/modulefile" "$pkgdatadir/schedule.schema.json" \
    "$pkgdatadir/explain.schema.json" "$pkgdatadir/algorithms.schema.json" \
    "$pkgdatadir/bench.schema.json" "$pkgdatadir/log.schema.json" \
    "$pkgdatadir/log-summary.schema.json" \
    "$pkgdatadir/machines/fugaku-like.cfg" "$pkgdatadir/machines/hoefler-moor-2014.cfg" \
    "$pkgdatadir/machines/polaris-like.cfg" "$pkgdatadir/machines/theta-like.cfg" \
    "$pkgdatadir/predict.schema.json" "$pkgdatadir/diff.schema.json" "$mandir/man1/shunt-diff.1" "$pkgdatadir/explain-grid.schema.json" \
    "$mandir/man1/shunt-explain.1" "$mandir/man1/shunt-import.1" \
    "$mandir/man1/shunt-log.1" "$mandir/man1/shunt-predict.1" \
    "$pkgdatadir/report.schema.json" "$mandir/man1/shunt-report.1" \
    "$pkgdatadir/view.schema.json" "$mandir/man1/shunt-view.1" \
    "$datadir/bash-completion/completions/shunt" "$zsh/_shunt" "$mandir/man1/shunt.1" \
    "$pkgdatadir/machine.schema.json" "$pkgdatadir/tune.schema.json" "$mandir/man1/shunt-machine.1" \
    "$mandir/man1/shunt-bench.1" "$mandir/man1/shunt-one-group.1" "$mandir/man5/shunt.cfg.5" \
    "$mandir/man5/shunt-machine.5" \
    "$mandir/man7/libshunt.7"; do
    check "$file is installed" test -s "$root$file"
done

if [ -e src/viewer/viewer.html ]; then
    check "the page of the viewer is installed" test -s "$root$pkgdatadir/viewer.html"
fi

# Run from there, with no settings but these.
clean()
{
    env -i PATH="$PATH" HOME="$work" "$@"
}

check "the command tells its version" \
    [ "$(clean "$root$bindir/shunt" --version)" = "shunt $version" ]
clean SHUNT_LOG=off "$root$bindir/shunt" run env >"$work/out" 2>"$work/err"
check "it preloads the library beside it" \
    grep -qxF "LD_PRELOAD=$root$libdir/libshunt.so" "$work/out"
clean "$root$bindir/shunt" check "$root$docdir/conf/example.cfg" >"$work/out" 2>&1
check "the example is a decision file" [ $? -eq 0 ]
for machine in theta:nid00985 polaris:x3005c0s7b0n0 fugaku:a01-0000c; do
    clean "$root$bindir/shunt" check "$root$docdir/conf/${machine%:*}.cfg" >"$work/out" 2>&1
    check "${machine%:*}.cfg is a decision file" [ $? -eq 0 ]
    clean "$root$bindir/shunt" where --host="${machine#*:}" >"$work/out" 2>&1
    check "where it is installed no host is routed by it" grep -qx 'table    built-in' "$work/out"
done
cat >"$work/named.cfg" <<'END'
schema = 1;
machine = { model = "theta-like"; };
END
clean "$root$bindir/shunt" show "$work/named.cfg" >"$work/out" 2>&1
check "the descriptions of machines beside it are found by their names" \
    grep -qx "model       theta-like (Cray MPICH)" "$work/out"
if [ -e src/viewer/viewer.html ]; then
    clean "$root$bindir/shunt" view -o "$work/page.html" >"$work/out" 2>&1
    check "shunt view finds the page that is installed with it" test -s "$work/page.html"
fi
check "shunt-one-group runs a command" \
    [ "$(clean "$root$bindir/shunt-one-group" echo works 2>/dev/null)" = works ]

# Manual pages: paths of this build, no placeholders, clean for mandoc.
pages=$(find "$root$mandir" -type f)
# shellcheck disable=SC2086 # words
check "no page has a placeholder left" [ -z "$(grep -hE '@[a-zA-Z]+@' $pages)" ]
check "the manual tells where decision files of a site are" \
    grep -qF "$sysconfdir/shunt" "$root$mandir/man5/shunt.cfg.5"
check "it tells where the library is" \
    grep -qF ".It Pa $libdir/libshunt.so" "$root$mandir/man7/libshunt.7"
# Every path below the prefix that a page names is there.
# shellcheck disable=SC2086 # words
grep -hoE "($libdir|$pkgdatadir|$docdir)/[^ *]*[a-z]" $pages | sort -u >"$work/named"
check "pages name files of the installation" [ "$(wc -l <"$work/named")" -ge 6 ]
while read -r file; do
    check "$file, which a page names, is there" test -e "$root$file"
done <"$work/named"
if command -v mandoc >/dev/null; then
    # shellcheck disable=SC2086 # words
    mandoc -T lint -W warning $pages >"$work/lint"
    check "mandoc finds nothing in the installed pages" [ ! -s "$work/lint" ]
else
    echo "not tried: mandoc is not installed"
fi

# pkg-config.
if command -v pkg-config >/dev/null; then
    told()
    {
        PKG_CONFIG_LIBDIR=$root$libdir/pkgconfig pkg-config "$@" shunt
    }
    check "shunt.pc tells the version" [ "$(told --modversion)" = "$version" ]
    check "shunt.pc tells what to preload" [ "$(told --variable=preload)" = "$libdir/libshunt.so" ]
    check "nothing is linked with Shunt" [ -z "$(told --libs | tr -d ' ')" ]
    check "pkg-config finds no fault" told --validate
else
    echo "not tried: pkg-config is not installed"
fi

# The module file, under Environment Modules, or under an interpreter with stand-ins for them.
mkdir -p "$work/modules/shunt"
cp "$root$pkgdatadir/modulefile" "$work/modules/shunt/$version"
modulecmd=$(command -v modulecmd)
if [ -n "$modulecmd" ]; then
    clean MODULEPATH="$work/modules" PATH=/bin:/usr/bin "$modulecmd" sh load shunt \
        >"$work/loaded" 2>"$work/err"
    # shellcheck disable=SC2016 # the inner shell expands it
    clean PATH=/bin:/usr/bin sh -c '. "$1"; env' sh "$work/loaded" >"$work/environment" \
        2>>"$work/err"
    clean MODULEPATH="$work/modules" PATH=/bin:/usr/bin "$modulecmd" sh help shunt \
        >"$work/help" 2>&1
elif command -v tclsh >/dev/null; then
    cat >"$work/load.tcl" <<'END'
proc module-whatis {text} {}
proc conflict {name} {}
proc setenv {name value} { puts "$name=$value" }
proc prepend-path {name value} { puts "$name=$value:" }
proc append-path {name value} {}
source [lindex $argv 0]
ModulesHelp
END
    tclsh "$work/load.tcl" "$work/modules/shunt/$version" >"$work/environment" 2>"$work/help"
    cp "$work/help" "$work/err"
else
    echo "not tried: the module file (no modulecmd, no tclsh)"
fi
if [ -f "$work/environment" ]; then
    for line in "LIBSHUNT=$libdir/libshunt.so" "PATH=$bindir:" "MANPATH=$mandir:"; do
        check "the module sets $line" grep -q "^$line" "$work/environment"
    done
    check "loading it preloads nothing" [ -z "$(grep LD_PRELOAD "$work/environment")" ]
    check "its help tells how to run a program" grep -q 'shunt run mpiexec' "$work/help"
    sed 's/^#prepend-path LD_PRELOAD/prepend-path LD_PRELOAD/' "$root$pkgdatadir/modulefile" \
        >"$work/all"
    check "it has the line to preload for all" [ "$(diff "$root$pkgdatadir/modulefile" "$work/all" \
        | grep -c '^>')" = 1 ]
    # What a job sees of it: libshunt.so and the command report SHUNT_ variables they do not know.
    clean "LIBSHUNT=$libdir/libshunt.so" SHUNT_LOG=off "$root$bindir/shunt" run true 2>"$work/err"
    check "its variables are none that Shunt warns of" [ -z "$(grep unknown "$work/err")" ]
fi

# Nothing is left.
make uninstall DESTDIR="$root" >"$work/log" 2>&1 || fail "make uninstall" "$work/log"
find "$root" ! -type d >"$work/left"
if [ -s "$work/left" ]; then
    fail "make uninstall leaves files" "$work/left"
else
    pass "make uninstall leaves no file"
fi
finish
