#!/usr/bin/env bash
# Looks into a file of tuning records, exports it and makes it smaller.
# usage: records.sh BIN FILE FOLDER
set -euo pipefail
bin=$1 file=$2 folder=$3

"$bin/records" verify --records "$file"
"$bin/records" list --records "$file"
"$bin/records" best --records "$file"

# The fastest schedule of one pipeline, and all measurements of a device: to replay, to train from.
device="NVIDIA H200"
"$bin/records" best --records "$file" --pipeline app:harris --device "$device" \
    --trace "$folder/harris.trace.json"
"$bin/records" export --records "$file" --device "$device" \
    --out "$folder/measurements.jsonl" --samples "$folder/tuned.samples"

# One file of several, without what is slow or failed.
"$bin/records" merge "$file" --records "$folder/all.records"
"$bin/records" prune --records "$folder/all.records" --keep 1 --failed --dry-run
"$bin/records" prune --records "$folder/all.records" --keep 1 --failed
