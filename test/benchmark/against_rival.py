#!/usr/bin/env python3
"""Times whole runs of generators, this plugin's and Anderson2021's in turn.

    test/benchmark/against_rival.py --build build [--apps A,B] [--repeats N] [--timeout S]
                                    [--parallelism SMS] [--json FILE]

Each run is `APP.generator -e schedule` at the size that is the generator's default, with
parallelism = the device's number of SMs: reading, search and, in this plugin, the trial lowering.
The order within a round is: this plugin, Anderson2021, Anderson2021 with
freeze_inline_compute_root=1. Prints a line per application with medians, and the geometric means of
the ratios over the applications that both finished. Needs the Halide wheel that the build uses.
"""
import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

VARIANTS = {
    "gpu": ["autoscheduler=GPU", "autoscheduler.gpu=A100"],
    "anderson2021": ["autoscheduler=Anderson2021"],
    "anderson2021_freeze": ["autoscheduler=Anderson2021",
                            "autoscheduler.freeze_inline_compute_root=1"],
}
TARGET = "target=host-cuda-cuda_capability_80"


def cached(build, name):
    for line in (build / "CMakeCache.txt").read_text().splitlines():
        if line.startswith(name + ":"):
            return line.split("=", 1)[1]
    sys.exit(f"{build}/CMakeCache.txt has no {name}")


def plugins(build):
    lib = pathlib.Path(cached(build, "Halide_DIR")).parent.parent
    rival = lib / "libautoschedule_anderson2021.so"
    if not rival.exists():
        sys.exit(f"no {rival}")
    return {"gpu": build / "lib" / "libautoschedule_gpu.so", "anderson2021": rival,
            "anderson2021_freeze": rival}


def run(generator, app, plugin, parameters, timeout):
    """Wall seconds and peak MiB of one run; None if it fails or takes too long."""
    with tempfile.TemporaryDirectory() as out:
        command = [str(generator), "-g", app, "-n", "timed", "-o", out, "-e", "schedule",
                   "-p", str(plugin), TARGET, *parameters]
        begin = time.monotonic()
        child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while True:
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            seconds = time.monotonic() - begin
            if pid != 0:
                break
            if seconds > timeout:
                child.kill()
                os.wait4(child.pid, 0)
                return None
            time.sleep(0.002)
        return (seconds, usage.ru_maxrss / 1024) if status == 0 else None


def median(runs, figure):
    return statistics.median(r[figure] for r in runs) if runs and None not in runs else None


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def shown(value, digits=2):
    return "-" if value is None else f"{value:.{digits}f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--apps", default="all")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=300)
    parser.add_argument("--parallelism", type=int, default=108)
    parser.add_argument("--json", type=pathlib.Path)
    options = parser.parse_args()
    generators = {path.name.removesuffix(".generator"): path
                  for path in sorted((options.build / "bin").glob("*.generator"))}
    apps = list(generators) if options.apps == "all" else options.apps.split(",")
    unknown = [app for app in apps if app not in generators]
    if unknown:
        sys.exit(f"no generator of {', '.join(unknown)} in {options.build}/bin")
    libraries = plugins(options.build)
    parallelism = f"autoscheduler.parallelism={options.parallelism}"
    rows, names = [], list(VARIANTS)
    print(f"{'application':28}" + "".join(f"{n + ', s':>24}" for n in names) +
          f"{'ratio':>9}{'frozen':>9}{'MiB':>7}")
    for app in apps:
        runs = {name: [] for name in names}
        for _ in range(options.repeats):
            for name in names:
                if None in runs[name]:
                    continue  # failed before
                runs[name].append(run(generators[app], app, libraries[name],
                                      VARIANTS[name] + [parallelism], options.timeout))
        seconds = {name: median(runs[name], 0) for name in names}
        ours = seconds["gpu"]
        ratios = {name: seconds[name] / ours if seconds[name] and ours else None
                  for name in names[1:]}
        row = {"app": app, "seconds": seconds, "ratios": ratios,
               "peak_mb": {name: median(runs[name], 1) for name in names}}
        rows.append(row)
        print(f"{app:28}" + "".join(f"{shown(seconds[n]):>24}" for n in names) +
              "".join(f"{shown(ratios[n], 1):>9}" for n in names[1:]) +
              f"{shown(row['peak_mb']['gpu'], 0):>7}", flush=True)
    for name in names[1:]:
        both = [row["ratios"][name] for row in rows if row["ratios"][name] is not None]
        print(f"{name} / gpu: {shown(geometric_mean(both), 1)} in geometric mean over "
              f"{len(both)} applications")
    if options.json:
        beside = options.json.with_suffix(".part")
        beside.write_text(json.dumps(rows, indent=1) + "\n")
        beside.replace(options.json)


if __name__ == "__main__":
    main()
