"""A scan loads what several of its steps read before the first of them stores, and computes the same
however many steps there are, and wherever they begin.

usage: loads_ahead_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import re
import sys
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
WIDTH, HEIGHT = 2048, 1024
COPY = re.compile(r"\.compute_at\((\w+), (\w*row\w*_o0)\)")
x, y = hl.Var("x"), hl.Var("y")


def image(columns=WIDTH):
    source = hl.ImageParam(hl.Float(32), 2, "source")
    source.set_estimates([hl.Range(0, columns), hl.Range(0, HEIGHT)])
    return source


def estimated(out):
    out.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    return out


def down():
    """Sums of the rows so far, each half of what it was a row before."""
    source, sums, out = image(), hl.Func("sums"), hl.Func("out")
    row = hl.RDom([(source.dim(1).min(), source.dim(1).extent())], "row")
    sums[x, y] = hl.f32(0)
    sums[x, row] = sums[x, row - 1] * hl.f32(0.5) + source[x, row]
    out[x, y] = sums[x, y]

    def expected(a):
        result = a.copy()
        for i in range(1, a.shape[0]):
            result[i] += result[i - 1] * np.float32(0.5)
        return result
    return source, estimated(out), expected


def up():
    """The same from the last row on, of what is computed of two pixels."""
    source = image(WIDTH + 1)
    light, sums, out = hl.Func("light"), hl.Func("sums"), hl.Func("out")
    row = hl.RDom([(0, source.dim(1).extent())], "row")
    light[x, y] = hl.sqrt(source[x, y] + source[x + 1, y])
    sums[x, y] = hl.f32(0)
    at = source.dim(1).max() - row.x
    sums[x, at] = sums[x, at + 1] * hl.f32(0.5) + light[x, at]
    out[x, y] = sums[x, y]

    def expected(a):
        result = np.sqrt(a[:, :-1] + a[:, 1:])
        for i in range(a.shape[0] - 2, -1, -1):
            result[i] += result[i + 1] * np.float32(0.5)
        return result
    return source, estimated(out), expected


def scheduled(make, **parameters):
    hl.load_plugin(PLUGIN)
    source, out, expected = make()
    pipeline = hl.Pipeline(out)
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    return source, pipeline, expected, result.schedule_source


class LoadsAhead(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pipelines = {make: scheduled(make) for make in (down, up)}

    def check(self, make, columns, rows, first=0):
        source, pipeline, expected, _ = self.pipelines[make]
        more = 1 if make is up else 0
        data = np.random.default_rng(1).random((rows, columns + more), dtype=np.float32)
        given = hl.Buffer(data)
        given.set_min([0, first])
        source.set(given)
        found = np.zeros((rows, columns), np.float32)
        out = hl.Buffer(found)
        out.set_min([0, first])
        pipeline.realize(out, OPENCL)
        out.copy_to_host()
        np.testing.assert_allclose(found, expected(data), rtol=1e-4)

    def test_are_copies_in_a_loop_over_steps(self):
        for make in (down, up):
            with self.subTest(make.__name__):
                text = self.pipelines[make][3]
                self.assertRegex(text, COPY)
                self.assertRegex(text, r"where_steps_are_whole\(sums\w*, 1, \w+, [\w.]+name\(\), \d+\)")

    def test_are_none_if_that_is_wanted(self):
        self.assertNotRegex(scheduled(down, disable_decisions="loads_ahead")[3], COPY)

    def test_are_none_of_what_a_copy_may_not_be_of(self):
        """The first stage reads the image, too."""
        def make():
            source, sums = image(), hl.Func("sums")
            sums[x, y] = source[x, y]
            row = hl.RDom([(1, source.dim(1).extent() - 1)], "row")
            sums[x, row] = sums[x, row - 1] * hl.f32(0.5) + source[x, row]
            return source, estimated(sums), None
        self.assertNotRegex(scheduled(make)[3], COPY)

    def test_are_none_of_rows_that_are_clamped(self):
        """How many rows several steps read is known at run time only."""
        def make():
            source, sums, out = image(), hl.Func("sums"), hl.Func("out")
            last = source.dim(1).max()
            row = hl.RDom([(0, source.dim(1).extent())], "row")
            sums[x, y] = hl.f32(0)
            sums[x, row] = sums[x, row - 1] + source[x, hl.min(row + 3, last)]
            out[x, y] = sums[x, y]
            return source, estimated(out), None
        self.assertNotRegex(scheduled(make)[3], COPY)

    def test_compute_the_same_of_any_number_of_steps(self):
        for make in (down, up):
            for rows in (1, 2, 3, 8, 16, 31, 32, 33, 64, 96, 100, 128):
                with self.subTest(make.__name__, rows=rows):
                    self.check(make, 256, rows)

    def test_compute_the_same_of_any_number_of_columns(self):
        for make in (down, up):
            for columns in (1, 2, 31, 33, 100, 257, 1000):
                with self.subTest(make.__name__, columns=columns):
                    self.check(make, columns, 64)
                    self.check(make, columns, 65)

    def test_compute_the_same_wherever_they_begin(self):
        for first in (1, 5, 32, -3):
            with self.subTest(first=first):
                self.check(down, 256, 64, first)
                self.check(down, 256, 63, first)


if __name__ == "__main__":
    unittest.main()
