#!/usr/bin/env bash
# other_apis.sh as a user calls it, in the folder that test/use/CMakeLists.txt names.
# usage: other_apis_test.sh OTHER_APIS GENERATOR NAME PLUGIN
set -euxo pipefail
rm -rf "$WORK"
mkdir -p "$WORK"
bash "$1" "$2" "$3" "$4" "$WORK"
for api in opencl vulkan metal; do
    test -s "$WORK/$api/$3.a"
    grep -q gpu_blocks "$WORK/$api/$3.schedule.h"
done
