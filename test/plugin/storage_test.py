"""Dimensions of Funcs between kernels lie in memory in any order, and give the same at any size.

usage: storage_test.py libautoschedule_gpu.so [unittest arguments]
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
CELL, BINS = 8, 16
SIZES = [(1, 1), (2, 3), (7, 5), (16, 9), (33, 17), (65, 2)]


def sums_of_cells():
    """Counts and sums of what is in the cells of an image, by bin; then three cells together."""
    x, y, z, c = (hl.Var(name) for name in "xyzc")
    source = hl.ImageParam(hl.Int(32), 2, "source")
    source.set_estimates([hl.Range(0, 256 * CELL), hl.Range(0, 128)])
    edge = hl.BoundaryConditions.repeat_edge(source)
    r = hl.RDom([(0, CELL)], "r")
    value = edge[x * CELL + r.x, y]
    grid, out = hl.Func("grid"), hl.Func("out")
    grid[x, y, z, c] = 0
    grid[x, y, hl.clamp(value % BINS, 0, BINS - 1), c] += hl.mux(c, [value, hl.i32(1)])
    out[x, y, z, c] = grid[x, y, z, c] + grid[x + 1, y, z, c] * 2 + grid[x, y + 1, z, c] * 3
    out.set_estimates([hl.Range(0, 255), hl.Range(0, 127), hl.Range(0, BINS), hl.Range(0, 2)])
    return source, out


def expected(a):
    height, cells = a.shape[0], a.shape[1] // CELL
    grid = np.zeros((2, BINS, height, cells), np.int32)
    for row in range(height):
        for column in range(cells * CELL):
            value = a[row, column]
            grid[:, value % BINS, row, column // CELL] += (value, 1)
    return grid[..., :-1, :-1] + grid[..., :-1, 1:] * 2 + grid[..., 1:, :-1] * 3


def check(decisions_out="", decisions="", **parameters):
    """Schedules, compares at all sizes, and returns the schedule."""
    hl.load_plugin(PLUGIN)
    source, out = sums_of_cells()
    pipeline = hl.Pipeline(out)
    for name, path in {"decisions_out": decisions_out, "decisions": decisions}.items():
        if path:
            parameters[name] = path
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    for width, height in SIZES:
        shape = (height + 1, (width + 1) * CELL)
        data = np.random.default_rng(1).integers(0, 1000, shape, dtype=np.int32)
        source.set(hl.Buffer(data))
        found = np.asarray(pipeline.realize([width, height, BINS, 2], OPENCL))
        np.testing.assert_array_equal(found, expected(data), err_msg=f"{width} x {height}")
    return result.schedule_source


class Storage(unittest.TestCase):
    def test_first_dimension_if_that_is_wanted(self):
        self.assertNotIn("reorder_storage", check(disable_decisions="storage"))

    def test_any_dimension_gives_the_same(self):
        """In each process one pipeline: lists name Funcs, which a second would have otherwise."""
        with tempfile.TemporaryDirectory() as folder:
            run = [sys.executable, "-B", __file__, PLUGIN, "--one"]
            path = pathlib.Path(folder) / "decisions"
            subprocess.run(run + [path, ""], check=True, stdout=subprocess.DEVNULL)
            decided = json.loads(path.read_text())
            [storage] = [one for one in decided["decisions"]
                         if one["kind"] == "storage" and one["name"] == "grid"]
            self.assertEqual(storage["choices"], ["x", "y", "z", "c"])
            for choice in storage["choices"]:
                storage["value"] = choice
                changed, again = path.with_suffix(f".{choice}"), path.with_suffix(f".{choice}.again")
                changed.write_text(json.dumps(decided))
                text = subprocess.run(run + [again, changed], check=True, capture_output=True,
                                      text=True).stdout
                self.assertEqual("reorder_storage" in text, choice != "x")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(check(*sys.argv[2:], disable_decisions="rfactor"))
    else:
        unittest.main()
