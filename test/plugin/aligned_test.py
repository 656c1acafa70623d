"""What is scanned in strips is computed in the blocks that read it: blocks begin where strips do, and
the last ones are right however many rows there are.

usage: aligned_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import sys
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
STRIP = 32
x, y, i, s = hl.Var("x"), hl.Var("y"), hl.Var("i"), hl.Var("s")


def sums_down_strips(min_is_known):
    """The sum of all above in the same strip of rows."""
    source = hl.ImageParam(hl.Int(32), 2, "source")
    width, rows = source.dim(0).extent(), source.dim(1).extent()
    down, out = hl.Func("down"), hl.Func("out")
    step = hl.RDom([hl.Range(1, STRIP - 1)], "step")
    row = s * STRIP + i
    down[x, i, s] = hl.select(row < rows, source[hl.clamp(x, 0, width - 1),
                                                 hl.clamp(row, 0, rows - 1)], 0)
    down[x, step, s] += down[x, step - 1, s]
    out[x, y] = down[x, y % STRIP, y / STRIP]
    if min_is_known:
        for dim in (0, 1):
            out.output_buffer().dim(dim).set_min(0)
    for func in (source, out):
        func.set_estimates([hl.Range(0, 1536), hl.Range(0, 2560)])
    return source, out


def scheduled(min_is_known=True, **parameters):
    hl.load_plugin(PLUGIN)
    source, out = sums_down_strips(min_is_known)
    pipeline = hl.Pipeline(out)
    wanted = hl.AutoschedulerParams("GPU", parameters)
    return source, pipeline, pipeline.apply_autoscheduler(OPENCL, wanted).schedule_source


def expected(data):
    strips = [np.cumsum(data[row:row + STRIP], axis=0) for row in range(0, len(data), STRIP)]
    return np.concatenate(strips).astype(np.int32)


class Aligned(unittest.TestCase):
    def test_a_block_has_one_strip(self):
        _, _, text = scheduled()
        self.assertRegex(text, r"down\S*\s+\.compute_at\(out,")
        self.assertIn(".bound_extent(s, 1)", text)

    def test_a_block_may_have_two_where_nobody_knows_where_the_first_begins(self):
        _, _, text = scheduled(min_is_known=False)
        self.assertNotIn("bound_extent", text)

    def test_no_block_has_a_strip_if_that_is_wanted(self):
        _, _, text = scheduled(disable_decisions="aligned_tiles")
        self.assertNotIn("bound_extent", text)
        self.assertNotRegex(text, r"down\S*\s+\.compute_at\(out,")

    def test_all_sizes_come_out_right(self):
        self.check_all_sizes()

    def test_all_sizes_come_out_right_without(self):
        self.check_all_sizes(disable_decisions="aligned_tiles")

    def check_all_sizes(self, **parameters):
        source, pipeline, _ = scheduled(**parameters)
        draw = np.random.default_rng(1)
        for width, height in [(128, 64), (127, 64), (128, 65), (65, 95), (3, 200), (200, 3), (1, 1)]:
            data = draw.integers(0, 100, (height, width), np.int32)
            source.set(hl.Buffer(data))
            found = np.zeros((height, width), np.int32)
            out = hl.Buffer(found)
            pipeline.realize(out, OPENCL)
            out.copy_to_host()
            np.testing.assert_array_equal(found, expected(data), err_msg=str((width, height)))


if __name__ == "__main__":
    unittest.main()
