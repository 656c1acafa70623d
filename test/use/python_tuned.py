"""Tunes a generator in Python on a device, and schedules by what it found.

usage: python_tuned.py FOLDER [DEVICE [BUDGET]]
"""

import pathlib
import sys

import autoschedule_gpu

folder = pathlib.Path(sys.argv[1])
device = sys.argv[2] if len(sys.argv) > 2 else "opencl"
budget = sys.argv[3] if len(sys.argv) > 3 else "5m"

# An earlier tuning with the same records goes on.
generator = pathlib.Path(__file__).with_name("python_generator.py")
tuned = autoschedule_gpu.tune(generator, name="soften", device=device, budget=budget,
                              records=folder / "my.records", export=folder / "tuned")
times = {of: tuned.result[of]["median_ms"] for of in ("default", "best")}
print(f"{times['default']:.3f} ms without tuning, {times['best']:.3f} ms with it")
print(f"the schedule, for C++: {tuned.header_path}")
print(f"the same for autoscheduler.trace: {tuned.trace_path}")
print(f"what was tried, as a page: {tuned.page_path}")
