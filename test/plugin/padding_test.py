"""Rows in shared memory that are an odd number of words apart: where the search pads them, and, all of
them padded, that nothing else is computed, at any size.

usage: padding_test.py libautoschedule_gpu.so [unittest arguments]
"""

import json
import pathlib
import sys
import tempfile
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl-cl_doubles")
SIZES = [(1, 1), (33, 5), (31, 32), (97, 130), (200, 67)]
x, y, i, s = (hl.Var(name) for name in "xyis")
STRIP = 32


def strips(source):
    """Sums along strips of rows, as of a summed-area table: in shared memory a thread has a row."""
    step = hl.RDom([(1, STRIP - 1)], "step")
    width = source.dim(0).extent()
    column = s * STRIP + i
    across, out = hl.Func("across"), hl.Func("out")
    across[i, y, s] = hl.select(column < width,
                                hl.i32(source[hl.clamp(column, 0, width - 1), y]), 0)
    across[step.x, y, s] += across[step.x - 1, y, s]
    out[x, y] = across[x % STRIP, y, x // STRIP]
    return out


def expected_strips(data):
    padded = np.pad(data.astype(np.int32), ((0, 0), (0, -data.shape[1] % STRIP)))
    sums = padded.reshape(data.shape[0], -1, STRIP).cumsum(axis=2, dtype=np.int32)
    return sums.reshape(data.shape[0], -1)[:, : data.shape[1]]


def mixed(value):
    """Work enough not to be done anew at every read; of Halide's and numpy's numbers."""
    for n in range(8):
        value = (value * 5 + n) % 97
    return value


def turned(source, types, reach):
    """A stencil of values of those types that are made of the source, turned over."""
    mid, out = hl.Func("mid"), hl.Func("out")
    value = mixed(hl.i32(source[hl.clamp(x, 0, source.dim(0).extent() - 1),
                                hl.clamp(y, 0, source.dim(1).extent() - 1)]))
    values = tuple(hl.cast(one, value + n) for n, one in enumerate(types))
    mid[x, y] = values if len(values) > 1 else values[0]

    def at(column):
        read = mid[column, x]
        if len(values) == 1:
            return hl.i32(hl.Expr(read))
        return sum((hl.i32(hl.Expr(read[n])) for n in range(len(values))), start=hl.Expr(0))

    out[x, y] = at(y - reach) + 3 * at(y) + 5 * at(y + reach)
    return out


def expected_turned(data, values, reach):
    """`data` as the source's [y, x]; the output has as many columns as the source has rows."""
    mid = sum(mixed(data.astype(np.int32)) + n for n in range(values))
    mid = np.pad(mid, ((0, 0), (reach, reach)), mode="edge")
    columns = data.shape[1]
    left, middle, right = (mid[:, d : d + columns] for d in (0, reach, 2 * reach))
    return (left + 3 * middle + 5 * right).T


def decided(pipeline, **parameters):
    """The schedule's source and the decisions."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "decisions.json")
        result = pipeline.apply_autoscheduler(
            OPENCL, hl.AutoschedulerParams("GPU", {"decisions_out": str(path), **parameters}))
        return result.schedule_source, json.loads(path.read_text())


def in_padded_rows(decisions):
    """The list by which `mid` is computed in blocks of 32 x 32 points, its rows padded."""
    places = [one["name"] for one in decisions["decisions"]
              if one["kind"] == "place" and ".in(" not in one["name"]]
    out, mid = (next(name for name in places if name.split("#")[0] == func)
                for func in ("out", "mid"))
    values = [(out, "place", "root"), (out + ".x", "serial", 1), (out + ".x", "threads", 32),
              (out + ".y", "serial", 4), (out + ".y", "threads", 8), (mid, "place", "block"),
              (mid + ".x", "serial", 1), (mid + ".y", "serial", 4), (mid, "padding", "on")]
    others = [one for one in decisions["decisions"]
              if one["kind"] == "place" and one["name"].startswith("source_im")]
    decisions["decisions"] = others + [
        {"name": name, "kind": kind, "value": value, "choices": []} for name, kind, value in values]
    return decisions


class Padding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        hl.load_plugin(PLUGIN)
        # The first Func of a name is called otherwise than those that come later.
        turned(hl.ImageParam(hl.UInt(8), 2, "source"), (hl.UInt(8),), 1)

    def make(self, build, dtype):
        source = hl.ImageParam(dtype, 2, "source")
        source.set_estimates([hl.Range(0, 1536), hl.Range(0, 1024)])
        out = build(source)
        out.set_estimates([hl.Range(0, 1024), hl.Range(0, 1024)])
        return source, hl.Pipeline(out)

    def check(self, source, pipeline, dtype, expected, flips):
        for width, height in SIZES:
            data = np.random.default_rng(1).integers(0, 100, (height, width)).astype(dtype)
            source.set(hl.Buffer(data))
            size = [height, width] if flips else [width, height]
            found = np.asarray(pipeline.realize(size, OPENCL))
            np.testing.assert_array_equal(found, expected(data), f"{width} x {height}")

    def check_turned(self, *types, reach, row):
        build = lambda source: turned(source, types, reach)
        _, pipeline = self.make(build, hl.UInt(8))
        _, decisions = decided(pipeline, gpu="A100")
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "list.json")
            path.write_text(json.dumps(in_padded_rows(decisions)))
            source, pipeline = self.make(build, hl.UInt(8))
            schedule, _ = decided(pipeline, gpu="A100", decisions=str(path))
        self.assertIn(f".align_storage(x, {row})", schedule)
        self.check(source, pipeline, np.uint8,
                   lambda data: expected_turned(data, len(types), reach), True)

    def test_of_sums_along_rows_is_found_by_the_search(self):
        source, pipeline = self.make(strips, hl.UInt(8))
        schedule, _ = decided(pipeline, gpu="A100")
        self.assertIn(f".align_storage(i, {STRIP + 1})", schedule)
        self.check(source, pipeline, np.uint8, expected_strips, False)

    def test_can_be_switched_off(self):
        _, pipeline = self.make(strips, hl.UInt(8))
        schedule, decisions = decided(pipeline, gpu="A100", disable_decisions="padding")
        self.assertNotIn(".align_storage(", schedule)
        self.assertNotIn("padding", {one["kind"] for one in decisions["decisions"]})

    def test_of_values_of_any_size(self):
        for one, reach, row in ((hl.UInt(8), 1, 36), (hl.UInt(16), 2, 38), (hl.Int(32), 1, 35),
                                (hl.Float(64), 1, 35)):
            with self.subTest(str(one)):
                self.check_turned(one, reach=reach, row=row)

    def test_of_a_tuple(self):
        self.check_turned(hl.Int(32), hl.UInt(8), reach=3, row=44)


if __name__ == "__main__":
    unittest.main()
