# SPDX-License-Identifier: BSD-3-Clause
"""Spack recipe. A site copies it to packages/shunt/package.py of a repository of its own.

The tarball (`make dist`) is looked for in the folder where spack is started, or in a mirror:

    spack repo create ~/site && mkdir -p ~/site/packages/shunt
    cp package.py ~/site/packages/shunt/ && spack repo add ~/site
    spack install --no-checksum shunt ^mpich
"""
import os

from spack.package import *

try:  # Spack 1.0 and later keep build systems with the packages
    from spack_repo.builtin.build_systems.autotools import AutotoolsPackage
except ImportError:
    pass


class Shunt(AutotoolsPackage):
    """Routes MPI_Alltoall and MPI_Alltoallv of unmodified programs to faster algorithms, by a
    decision table. A library that is preloaded, and a command."""

    manual_download = True
    url = "file://{0}/shunt-0.3.0.tar.gz".format(os.getcwd())

    license("BSD-3-Clause")

    version("0.3.0")

    variant("preload", default=False,
            description="Loading the package preloads it for all programs")

    depends_on("c", type="build")
    depends_on("gmake", type="build")
    depends_on("mpi")
    depends_on("libconfig@1.5:")
    depends_on("json-c@0.14:")

    # For the programs that measure. The library serves all of these, whichever it is built with.
    requires("^[virtuals=mpi] mpich", "^[virtuals=mpi] mvapich", "^[virtuals=mpi] mvapich2",
             "^[virtuals=mpi] cray-mpich", "^[virtuals=mpi] intel-oneapi-mpi",
             "^[virtuals=mpi] openmpi@4.1:",
             policy="any_of", msg="Shunt knows the ABI of MPICH and that of Open MPI")

    def configure_args(self):
        return [
            "MPICC={0}".format(self.spec["mpi"].mpicc),
            "--with-libconfig={0}".format(self.spec["libconfig"].prefix),
        ]

    def setup_run_environment(self, env):
        library = join_path(self.prefix.lib, "libshunt.so")
        # Not SHUNT_LIB: the library reports SHUNT_ variables that it does not know.
        env.set("LIBSHUNT", library)
        if self.spec.satisfies("+preload"):
            env.prepend_path("LD_PRELOAD", library)
