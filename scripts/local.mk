# SPDX-License-Identifier: BSD-3-Clause
EXTRA_DIST += scripts/bench-instructions scripts/bench-overhead scripts/common.sh scripts/floors scripts/one-group scripts/paired scripts/programs scripts/quickstart scripts/results scripts/test scripts/testbed scripts/whole scripts/debian-graph .clang-format .clang-tidy
