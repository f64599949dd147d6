EXTRA_DIST += scripts/bench-instructions scripts/bench-overhead scripts/common.sh scripts/quickstart scripts/results scripts/test scripts/testbed scripts/debian-graph .clang-format .clang-tidy
