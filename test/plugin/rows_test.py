"""Blocks have whole rows where something found of a row is used along it, at any size.

usage: rows_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import sys
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
SIZES = [(1, 1), (1, 5), (31, 2), (33, 7), (1000, 3), (2049, 4)]
x, y = hl.Var("x"), hl.Var("y")


def rows_less_their_greatest():
    source = hl.ImageParam(hl.Float(32), 2, "source")
    r = hl.RDom([(0, source.dim(0).extent())], "r")
    greatest, out = hl.Func("greatest"), hl.Func("out")
    greatest[y] = source.type().min()
    greatest[y] = hl.max(greatest[y], source[r.x, y])
    out[x, y] = source[x, y] - greatest[y]
    for func in (source, out):
        func.set_estimates([hl.Range(0, 2048), hl.Range(0, 2048)])
    return source, out


def schedule_and_check(**parameters):
    """Compares at all sizes, and returns the schedule."""
    hl.load_plugin(PLUGIN)
    source, out = rows_less_their_greatest()
    pipeline = hl.Pipeline(out)
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    for size in SIZES:
        data = np.random.default_rng(1).random(size[::-1], dtype=np.float32)
        source.set(hl.Buffer(data))
        found = np.asarray(pipeline.realize(list(size), OPENCL))
        np.testing.assert_array_equal(found, data - data.max(axis=1, keepdims=True), str(size))
    return result.schedule_source


class Rows(unittest.TestCase):
    def test_are_whole_in_one_kernel(self):
        schedule = schedule_and_check()
        self.assertEqual(schedule.count(".compute_root()"), 1)
        self.assertRegex(schedule, r"split\(x, x_s, x_t, \d+, TailStrategy::GuardWithIf\)")

    def test_are_in_tiles_if_that_is_wanted(self):
        schedule = schedule_and_check(disable_decisions="rows")
        self.assertNotRegex(schedule, r"split\(x, x_s, x_t")


if __name__ == "__main__":
    unittest.main()
