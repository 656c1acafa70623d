#!/usr/bin/env bash
# Of a build of the plugin alone there is no wheel, rather than one without tools.
# usage: plugin_alone_test.sh CMAKE REPOSITORY WORK
set -euo pipefail
cmake=$1 repository=$2 work=$3

rm -rf "$work"
mkdir -p "$work/build"
touch "$work/build/cmake_install.cmake"
configure() {
    echo "AUTOSCHEDULE_GPU_BUILD_TOOLS:BOOL=$1" >"$work/build/CMakeCache.txt"
    "$cmake" --fresh -S "$repository/src/python" -B "$work/wheel" \
        "-DAUTOSCHEDULE_GPU_BUILD=$work/build" >"$work/said.txt" 2>&1
}
configure ON || { cat "$work/said.txt" && exit 1; }
if configure OFF; then
    echo "a wheel would be made of the plugin alone"
    exit 1
fi
tr -s '[:space:]' ' ' <"$work/said.txt" | grep "is a build of the plugin alone"
