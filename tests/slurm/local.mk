# SPDX-License-Identifier: BSD-3-Clause
# Jobs of a real Slurm; with SHUNT_TEST_SLURM=1 or SHUNT_TEST_FULL=1 only.
TESTS += tests/slurm/slurm.sh
EXTRA_DIST += tests/slurm/slurm.sh tests/slurm/jobs.sh
