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
    """Counts and sums of what is in the cells of an image, by bin; then three cells together.

    As all cases: what it reads, what it computes; for a size, the shapes of these, and what NumPy
    says.
    """
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
    return ([source], out, lambda width, height: [(height + 1, (width + 1) * CELL)],
            lambda width, height: [width, height, BINS, 2], sums_by_numpy)


def sums_by_numpy(a):
    height, cells = a.shape[0], a.shape[1] // CELL
    grid = np.zeros((2, BINS, height, cells), np.int32)
    for row in range(height):
        for column in range(cells * CELL):
            value = a[row, column]
            grid[:, value % BINS, row, column // CELL] += (value, 1)
    return grid[..., :-1, :-1] + grid[..., :-1, 1:] * 2 + grid[..., 1:, :-1] * 3


def products_of_rows():
    """Each row of one matrix with each of another, whose values are made of bytes: for every lane
    along either, what it loads is a whole row from what its neighbour loads."""
    x, y = hl.Var("x"), hl.Var("y")
    a, b = hl.ImageParam(hl.Int(32), 2, "a"), hl.ImageParam(hl.UInt(8), 2, "b")
    value, product, out = hl.Func("value"), hl.Func("product"), hl.Func("out")
    value[x, y] = hl.i32(b[x, y]) - 128
    k = hl.RDom([(0, a.dim(0).extent())], "k")
    product[x, y] += a[k, y] * value[k, x]
    out[x, y] = product[x, y] + 1
    for buffer in (a, b):
        buffer.set_estimates([hl.Range(0, 1024), hl.Range(0, 1024)])
    out.set_estimates([hl.Range(0, 1024), hl.Range(0, 1024)])
    return ([a, b], out, lambda width, height: [(height, 37 + width), (width, 37 + width)],
            lambda width, height: [width, height],
            lambda a, b: a @ (b.astype(np.int32) - 128).T + 1)


def check(make, decisions_out="", decisions="", **parameters):
    """Schedules, compares at all sizes, and returns the schedule."""
    hl.load_plugin(PLUGIN)
    sources, out, shapes, extents, by_numpy = make()
    pipeline = hl.Pipeline(out)
    for name, path in {"decisions_out": decisions_out, "decisions": decisions}.items():
        if path:
            parameters[name] = path
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    for width, height in SIZES:
        data = []
        for source, shape in zip(sources, shapes(width, height)):
            of_type = np.uint8 if source.type() == hl.UInt(8) else np.int32
            data.append(np.random.default_rng(1).integers(0, 250, shape, dtype=of_type))
            source.set(hl.Buffer(data[-1]))
        found = np.asarray(pipeline.realize(extents(width, height), OPENCL))
        np.testing.assert_array_equal(found, by_numpy(*data), err_msg=f"{width} x {height}")
    return result.schedule_source


class Storage(unittest.TestCase):
    def test_first_dimension_if_that_is_wanted(self):
        self.assertNotIn("reorder_storage", check(sums_of_cells, disable_decisions="storage"))

    def test_any_dimension_gives_the_same(self):
        """In each process one pipeline: lists name Funcs, which a second would have otherwise."""
        with tempfile.TemporaryDirectory() as folder:
            run = [sys.executable, "-B", __file__, PLUGIN, "--one", "sums_of_cells"]
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

    def test_what_is_inline_has_a_copy_in_another_order(self):
        with tempfile.TemporaryDirectory() as folder:
            run = [sys.executable, "-B", __file__, PLUGIN, "--one", "products_of_rows"]
            path = pathlib.Path(folder) / "decisions"
            text = subprocess.run(run + [path, ""], check=True, capture_output=True, text=True).stdout
            self.assertRegex(text, r"b_im\n *\.compute_root\(\)\n *\.reorder_storage\(v_1, v_0\)")
            decided = json.loads(path.read_text())
            values = {(one["name"], one["kind"]): one["value"] for one in decided["decisions"]}
            self.assertEqual(values["b_im", "storage"], "_1")
            self.assertEqual(values["b_im", "place"], "root")
            again = subprocess.run(run + [path.with_suffix(".again"), path], check=True,
                                   capture_output=True, text=True).stdout
            self.assertEqual(again, text)

    def test_what_is_inline_stays_inline_if_that_is_wanted(self):
        self.assertNotIn("reorder_storage", check(products_of_rows, disable_decisions="storage"))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(check(globals()[sys.argv[2]], *sys.argv[3:], disable_decisions="rfactor"))
    else:
        unittest.main()
