"""Schedules and compiles an application for a GPU API and checks the kernels against its limits.

usage: compile_for_api.py GENERATOR APP API PLUGIN LIST_APIS FOLDER [PARAMETER=VALUE...]

For both strategies: the generator succeeds, the schedule is one that the search found (not what is
fallen back to where Halide refuses it), it has kernels, and none of them has larger blocks or more
shared memory than LIST_APIS says that any device of the API holds.
"""

import json
import math
import pathlib
import subprocess
import sys

TARGETS = {
    "opencl": "x86-64-linux-opencl",
    "metal": "arm-64-osx-metal",
    "vulkan": "x86-64-linux-vulkan-vk_int8-vk_int16-vk_int64-vk_float16-vk_float64",
    "d3d12compute": "x86-64-windows-d3d12compute",
    "webgpu": "x86-64-linux-webgpu",
}
COLUMNS = ["cuda", "opencl", "metal", "vulkan", "d3d12compute", "webgpu"]
STRATEGIES = ["beam", "greedy_grouping"]


def limits_of(api, list_apis):
    """Rows of the table that are numbers, for one API: those of any device of it."""
    table = subprocess.run([list_apis], capture_output=True, text=True, check=True).stdout
    limits = {}
    for line in table.splitlines()[2:]:
        name, *cells = [cell.strip() for cell in line.strip("| ").split(" | ")]
        value = cells[COLUMNS.index(api)].split(" ")[0]
        if value.isdigit():
            limits[name] = int(value)
    return limits


def problems_of(report, limits):
    if report["chosen"] != "search":
        refused = "; ".join(trial["error"] for trial in report["trial_lowerings_refused"])
        yield f"what the search found was refused, the schedule is '{report['chosen']}': {refused}"
    if not report["kernels"]:
        yield "nothing runs on the GPU"
    for kernel in report["kernels"]:
        # None is a size that is known at run time only.
        threads = [extent or 1 for extent in kernel["threads"]]
        sizes = {
            "threads per block": math.prod(threads),
            "bytes of shared memory per block": kernel["shared_bytes"] or 0,
            **{f"threads in {axis}": n for axis, n in zip("xyz", threads)},
            **{f"blocks in {axis}": n or 1 for axis, n in zip("xyz", kernel["blocks"])},
        }
        for name, size in sizes.items():
            if size > limits[name]:
                yield f"kernel {kernel['name']}: {size} {name}, of {limits[name]} at most"


def main(generator, app, api, plugin, list_apis, folder, *parameters):
    limits = limits_of(api, list_apis)
    failed = False
    for strategy in STRATEGIES:
        out = pathlib.Path(folder) / strategy
        out.mkdir(parents=True, exist_ok=True)
        report = out / "report.json"
        report.unlink(missing_ok=True)
        run = subprocess.run(
            [generator, "-g", app, "-o", out, "-e", "object,schedule", "-p", plugin,
             f"target={TARGETS[api]}-no_runtime", "autoscheduler=GPU",
             f"autoscheduler.strategy={strategy}", f"autoscheduler.report={report}",
             *(f"autoscheduler.{parameter}" for parameter in parameters)],
            capture_output=True, text=True, check=False)
        if run.returncode != 0:
            problems = [f"exit status {run.returncode}: {run.stderr.strip()}"]
        else:
            problems = list(problems_of(json.loads(report.read_text()), limits))
        for problem in problems:
            print(f"{app} for {api} by {strategy}: {problem}", file=sys.stderr)
            failed = True
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
