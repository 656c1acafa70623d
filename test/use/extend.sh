#!/usr/bin/env bash
# Builds a library of one's own against the installed package, and schedules with what it adds.
# usage: extend.sh PREFIX PROJECT GENERATOR NAME FOLDER
set -euo pipefail
prefix=$1 project=$2 generator=$3 name=$4 folder=$5

cmake -S "$project" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix"
cmake --build "$folder/build"
"$generator" -g "$name" -o "$folder" -e schedule \
    -p "$prefix/lib/libautoschedule_gpu.so,$folder/build/libmy_rules.so" \
    target=host-cuda autoscheduler=GPU autoscheduler.model=bytes_moved \
    "autoscheduler.report=$folder/report.json"
