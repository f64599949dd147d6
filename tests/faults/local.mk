# SPDX-License-Identifier: BSD-3-Clause
# Faults that the tests have to notice (scripts/faults); the test looks only whether each can still
# be put in.
TESTS += tests/faults/applies.sh
EXTRA_DIST += tests/faults/applies.sh tests/faults/list tests/faults/results.txt
