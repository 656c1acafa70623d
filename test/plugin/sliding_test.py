"""Blocks that walk keep what the next tile needs again in a ring in shared memory; pictures and
volumes of any size and at any place come out the same.

usage: sliding_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import re
import sys
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
WIDTH, HEIGHT = 1536, 2560
STORED_OUTSIDE = re.compile(r"\.store_at\(out, \w+\)\s*\.compute_at\(out, \w+_w\)")
x, y, z = hl.Var("x"), hl.Var("y"), hl.Var("z")
STEPS = 4


def chain(radius):
    """Steps of diffusion, of which each reads a cross of its neighbours."""
    picture = hl.ImageParam(hl.Float(32), 2, "picture")
    picture.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    last = hl.BoundaryConditions.repeat_edge(picture)
    for step in range(STEPS):
        func = hl.Func("out" if step == STEPS - 1 else f"step{step}")
        total = last[x, y] * 0.5
        for k in range(1, radius + 1):
            total = total + (last[x - k, y] + last[x + k, y]) * 0.0625
            total = total + (last[x, y - k] + last[x, y + k]) * 0.0625
        func[x, y] = hl.abs(total - 0.25)
        last = func
    last.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    return picture, last


def chain_of(picture, radius):
    """The same with edges that are repeated once, before the first step."""
    border = radius * STEPS
    last = np.pad(picture.astype(np.float64), border, mode="edge")
    for _ in range(STEPS):
        def moved(dy, dx):
            rows, columns = (n - 2 * radius for n in last.shape)
            return last[radius + dy:radius + dy + rows, radius + dx:radius + dx + columns]
        total = moved(0, 0) * 0.5
        for k in range(1, radius + 1):
            total = total + (moved(0, -k) + moved(0, k) + moved(-k, 0) + moved(k, 0)) * 0.0625
        last = np.abs(total - 0.25)
    return last


def scheduled(radius, **parameters):
    hl.load_plugin(PLUGIN)
    picture, out = chain(radius)
    pipeline = hl.Pipeline(out)
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    return picture, pipeline, result.schedule_source


class Sliding(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.picture, cls.pipeline, cls.text = scheduled(1, disable_rules="walking_blocks")

    def check(self, rows, columns, first=(0, 0)):
        given = np.random.default_rng(1).random((rows, columns), np.float32)
        pixels = hl.Buffer(given)
        pixels.set_min(list(first))
        self.picture.set(pixels)
        found = np.zeros((rows, columns), np.float32)
        out = hl.Buffer(found)
        out.set_min(list(first))
        self.pipeline.realize(out, OPENCL)
        out.copy_to_host()
        np.testing.assert_allclose(found, chain_of(given, 1), rtol=1e-4, atol=1e-5)

    def test_is_chosen_for_a_chain_of_stencils(self):
        self.assertGreaterEqual(len(STORED_OUTSIDE.findall(self.text)), 2)

    def test_is_none_unless_it_is_wanted(self):
        self.assertNotIn("store_at", scheduled(1)[2])

    def test_computes_the_same_at_any_size(self):
        for rows, columns in [(1, 1), (7, 5), (65, 33), (131, 127), (130, 613), (997, 311)]:
            with self.subTest(rows=rows, columns=columns):
                self.check(rows, columns)

    def test_computes_the_same_at_any_place(self):
        for first in [(-3, 5), (64, 128), (-129, -64)]:
            with self.subTest(first=first):
                self.check(203, 401, first)


if __name__ == "__main__":
    unittest.main()
