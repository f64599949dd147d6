EXTRA_DIST += scripts/bench-overhead scripts/common.sh scripts/quickstart scripts/test scripts/testbed scripts/debian-graph .clang-format .clang-tidy
