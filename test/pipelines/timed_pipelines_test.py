"""random_pipeline.generator: its pipelines compute the same on OpenCL as on the CPU.

usage: timed_pipelines_test.py GENERATOR RUNNER PLUGIN WORK FROM TO

Seeds FROM up to, not including, TO, with the parameter work=WORK. Each pipeline is compiled with
the generator's own schedule for the CPU, and with the plugin's plain one for OpenCL; the runner
compares what both compute on inputs of its own.
"""

import pathlib
import subprocess
import sys
import tempfile

TIMEOUT_S = 120  # of one step


class Failed(Exception):
    pass


def call(*command):
    result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_S)
    if result.returncode != 0:
        words = " ".join(map(str, command))
        raise Failed(f"{words}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")


def library(generator, folder, name, *params):
    call(generator, "-g", "random_pipeline", "-n", name, "-f", "pipeline", "-o", folder,
         "-e", "object", *params)
    call("cc", "-shared", "-o", folder / f"{name}.so", folder / f"{name}.o",
         "-lpthread", "-ldl", "-lm")
    return folder / f"{name}.so"


def check(generator, runner, plugin, seed, folder):
    reference = library(generator, folder, "reference", "target=host", *seed)
    call(runner, "reference", "--library", reference, "--name", "pipeline",
         "--out", folder / "expected")
    plain = library(generator, folder, "plain", "-p", plugin, "target=host-opencl",
                    "autoscheduler=GPU", "autoscheduler.strategy=plain", *seed)
    call(runner, "run", "--library", plain, "--name", "pipeline", "--device", "opencl",
         "--expected", folder / "expected", "--samples", "0", "--warmup", "0")


def main(arguments):
    generator, runner, plugin, work, first, last = arguments[1:]
    wrong = 0
    for seed in range(int(first), int(last)):
        with tempfile.TemporaryDirectory() as folder:
            try:
                check(generator, runner, plugin, [f"seed={seed}", f"work={work}"],
                      pathlib.Path(folder))
            except (Failed, subprocess.TimeoutExpired) as problem:
                wrong += 1
                print(f"seed {seed}: {problem}")
    print(f"{wrong} of {int(last) - int(first)} pipelines failed")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
