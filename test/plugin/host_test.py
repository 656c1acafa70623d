"""What no kernel can compute: the host's cores share it, and what is cheap is computed where they need it.

usage: host_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import sys
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
WITHOUT_DOUBLES = hl.Target("host-opencl")
WITH_DOUBLES = hl.Target("host-opencl-cl_doubles")
SIZES = [(700, 500), (1, 1), (33, 5), (97, 130), (801, 517)]
x, y = hl.Var("x"), hl.Var("y")


def smoothed(source):
    """A blur of a boundary in double, which is squared in a kernel."""
    edge = hl.BoundaryConditions.repeat_edge(source)
    blur, out = hl.Func("blur"), hl.Func("out")
    blur[x, y] = (hl.f64(edge[x - 1, y]) + edge[x, y] + edge[x + 1, y]) / 3
    out[x, y] = hl.f32(blur[x, y])
    squares = hl.Func("squares")
    squares[x, y] = out[x, y] * out[x, y]
    return squares


def expected(data):
    padded = np.pad(data.astype(np.float64), ((0, 0), (1, 1)), mode="edge")
    blur = (padded[:, :-2] + padded[:, 1:-1] + padded[:, 2:]) / 3
    return blur.astype(np.float32) ** 2


class Host(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        hl.load_plugin(PLUGIN)

    def test_doubles_without_the_feature_are_computed_by_all_cores(self):
        source = hl.ImageParam(hl.Float(32), 2, "source")
        source.set_estimates([hl.Range(0, 700), hl.Range(0, 500)])
        out = smoothed(source)
        out.set_estimates([hl.Range(0, 700), hl.Range(0, 500)])
        pipeline = hl.Pipeline(out)
        schedule = pipeline.apply_autoscheduler(
            WITHOUT_DOUBLES, hl.AutoschedulerParams("GPU", {})).schedule_source
        self.assertIn("blur\n        .compute_root()", schedule)
        self.assertIn(".parallel(", schedule)
        self.assertNotIn("repeat_edge", schedule)  # it is inlined
        for width, height in SIZES:
            data = np.random.default_rng(1).random((height, width), dtype=np.float32)
            source.set(hl.Buffer(data))
            found = np.asarray(pipeline.realize([width, height], WITHOUT_DOUBLES))
            np.testing.assert_allclose(found, expected(data), rtol=1e-6)

    def test_arithmetic_that_opencl_has_in_another_way_is_right(self):
        data = np.random.default_rng(2).uniform(-5, 5, (130, 97))
        for name, type_of, value in (("remainder of float", hl.Float(32), lambda e: e % hl.f32(3)),
                                     ("remainder of double", hl.Float(64), lambda e: e % hl.f64(3)),
                                     ("division", hl.Float(64), lambda e: e / hl.f64(3)),
                                     ("constant", hl.Float(64), lambda e: e + hl.f64(16777217))):
            with self.subTest(name):
                given = data.astype(np.float32 if type_of == hl.Float(32) else np.float64)
                source, out = hl.ImageParam(type_of, 2, "source"), hl.Func("out")
                out[x, y] = value(source[x, y])
                out.set_estimates([hl.Range(0, 97), hl.Range(0, 130)])
                pipeline = hl.Pipeline(out)
                pipeline.apply_autoscheduler(WITH_DOUBLES, hl.AutoschedulerParams("GPU", {}))
                source.set(hl.Buffer(given))
                found = np.asarray(pipeline.realize([97, 130], WITH_DOUBLES))
                wanted = {"division": given / 3, "constant": given + 16777217}.get(name, given % 3)
                rounding = 1e-5 if type_of == hl.Float(32) else 1e-13
                np.testing.assert_allclose(found, wanted, rtol=rounding, atol=rounding)


if __name__ == "__main__":
    unittest.main(verbosity=2)
