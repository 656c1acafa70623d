"""Schedules a pipeline for a GPU from Python and checks what it computes.

usage: python_example.py [target]
"""

import sys

import autoschedule_gpu
import halide as hl
import numpy as np

target = hl.Target(sys.argv[1] if len(sys.argv) > 1 else "host-opencl")

# A 3x3 blur, without a schedule.
image = hl.ImageParam(hl.UInt(8), 2, "image")
x, y = hl.Var("x"), hl.Var("y")
edged = hl.BoundaryConditions.repeat_edge(image)
rows, blurred = hl.Func("rows"), hl.Func("blurred")
rows[x, y] = hl.u16(edged[x - 1, y]) + hl.u16(edged[x, y]) + hl.u16(edged[x + 1, y])
blurred[x, y] = hl.u8((rows[x, y - 1] + rows[x, y] + rows[x, y + 1]) / hl.u16(9))

# The scheduler optimises for these sizes.
width, height = 1536, 1024
image.set_estimates([hl.Range(0, width), hl.Range(0, height)])
blurred.set_estimates([hl.Range(0, width), hl.Range(0, height)])

pipeline = hl.Pipeline(blurred)
made = autoschedule_gpu.schedule(pipeline, target, seed=1, time_limit_s=30)
print(made.python)  # the same in C++: made.cpp
print(f"{made.report['predicted_us']:.1f} us predicted on {made.report['gpu']}")

pixels = np.random.default_rng(seed=1).integers(0, 256, size=(height, width), dtype=np.uint8)
image.set(hl.Buffer(pixels))
pipeline.compile_jit(target)
output = np.asarray(pipeline.realize([width, height], target))

padded = np.pad(pixels, 1, mode="edge").astype(np.uint16)
expected = sum(padded[dy : dy + height, dx : dx + width] for dy in range(3) for dx in range(3)) // 9
wrong = int(np.count_nonzero(output != expected))
print(f"{wrong} of {output.size} pixels are wrong")
sys.exit(1 if wrong else 0)
