#!/usr/bin/env bash
# Schedules a generator for several sizes at once, and says what the schedule is worth at each.
# usage: several_sizes.sh GENERATOR NAME PLUGIN SIZES_JSON EXPLAIN_SCHEDULE FOLDER
set -euo pipefail
generator=$1 name=$2 plugin=$3 sizes=$4 explain=$5 folder=$6

mkdir -p "$folder"
"$generator" -g "$name" -o "$folder" -e static_library,c_header,schedule -p "$plugin" \
    target=x86-64-linux-cuda-cuda_capability_80 autoscheduler=GPU \
    autoscheduler.gpu=A100 "autoscheduler.sizes=$sizes" "autoscheduler.report=$folder/report.json"
"$explain" "$folder/report.json"
