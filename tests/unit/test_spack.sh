#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The Spack recipe, evaluated with stand-ins for Spack: what it is called, what it needs, how it
# configures and what it sets.
set -u
# shellcheck source-path=SCRIPTDIR source=../common.sh
. "$(dirname "$0")/../common.sh"
need_command python3
mkdir -p "$work/spack"
: >"$work/spack/__init__.py"
cat >"$work/spack/package.py" <<'END'
"""Directives write down what they are called with; specs are what the test makes them."""
import os

said = []


def directive(name):
    return lambda *arguments, **more: said.append((name, arguments, more))


for name in "version variant depends_on requires conflicts license maintainers".split():
    globals()[name] = directive(name)
join_path = os.path.join


class AutotoolsPackage:
    def __init__(self, spec, prefix):
        self.spec, self.prefix = spec, prefix
END
cat >"$work/try.py" <<'END'
import importlib.util, re, sys
import spack.package as spack

sys.dont_write_bytecode = True
place = importlib.util.spec_from_file_location("recipe", sys.argv[1])
recipe = importlib.util.module_from_spec(place)
place.loader.exec_module(recipe)


class Thing(dict):
    __getattr__ = dict.__getitem__


class Spec(Thing):
    def satisfies(self, text):
        return text == "+preload" and self.get("preload", False)


class Environment(list):
    def set(self, name, value): self.append((name, value))
    def prepend_path(self, name, value): self.append((name, value))


def package(**more):
    mpi, libconfig = Thing(mpicc="/m/bin/mpicc"), Thing(prefix="/c")
    return recipe.Shunt(Spec(mpi=mpi, libconfig=libconfig, **more), Thing(lib="/p/lib"))


def settings(shunt):
    environment = Environment()
    shunt.setup_run_environment(environment)
    return environment


names = {(kind, arguments[0]) for kind, arguments, more in spack.said if arguments}
version, configure = sys.argv[2], open(sys.argv[3]).read()
arguments = package().configure_args()
options = [argument.split("=")[0] for argument in arguments]
checks = {
    "the version is that of the sources": ("version", version) in names,
    "the tarball is that of the version": recipe.Shunt.url.endswith("/shunt-%s.tar.gz" % version),
    "it depends on MPI": ("depends_on", "mpi") in names,
    "it depends on libconfig": ("depends_on", "libconfig@1.5:") in names,
    "it asks for the ABI of MPICH": any(kind == "requires" and any("mpich" in name for name in what)
                                        for kind, what, more in spack.said),
    "MPI's wrapper is named": "MPICC=/m/bin/mpicc" in arguments,
    "libconfig's folder is named": "--with-libconfig=/c" in arguments,
    "configure knows all that it is told": all(
        re.search(r"AC_ARG_(VAR|WITH|ENABLE)\(\[%s\]" % re.sub("^--(with|enable)-", "", option),
                  configure) for option in options),
    "programs find the library": settings(package()) == [("LIBSHUNT", "/p/lib/libshunt.so")],
    "the variant preloads it":
        ("LD_PRELOAD", "/p/lib/libshunt.so") in settings(package(preload=True)),
}
for what, holds in checks.items():
    print("PASS" if holds else "FAIL", what, sep=": ")
END
recipe=$top/scripts/packaging/spack/package.py
version=$(sed -n 's/^AC_INIT(\[shunt\], \[\(.*\)\])$/\1/p' "$top/configure.ac")
PYTHONPATH=$work PYTHONDONTWRITEBYTECODE=1 python3 "$work/try.py" "$recipe" "$version" \
    "$top/configure.ac" >"$work/out" 2>"$work/err" || fail "the recipe is evaluated" "$work/err"
while IFS= read -r line; do
    case $line in
    PASS:*) pass "${line#PASS: }" ;;
    *) fail "${line#FAIL: }" ;;
    esac
done <"$work/out"
finish
