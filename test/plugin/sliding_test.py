"""Blocks that walk keep what the next tile needs again in a ring in shared memory, and chains of
stencils that do without are computed in the threads of each other; pictures and volumes of any size
and at any place come out the same.

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
STORED_OUTSIDE = re.compile(r"\.store_at\((\w+), \w+\)\s*\.compute_at\(\1, \w+_w\)")
IN_THREADS_OF_A_STEP = re.compile(r"\.compute_at\(step\d, x_t\)")
x, y, z = hl.Var("x"), hl.Var("y"), hl.Var("z")
STEPS = 4


def chain(extents):
    """Steps of diffusion, of which each reads a cross of its neighbours. `extents`: estimates."""
    dims = [x, y, z][:len(extents)]
    field = hl.ImageParam(hl.Float(32), len(dims), "field")
    ranges = [hl.Range(0, extent) for extent in extents]
    field.set_estimates(ranges)
    last = hl.BoundaryConditions.repeat_edge(field)
    for step in range(STEPS):
        func = hl.Func("out" if step == STEPS - 1 else f"step{step}")
        total = last[tuple(dims)] * 0.5
        for d in range(len(dims)):
            before, after = ([*dims[:d], dims[d] + by, *dims[d + 1:]] for by in (-1, 1))
            total = total + (last[tuple(before)] + last[tuple(after)]) * 0.0625
        func[tuple(dims)] = hl.abs(total - 0.25)
        last = func
    last.set_estimates(ranges)
    return field, last


def chain_of(field):
    """The same with edges that are repeated once, before the first step."""
    last = np.pad(field.astype(np.float64), STEPS, mode="edge")
    inner = (slice(1, -1),) * field.ndim
    for _ in range(STEPS):
        total = last[inner] * 0.5
        for d in range(field.ndim):
            before, after = ((*inner[:d], ends, *inner[d + 1:])
                             for ends in (slice(0, -2), slice(2, None)))
            total = total + (last[before] + last[after]) * 0.0625
        last = np.abs(total - 0.25)
    return last


def scheduled(extents, **parameters):
    hl.load_plugin(PLUGIN)
    field, out = chain(extents)
    pipeline = hl.Pipeline(out)
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", {"gpu": "A100", **parameters}))
    return field, pipeline, result.schedule_source


class Chain(unittest.TestCase):
    def check(self, shape, first):
        """`shape`, `first`: as NumPy has them, the last dimension is x."""
        given = np.random.default_rng(1).random(shape, np.float32)
        values = hl.Buffer(given)
        values.set_min(list(first))
        self.field.set(values)
        found = np.zeros(shape, np.float32)
        out = hl.Buffer(found)
        out.set_min(list(first))
        self.pipeline.realize(out, OPENCL)
        out.copy_to_host()
        np.testing.assert_allclose(found, chain_of(given), rtol=1e-4, atol=1e-5)


class Sliding(Chain):
    @classmethod
    def setUpClass(cls):
        cls.field, cls.pipeline, cls.text = scheduled([256, 256, 256])

    def test_is_chosen_for_volumes(self):
        self.assertRegex(self.text, STORED_OUTSIDE)

    def test_can_be_switched_off(self):
        text = scheduled([256, 256, 256], disable_decisions="sliding")[2]
        self.assertNotIn("store_at", text)

    def test_computes_volumes_at_any_size(self):
        for shape in [(1, 1, 1), (3, 7, 5), (65, 33, 31), (40, 61, 131), (131, 17, 35)]:
            with self.subTest(shape=shape):
                self.check(shape, (0, 0, 0))

    def test_computes_volumes_at_any_place(self):
        for first in [(-3, 5, 1), (64, 128, -7), (-129, -64, 32)]:
            with self.subTest(first=first):
                self.check((67, 41, 53), first)


class InThreads(Chain):
    @classmethod
    def setUpClass(cls):
        cls.field, cls.pipeline, cls.text = scheduled([1536, 2560])

    def test_is_chosen_for_pictures(self):
        self.assertRegex(self.text, IN_THREADS_OF_A_STEP)

    def test_computes_pictures_at_any_size(self):
        for shape in [(1, 1), (7, 5), (65, 33), (131, 127), (130, 613), (997, 311)]:
            with self.subTest(shape=shape):
                self.check(shape, (0, 0))

    def test_computes_pictures_at_any_place(self):
        for first in [(-3, 5), (64, 128), (-129, -64)]:
            with self.subTest(first=first):
                self.check((203, 401), first)


if __name__ == "__main__":
    unittest.main()
