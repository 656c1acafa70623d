"""A plugin says so where another Halide is than it was built for.

usage: versions_test.py libautoschedule_gpu.so HALIDE_VERSION REPOSITORY

The other Halides are those of the virtual environments that tools/bootstrap has made in the
repository. Without any, only the plugin's own is tried.
"""

import pathlib
import subprocess
import sys

PLUGIN, BUILT_FOR, REPOSITORY = sys.argv[1:4]

SCHEDULES = """
import sys
import halide as hl
x, out = hl.Var("x"), hl.Func("out")
out[x] = x
out.set_estimates([hl.Range(0, 1024)])
hl.load_plugin(sys.argv[1])
hl.Pipeline(out).apply_autoscheduler(hl.Target("host-opencl"), hl.AutoschedulerParams("GPU", {}))
"""


def run(python, *arguments):
    """Its exit status, and what it printed on both streams."""
    done = subprocess.run([python, "-c", *arguments], capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def check_message(code, text, found):
    assert code != 0
    last = text.strip().splitlines()[-1]
    assert f"built for Halide {BUILT_FOR}, and here is Halide {found}" in last, text
    assert "undefined symbol" not in text, text


def main():
    others = 0
    for python in sorted(pathlib.Path(REPOSITORY).glob(".venv*/bin/python")):
        code, found = run(python, "import importlib.metadata as m; print(m.version('halide'))")
        if code != 0:
            continue  # an environment without Halide
        code, text = run(python, SCHEDULES, PLUGIN)
        if found.strip() == BUILT_FOR:
            assert code == 0, text
        else:
            others += 1
            check_message(code, text, found.strip())
    print(f"{others} other versions of Halide: the plugin says of each that it is another")


main()
