#!/usr/bin/env bash
# Schedules a generator for OpenCL, Vulkan and Metal, on any machine: no driver of theirs is asked.
# usage: other_apis.sh GENERATOR NAME PLUGIN FOLDER
set -euo pipefail
generator=$1 name=$2 plugin=$3 folder=$4

# What the kernels compute with, the target must name: cl_half, cl_doubles; vk_int8 and so on.
declare -A targets=(
    [opencl]=x86-64-linux-opencl-cl_doubles
    [vulkan]=x86-64-linux-vulkan-vk_int8-vk_int16-vk_int64
    [metal]=arm-64-osx-metal
)
# Vulkan promises 16 KiB of shared memory and little else; the devices meant here have more.
cat >"$folder/desktop.json" <<'JSON'
{"base": "vulkan-generic", "name": "desktop", "max_threads_per_block": 1024,
 "max_threads_x": 1024, "max_threads_y": 1024, "shared_bytes_per_block": 32768}
JSON

for api in "${!targets[@]}"; do
    mkdir -p "$folder/$api"
    gpu=auto
    if [[ $api == vulkan ]]; then gpu="$folder/desktop.json"; fi
    "$generator" -g "$name" -o "$folder/$api" -e static_library,c_header,schedule \
        -p "$plugin" "target=${targets[$api]}" autoscheduler=GPU "autoscheduler.gpu=$gpu"
done
