#!/usr/bin/env bash
# Tunes the schedule of an application on the CPU, through PoCL, and uses what comes of it.
# usage: tune.sh BIN FOLDER
set -euo pipefail
bin=$1 folder=$2

# A batch of which the best five are measured, then one decision at a time. Add --budget 30m for a
# time, --size full for a GPU; the same command goes on where it was ended.
HL_OCL_DEVICE_TYPE=cpu "$bin/autotune" --app unsharp --size tiny --device opencl \
    --mode top5 --batch 10 --strategy coordinate_descent --budget 24t --seed 1 \
    --records "$folder/tuned.records" --export "$folder/tuned"

# What is known now, and the schedule once more, from its trace.
"$bin/records" best --records "$folder/tuned.records"
cd "$folder" && bash "tuned/unsharp.command.txt"
