#!/usr/bin/env bash
# Compares strategies of the tuner by what was measured before, without a device.
# usage: compare_tuners.sh BIN RECORDED FOLDER
set -euo pipefail
bin=$1 recorded=$2 folder=$3

# With --device opencl or cuda, the same command measures; it goes on where it was ended.
"$bin/compare_tuners" --strategies random,genetic --apps unsharp,mat_mul --size tiny \
    --budget 12 --batch 6 --seeds 1,2 --final-rounds 3 --device "replay:$recorded" --out "$folder/compared"
