#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Makes configure from configure.ac; needed once after a clone.
set -e
cd "$(dirname "$0")"
for tool in autoreconf aclocal; do
    command -v "$tool" >/dev/null || {
        echo "autogen.sh: $tool was not found: install autoconf and automake" >&2
        exit 1
    }
done
mkdir -p build-aux
exec autoreconf --install --force "$@"
