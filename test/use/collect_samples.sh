#!/usr/bin/env bash
# Measures schedules of random pipelines on the CPU, through PoCL, and shows what there is then.
# usage: collect_samples.sh BIN FOLDER
set -euo pipefail
bin=$1 folder=$2

HL_OCL_DEVICE_TYPE=cpu "$bin/collect" --device opencl --pipelines random:2 --samples 4 --seed 1 \
    --out "$folder"
"$bin/samples_info" "$folder/opencl.samples"
