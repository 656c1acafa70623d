"""A Func with updates is computed in the threads that read it: the initialisation and all updates in
one kernel, with their values in registers; pictures of any size come out the same.

What that is worth at the sizes below for an A100 (CUDA), as times by the roofline model of what is
predicted and of what is counted in the lowered code, and the same with the kind switched off:

    pipeline       predicted, us    without  ratio    counted, us    without  ratio
    solver                  91.3      139.3   1.53           79.0      134.2   1.70
    sorted_window           79.2      402.3   5.08           55.6      636.4  11.45
    states                  34.0       47.4   1.39           33.7       46.6   1.38

usage: updates_test.py libautoschedule_gpu.so [unittest arguments]
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
OFF = "updates_in_registers"
UNKNOWNS, WINDOW = 3, 9
x, y, i, j, k, c = (hl.Var(name) for name in "xyijkc")


def picture_of(name):
    picture = hl.ImageParam(hl.Float(32), 2, name)
    picture.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    return picture


def solver():
    """Three equations per pixel, solved in place by elimination."""
    pictures = [picture_of("diagonal"), picture_of("right")]
    m, out = hl.Func("m"), hl.Func("out")
    m[x, y, i, j] = hl.select(j == UNKNOWNS, pictures[1][x, y] * (i + 1),
                              pictures[0][x, y] * (i + j) + hl.select(i == j, hl.f32(4), hl.f32(0)))
    for pivot in range(UNKNOWNS):
        columns = range(pivot + 1, UNKNOWNS + 1)
        for column in columns:
            m[x, y, pivot, column] /= m[x, y, pivot, pivot]
        for row in set(range(UNKNOWNS)) - {pivot}:
            for column in columns:
                m[x, y, row, column] -= m[x, y, row, pivot] * m[x, y, pivot, column]
    out[x, y, c] = m[x, y, c, UNKNOWNS]
    out.bound(c, 0, UNKNOWNS)
    out.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT), hl.Range(0, UNKNOWNS)])
    return pictures, m, out


def solved(diagonal, right):
    rows = np.arange(UNKNOWNS)
    matrix = diagonal[..., None, None] * (rows[:, None] + rows) + 4 * np.eye(UNKNOWNS)
    vector = right[..., None] * (rows + 1.0)
    return np.moveaxis(np.linalg.solve(matrix, vector[..., None])[..., 0], -1, 0)


def sorted_window():
    """The median of 3x3 pixels, by a network of swaps in place; the last place is for swaps."""
    pictures = [picture_of("picture")]
    inside = hl.BoundaryConditions.repeat_edge(pictures[0])
    s, out = hl.Func("s"), hl.Func("out")
    s[x, y, k] = hl.select(k < WINDOW, inside[x + k % 3 - 1, y + k // 3 - 1], 0)
    for turn in range(WINDOW):
        for at in range(turn % 2, WINDOW - 1, 2):
            s[x, y, WINDOW] = hl.min(s[x, y, at], s[x, y, at + 1])
            s[x, y, at + 1] = hl.max(s[x, y, at], s[x, y, at + 1])
            s[x, y, at] = s[x, y, WINDOW]
    out[x, y] = s[x, y, WINDOW // 2]
    out.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    return pictures, s, out


def medians(picture):
    rows, columns = picture.shape
    padded = np.pad(picture, 1, mode="edge")
    window = [padded[dy:dy + rows, dx:dx + columns] for dy in range(3) for dx in range(3)]
    return np.median(window, axis=0)


def states():
    """Four values per pixel, each changed in turn by what the others are by then."""
    pictures = [picture_of("picture")]
    s, out = hl.Func("s"), hl.Func("out")
    step = hl.RDom([(0, 6)], "step")
    s[x, y, k] = pictures[0][x, y] * (k + 1)
    s[x, y, 0] = s[x, y, 0] / 2 + s[x, y, 1]
    s[x, y, 1] = hl.max(s[x, y, 0], s[x, y, 2]) / 4
    s[x, y, 2] += s[x, y, 1] * step * s[x, y, 0]
    s[x, y, 3] = hl.select(s[x, y, 2] > 1, s[x, y, 0], s[x, y, 3] + s[x, y, 1])
    s[x, y, 0] = hl.clamp(s[x, y, 3], 0, 1)
    out[x, y] = s[x, y, 0] + s[x, y, 2] * s[x, y, 3]
    out.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    return pictures, s, out


def stepped(picture):
    s = [picture * np.float32(n + 1) for n in range(4)]
    s[0] = s[0] / 2 + s[1]
    s[1] = np.maximum(s[0], s[2]) / 4
    s[2] = s[2] + s[1] * np.float32(sum(range(6))) * s[0]
    s[3] = np.where(s[2] > 1, s[0], s[3] + s[1])
    s[0] = np.clip(s[3], 0, 1)
    return s[0] + s[2] * s[3]


PIPELINES = {"solver": (solver, solved), "sorted_window": (sorted_window, medians),
             "states": (states, stepped)}


class Scheduled:
    def __init__(self, name, **parameters):
        hl.load_plugin(PLUGIN)
        algorithm, self.expected = PIPELINES[name]
        self.pictures, func, out = algorithm()
        self.pipeline = hl.Pipeline(out)
        wanted = hl.AutoschedulerParams("GPU", parameters)
        text = self.pipeline.apply_autoscheduler(OPENCL, wanted).schedule_source
        place = re.search(r"\b" + func.name().replace("$", "_") +
                          r"\s+\.compute_at\(\w+, (\w+)\)\s+\.store_in\(MemoryType::(\w+)\)", text)
        self.memory = place.group(2) if place else None
        self.dimensions = out.dimensions()

    def error(self, rows, columns, first):
        """Of what is computed for random pictures: the largest, relative to what is expected."""
        draw = np.random.default_rng(rows)
        given = [draw.random((rows, columns), np.float32) for _ in self.pictures]
        for picture, values in zip(self.pictures, given):
            pixels = hl.Buffer(values)
            pixels.set_min(list(first))
            picture.set(pixels)
        shape = (UNKNOWNS, rows, columns) if self.dimensions == 3 else (rows, columns)
        found = np.zeros(shape, np.float32)
        out = hl.Buffer(found)
        out.set_min(list(first) + [0] * (self.dimensions - 2))
        self.pipeline.realize(out, OPENCL)
        out.copy_to_host()
        expected = self.expected(*given)
        return np.max(np.abs(found - expected) / (np.abs(expected) + 1))


class Updates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.with_kind = {name: Scheduled(name) for name in PIPELINES}
        cls.without = {name: Scheduled(name, disable_decisions=OFF) for name in PIPELINES}

    def test_are_in_registers(self):
        for name, scheduled in self.with_kind.items():
            with self.subTest(pipeline=name):
                self.assertEqual(scheduled.memory, "Register")

    def test_are_not_if_that_is_wanted(self):
        for name, scheduled in self.without.items():
            with self.subTest(pipeline=name):
                self.assertNotEqual(scheduled.memory, "Register")

    def test_compute_the_same_at_any_size(self):
        for pipelines in (self.with_kind, self.without):
            for name, scheduled in pipelines.items():
                for rows, columns in [(1, 1), (7, 5), (33, 65), (127, 130), (64, 256)]:
                    with self.subTest(pipeline=name, rows=rows, columns=columns):
                        self.assertLess(scheduled.error(rows, columns, (0, 0)), 1e-4)

    def test_compute_the_same_at_any_place(self):
        for name, scheduled in self.with_kind.items():
            for first in [(-3, 5), (64, 128), (-129, -64)]:
                with self.subTest(pipeline=name, first=first):
                    self.assertLess(scheduled.error(67, 129, first), 1e-4)


if __name__ == "__main__":
    unittest.main()
