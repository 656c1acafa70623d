#!/usr/bin/env bash
# A generator, compiled and run by hand with the plugin; its output is linked into a program that
# checks itself. The variables come from test/use/CMakeLists.txt.
set -euxo pipefail
rm -rf "$WORK"
mkdir -p "$WORK"
cd "$WORK"

"$CXX" -std=c++17 "$EXAMPLE/brighten_generator.cpp" -I"$HALIDE/include" -L"$HALIDE/lib64" \
    -Wl,--whole-archive -lHalide_GenGen -Wl,--no-whole-archive -lHalide -ldl \
    -Wl,-rpath,"$HALIDE/lib64" -o brighten.generator

./brighten.generator -g brighten -o . -e static_library,c_header,schedule \
    -p "$PLUGIN" target=host-opencl autoscheduler=GPU
"$CXX" -std=c++17 "$EXAMPLE/main.cpp" brighten.a -I. -I"$HALIDE/include" -ldl -lpthread -o main
./main
grep -q gpu_blocks brighten.schedule.h

# No CUDA device is needed to compile for one.
mkdir cuda
./brighten.generator -g brighten -o cuda -e static_library,schedule \
    -p "$PLUGIN" target=host-cuda autoscheduler=GPU
test -s cuda/brighten.a
