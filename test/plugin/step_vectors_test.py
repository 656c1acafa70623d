"""A thread loads four steps of a reduction at once where they go along aligned rows, and computes the
same where rows begin elsewhere or steps are no multiple of four.

usage: step_vectors_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import re
import sys
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
M, N, K = 512, 768, 256
COPIES = re.compile(r"\.compute_at\(sums\w*, k_x_o0\)")
x, y = hl.Var("x"), hl.Var("y")


def product(turned):
    """A product of matrices; `turned`: the rows of both go along the sum."""
    a, b = (hl.ImageParam(hl.Float(32), 2, name) for name in "ab")
    a.set_estimates([hl.Range(0, K), hl.Range(0, M)])
    b.set_estimates([hl.Range(0, K), hl.Range(0, N)] if turned
                    else [hl.Range(0, N), hl.Range(0, K)])
    k = hl.RDom([(a.dim(0).min(), a.dim(0).extent())], "k")
    sums, out = hl.Func("sums"), hl.Func("out")
    sums[x, y] = hl.f32(0)
    sums[x, y] += a[k.x, y] * (b[k.x, x] if turned else b[x, k.x])
    out[x, y] = sums[x, y]
    out.set_estimates([hl.Range(0, N), hl.Range(0, M)])
    return a, b, out


def scheduled(turned=False, **parameters):
    hl.load_plugin(PLUGIN)
    a, b, out = product(turned)
    pipeline = hl.Pipeline(out)
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    return a, b, pipeline, result.schedule_source


def with_rows_apart(array, apart):
    """The same, with rows that are so many elements apart."""
    padded = np.zeros((array.shape[0], apart), array.dtype)
    padded[:, : array.shape[1]] = array
    return padded[:, : array.shape[1]]


class StepVectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Else a copy of one of them would lie the other way.
        cls.pipelines = {False: scheduled(), True: scheduled(True, disable_decisions="storage")}

    def check(self, turned, rows, columns, depth, apart=0, first=0):
        a, b, pipeline, _ = self.pipelines[turned]
        draw = np.random.default_rng(1)
        left = draw.random((rows, depth), np.float32)
        right = draw.random((depth, columns), np.float32)
        # Buffers do not keep the arrays.
        given_left = with_rows_apart(left, depth + apart)
        given_right = with_rows_apart(right.T if turned else right,
                                      (depth if turned else columns) + apart)
        left_buffer, right_buffer = hl.Buffer(given_left), hl.Buffer(given_right)
        left_buffer.set_min([first, 0])
        right_buffer.set_min([first, 0] if turned else [0, first])
        a.set(left_buffer)
        b.set(right_buffer)
        found = np.zeros((rows, columns), np.float32)
        out = hl.Buffer(found)
        pipeline.realize(out, OPENCL)
        out.copy_to_host()
        np.testing.assert_allclose(found, left @ right, rtol=1e-4)

    def test_copy_what_four_steps_read(self):
        _, _, _, text = self.pipelines[False]
        self.assertIn('{{"a", 2}, {"b", 2}}, k_x.name());', text)
        self.assertEqual(len(COPIES.findall(text)), 1)

    def test_copy_of_each_input_that_goes_along(self):
        _, _, _, text = self.pipelines[True]
        self.assertEqual(len(COPIES.findall(text)), 2)

    def test_are_none_if_that_is_wanted(self):
        _, _, _, text = scheduled(disable_decisions="step_vectors")
        self.assertNotRegex(text, COPIES)

    def test_compute_the_same_of_any_number_of_steps(self):
        for turned in (False, True):
            for depth in (1, 3, 4, 5, 8, 63, 64):
                with self.subTest(turned=turned, depth=depth):
                    self.check(turned, 64, 256, depth)

    def test_compute_the_same_of_any_number_of_rows_and_columns(self):
        for turned in (False, True):
            for rows, columns in [(65, 260), (63, 129), (3, 4), (1, 1)]:
                with self.subTest(turned=turned, rows=rows, columns=columns):
                    self.check(turned, rows, columns, 16)

    def test_compute_the_same_wherever_rows_begin(self):
        for turned in (False, True):
            for apart, first in [(1, 0), (4, 0), (0, 4), (0, 2), (3, 1)]:
                with self.subTest(turned=turned, apart=apart, first=first):
                    self.check(turned, 64, 256, 16, apart, first)


if __name__ == "__main__":
    unittest.main()
