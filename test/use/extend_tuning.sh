#!/usr/bin/env bash
# Tunes with a strategy of one's own; runs go through a command of one's own.
# usage: extend_tuning.sh AUTOTUNE LIBRARY APP FOLDER
set -euo pipefail
autotune=$1 library=$2 app=$3 folder=$4

export MY_RUNS=${MY_RUNS:-env}  # or "ssh gpu1", where files are shared with that machine
"$autotune" --app "$app" --device opencl --size tiny --budget 8t --final-rounds 3 \
    --library "$library" --strategy random_walk --executor by_command \
    --records "$folder/my.records" --export "$folder/tuned"
