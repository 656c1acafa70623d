#!/usr/bin/env bash
# Writes the features of the schedule that the autoscheduler chooses, and shows them by name.
# usage: featurization.sh GENERATOR NAME PLUGIN SAMPLES_INFO FOLDER
set -euo pipefail
generator=$1 name=$2 plugin=$3 samples_info=$4 folder=$5

"$generator" -g "$name" -o "$folder" -e featurization -p "$plugin" target=host-cuda \
    autoscheduler=GPU autoscheduler.gpu=H200 "autoscheduler.report=$folder/report.json"
"$samples_info" "$folder/$name.featurization"
"$samples_info" --json "$folder/$name.featurization" >"$folder/$name.features.json"
