#!/usr/bin/env bash
# Each public header compiles by itself, as C++17 and without a warning.
# usage: public_headers.sh CXX INCLUDE_FOLDER
set -euo pipefail
cxx=$1 include=$2

headers=("$include"/autoschedule_gpu/*.h)
test -f "${headers[0]}"
for header in "${headers[@]}"; do
    echo "$header"
    "$cxx" -std=c++17 -Wall -Wextra -Wpedantic -Werror -fsyntax-only -I"$include" -x c++ - \
        <<<"#include <autoschedule_gpu/$(basename "$header")>"
done
