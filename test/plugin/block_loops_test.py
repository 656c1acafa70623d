"""A reduction along several loops gives the same at any size, be all of them outside the threads of
its block or only the outermost.

usage: block_loops_test.py libautoschedule_gpu.so [unittest arguments]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
x, y, i, j = (hl.Var(name) for name in "xyij")
REACH = 3  # of shifts and patches together, to each side
KINDS = ("plain", "every_other")


def shifted_patches(kind):
    """For shifts (i, j) in -2..2 x -1..1, rows of three squared differences; of every
    other shift if `kind` says so, which is a condition on both loops."""
    source = hl.ImageParam(hl.Int(32), 2, "source")
    apart, patch, total, out = (hl.Func(name) for name in ("apart", "patch", "total", "out"))
    tap, shift = hl.RDom([(-1, 3)], "tap"), hl.RDom([(-2, 5), (-1, 3)], "shift")
    if kind == "every_other":
        shift.where((shift.x + shift.y) % 2 == 0)
    apart[x, y, i, j] = (source[x, y] - source[x + i, y + j]) * (source[x, y] + 1)
    patch[x, y, i, j] = hl.i32(0)
    patch[x, y, i, j] += apart[x + tap, y, i, j]
    total[x, y] = hl.i32(0)
    total[x, y] = total[x, y] * 3 + patch[x, y, shift.x, shift.y]
    out[x, y] = total[x, y] + 1
    source.set_estimates([hl.Range(-REACH, 1024 + 2 * REACH), hl.Range(-REACH, 768 + 2 * REACH)])
    out.set_estimates([hl.Range(0, 1024), hl.Range(0, 768)])
    return source, out


def expected(kind, a):
    """The order of shifts makes a difference, and integers wrap."""
    height, width = (extent - 2 * REACH for extent in a.shape)

    def at(dx, dy):
        return a[REACH + dy : REACH + dy + height, REACH + dx : REACH + dx + width]

    total = np.zeros((height, width), np.int32)
    with np.errstate(over="ignore"):
        for t in range(-1, 2):
            for s in range(-2, 3):
                if kind == "every_other" and (s + t) % 2 != 0:
                    continue
                total = total * np.int32(3)
                for tap in range(-1, 2):
                    total += (at(tap, 0) - at(tap + s, t)) * (at(tap, 0) + 1)
        return total + 1


SIZES = [(1, 1), (3, 2), (17, 16), (33, 9), (67, 33), (500, 31)]


def check(kind, decisions_out="", decisions=""):
    """Schedules, compares at all sizes, and returns the schedule."""
    hl.load_plugin(PLUGIN)
    source, out = shifted_patches(kind)
    pipeline = hl.Pipeline(out)
    parameters = {"disable_decisions": "rfactor"}
    for name, path in {"decisions_out": decisions_out, "decisions": decisions}.items():
        if path:
            parameters[name] = path
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    draw = np.random.default_rng(1)
    for width, height in SIZES:
        shape = (height + 2 * REACH, width + 2 * REACH)
        data = draw.integers(-1000, 1000, shape, dtype=np.int32)
        buffer = hl.Buffer(data)
        buffer.set_min([-REACH, -REACH])
        source.set(buffer)
        found = np.asarray(pipeline.realize([width, height], OPENCL))
        np.testing.assert_array_equal(found, expected(kind, data), err_msg=str((width, height)))
    print(result.schedule_source)


def decide(decided, name, kind, value):
    """The name may be followed by the Func's index in the list."""
    func, dot, loop = name.partition(".")
    for decision in decided["decisions"]:
        other, _, other_loop = decision["name"].partition(".")
        if (other.split("#")[0], other_loop, decision["kind"]) == (func, loop, kind):
            decision["value"] = value
            return
    decided["decisions"].append({"name": name, "kind": kind, "value": value, "choices": [value]})


class BlockLoops(unittest.TestCase):
    """In each process one pipeline: lists name Funcs, which a second would have otherwise."""

    def run_one(self, kind, *paths):
        run = [sys.executable, "-B", __file__, PLUGIN, "--one", kind, *map(str, paths)]
        return subprocess.run(run, check=True, stdout=subprocess.PIPE, text=True).stdout

    def check_places(self, kind, total, patch):
        """With the sum there, and what it reads inside its loop."""
        with tempfile.TemporaryDirectory() as folder:
            first, changed, again = (pathlib.Path(folder) / file for file in ("a", "b", "c"))
            self.run_one(kind, first, "")
            decided = json.loads(first.read_text())
            for name, of, value in (
                    ("total", "place", total), ("patch", "place", patch),
                    ("apart", "place", "inline"), ("patch.i", "serial", 5),
                    ("out.x", "threads", 32), ("out.y", "threads", 4), ("out.y", "serial", 1)):
                decide(decided, name, of, value)
            changed.write_text(json.dumps(decided))
            schedule = self.run_one(kind, again, changed)
            found = {decision["name"]: decision["value"]
                     for decision in json.loads(again.read_text())["decisions"]
                     if decision["kind"] == "place"}
            self.assertIn(total, found.values())
            return schedule

    def test_all_loops_are_outside(self):
        for kind in KINDS:
            with self.subTest(kind):
                self.assertRegex(self.check_places(kind, "block_loop", "loop"),
                                 r"patch\s+\.compute_at\(total, total_shift_x\)")

    def test_the_outermost_loop_is_outside(self):
        for kind in KINDS:
            for patch in ("loop", "threads"):
                with self.subTest(f"{kind} {patch}"):
                    schedule = self.check_places(kind, "block_outer_loop", patch)
                    inside = r"\.reorder\((\w+, )*shift_x, (\w+, )+(total_)?shift_y\)"
                    self.assertRegex(schedule, inside)
                    if patch == "loop":
                        self.assertRegex(schedule, r"patch\s+\.compute_at\(total, total_shift_y\)")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        check(*sys.argv[2:])
    else:
        unittest.main()
