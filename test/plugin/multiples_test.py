"""Even and odd points are told apart when a kernel is compiled, for outputs of even extents; and
computed right wherever an output begins and ends.

usage: multiples_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import sys
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
MARGIN = 2
x, y = hl.Var("x"), hl.Var("y")


def cells():
    """Each of four neighbours is computed otherwise, twice over."""
    source = hl.ImageParam(hl.UInt(8), 2, "source")
    source.set_estimates([hl.Range(0, 2048 + 2 * MARGIN), hl.Range(0, 1024 + 2 * MARGIN)])
    wide, out = hl.Func("wide"), hl.Func("out")
    wide[x, y] = hl.u16(source[x + MARGIN, y + MARGIN])

    def by_cell(func):
        across, along = func[x - 1, y] + func[x + 1, y], func[x, y - 1] + func[x, y + 1]
        return hl.select(x % 2 == 0, hl.select(y % 2 == 0, across, along * 3),
                         hl.select(y % 2 == 0, func[x, y] * 5, across + along))
    middle = hl.Func("middle")
    middle[x, y] = by_cell(wide)
    out[x, y] = hl.u8_sat(by_cell(middle) / 8)
    out.set_estimates([hl.Range(0, 2048), hl.Range(0, 1024)])
    return source, out


def expected(source, first, shape):
    height, width = shape
    rows = np.arange(first[1] - 1, first[1] + height + 1)
    columns = np.arange(first[0] - 1, first[0] + width + 1)

    def by_cell(values, rows, columns):
        across = values[1:-1, :-2] + values[1:-1, 2:]
        along = values[:-2, 1:-1] + values[2:, 1:-1]
        even_x, even_y = (columns % 2 == 0)[None, :], (rows % 2 == 0)[:, None]
        return np.where(even_x, np.where(even_y, across, along * 3),
                        np.where(even_y, values[1:-1, 1:-1] * 5, across + along)).astype(np.uint16)
    middle = by_cell(source.astype(np.uint16), rows, columns)
    return np.minimum(by_cell(middle, rows[1:-1], columns[1:-1]) // 8, 255).astype(np.uint8)


def scheduled(**parameters):
    hl.load_plugin(PLUGIN)
    source, out = cells()
    pipeline = hl.Pipeline(out)
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    return source, pipeline, result.schedule_source


class Multiples(unittest.TestCase):
    def test_have_a_schedule_of_their_own(self):
        _, _, text = scheduled()
        self.assertRegex(text, r"repeat_for_multiples\(out, 0, true, out, \{2, [02]\}\);")

    def test_have_none_if_that_is_wanted(self):
        _, _, text = scheduled(disable_decisions="multiples")
        self.assertNotIn("repeat_for_multiples", text)

    def test_compute_the_same_wherever_an_output_begins_and_ends(self):
        source, pipeline, _ = scheduled()
        draw = np.random.default_rng(1)
        for width, height in [(256, 128), (255, 128), (256, 127), (99, 77), (2, 2), (1, 1)]:
            for first in [(0, 0), (1, 0), (0, 3), (-2, -4)]:
                data = draw.integers(0, 256, (height + 2 * MARGIN, width + 2 * MARGIN), np.uint8)
                buffer = hl.Buffer(data)
                buffer.set_min([first[0], first[1]])
                source.set(buffer)
                found = np.zeros((height, width), np.uint8)
                out = hl.Buffer(found)
                out.set_min([first[0], first[1]])
                pipeline.realize(out, OPENCL)
                out.copy_to_host()
                np.testing.assert_array_equal(found, expected(data, first, found.shape),
                                              err_msg=str((width, height, first)))


if __name__ == "__main__":
    unittest.main()
