"""What a block holds may be as large as a parameter says, whose range is declared: for the least and
the greatest of its values, at any size of an image.

usage: parameter_extents_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import re
import sys
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
CELL = 8
SIZES = [(1, 1), (7, 5), (33, 17), (263, 131), (600, 9)]
x, y, z = hl.Var("x"), hl.Var("y"), hl.Var("z")


class CountedBins:
    """Each pixel counts in a bin of its cell; bins beside each other are summed."""

    def __init__(self, most_levels):
        self.source = hl.ImageParam(hl.UInt(8), 2, "source")
        self.levels = hl.Param(hl.Int(32), "levels", 10)
        if most_levels is not None:
            self.levels.set_range(1, most_levels)
        self.levels.set_estimate(10)
        bins, wide, self.out = hl.Func("bins"), hl.Func("wide"), hl.Func("out")
        clamped = hl.BoundaryConditions.repeat_edge(self.source)
        r = hl.RDom([(0, CELL), (0, CELL)], "r")
        bins[x, y, z] = 0
        bins[x, y, self.bin(clamped[x * CELL + r.x, y * CELL + r.y])] += 1
        wide[x, y, z] = sum(bins[x, y, z + k] * (3 - abs(k)) for k in range(-2, 3))
        self.out[x, y] = wide[x // CELL, y // CELL, self.bin(clamped[x, y])]
        for func in (self.source, self.out):
            func.set_estimates([hl.Range(0, 4096), hl.Range(0, 4096)])

    def bin(self, value):
        return hl.cast(hl.Int(32), value) * self.levels // 255

    def expected(self, data, levels):
        height, width = data.shape
        bin_of = data.astype(np.int64) * levels // 255
        padded = np.pad(bin_of, ((0, -height % CELL), (0, -width % CELL)), mode="edge")
        bins = np.zeros((padded.shape[0] // CELL, padded.shape[1] // CELL, levels + 5), np.int64)
        rows, columns = np.indices(padded.shape)
        np.add.at(bins, (rows // CELL, columns // CELL, padded + 2), 1)
        wide = sum(bins[..., 2 + k:levels + 3 + k] * (3 - abs(k)) for k in range(-2, 3))
        rows, columns = np.indices(data.shape)
        return wide[rows // CELL, columns // CELL, bin_of].astype(np.int32)


def scheduled(most_levels):
    """Returns the pipeline and its schedule."""
    hl.load_plugin(PLUGIN)
    bins = CountedBins(most_levels)
    pipeline = hl.Pipeline(bins.out)
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", {"gpu": "A100"}))
    return bins, pipeline, result.schedule_source


def is_in_a_block(schedule):
    return re.search(r"\bbins\s+\.compute_at\(wide", schedule) is not None


class ParameterExtents(unittest.TestCase):
    def check(self, most_levels, bins, pipeline):
        for size in SIZES:
            data = np.random.default_rng(1).integers(0, 256, size[::-1], dtype=np.uint8)
            bins.source.set(hl.Buffer(data))
            for levels in (1, 10, most_levels):
                bins.levels.set(levels)
                found = np.asarray(pipeline.realize(list(size), OPENCL))
                expected = bins.expected(data, levels)
                np.testing.assert_array_equal(found, expected, f"{size}, {levels} levels")

    def test_are_in_a_block_if_the_greatest_fit(self):
        bins, pipeline, schedule = scheduled(64)
        self.assertTrue(is_in_a_block(schedule), schedule)
        self.check(64, bins, pipeline)

    def test_are_in_no_block_if_the_greatest_do_not_fit(self):
        bins, pipeline, schedule = scheduled(20000)
        self.assertFalse(is_in_a_block(schedule), schedule)
        self.check(20000, bins, pipeline)

    def test_are_in_no_block_without_a_range(self):
        bins, pipeline, schedule = scheduled(None)
        self.assertFalse(is_in_a_block(schedule), schedule)
        self.check(64, bins, pipeline)


if __name__ == "__main__":
    unittest.main()
