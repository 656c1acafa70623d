"""What a block computes of many short dimensions is dealt to all of its threads, with what a pixel
loads of it at once side by side in shared memory; pictures of any size and at any place come out the
same.

usage: dealt_test.py libautoschedule_gpu.so [unittest arguments]
"""

import json
import multiprocessing
import pathlib
import re
import sys
import tempfile
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
CELL, LEVELS, TERMS = 128, 8, 4
WIDTH, HEIGHT = 1536, 2560
GRID = (WIDTH // CELL + 3, HEIGHT // CELL + 3, LEVELS + 1, TERMS)
x, y, z, i = hl.Var("x"), hl.Var("y"), hl.Var("z"), hl.Var("i")


def pipeline_of():
    """Each pixel goes through a curve that a grid over the picture and its brightness has for it."""
    picture, grid = hl.ImageParam(hl.Float(32), 2, "picture"), hl.ImageParam(hl.Float(32), 4, "grid")
    picture.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    grid.set_estimates([hl.Range(0, extent) for extent in GRID])
    for d in (2, 3):
        grid.dim(d).set_bounds(0, GRID[d])
    cells, rows, curve, out = (hl.Func(name) for name in ("cells", "rows", "curve", "out"))
    share = lambda v: (hl.f32(v % CELL) + 0.5) / CELL
    cells[x, y, z, i] = hl.sqrt(grid[x, y, z, i]) * hl.sin(grid[x, y, z, i])
    rows[x, y, z, i] = hl.lerp(cells[x, y // CELL, z, i], cells[x, y // CELL + 1, z, i], share(y))
    depth = picture[x, y] * LEVELS
    level = hl.clamp(hl.i32(hl.floor(depth)), 0, LEVELS - 1)
    at = lambda level: hl.lerp(rows[x // CELL, y, level, i], rows[x // CELL + 1, y, level, i],
                               share(x))
    curve[x, y, i] = hl.lerp(at(level), at(level + 1), depth - level)
    value = curve[x, y, TERMS - 1]
    for term in reversed(range(TERMS - 1)):
        value = value * picture[x, y] + curve[x, y, term]
    out[x, y] = value
    out.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    return picture, grid, out


def expected(picture, grid, first):
    cells = (np.sqrt(grid) * np.sin(grid)).astype(np.float64)
    ys, xs = np.indices(picture.shape)
    ys, xs = ys + first[1], xs + first[0]
    share = lambda v: ((v % CELL + 0.5) / CELL)[..., None]
    depth = picture.astype(np.float64) * LEVELS
    level = np.clip(np.floor(depth).astype(int), 0, LEVELS - 1)

    def rows(cx, level):
        cy = ys // CELL
        above = cells[:, level, cy, cx].transpose(1, 2, 0)
        return above + (cells[:, level, cy + 1, cx].transpose(1, 2, 0) - above) * share(ys)

    def at(level):
        left = rows(xs // CELL, level)
        return left + (rows(xs // CELL + 1, level) - left) * share(xs)

    curve = at(level) + (at(level + 1) - at(level)) * (depth - level)[..., None]
    return sum(curve[..., term] * picture.astype(np.float64) ** term for term in range(TERMS))


class Scheduled:
    """The pipeline with a schedule that the plugin makes of these parameters."""

    def __init__(self, **parameters):
        self.picture, self.grid, out = pipeline_of()
        self.pipeline = hl.Pipeline(out)
        wanted = hl.AutoschedulerParams("GPU", {"gpu": "A100", **parameters})
        self.source = self.pipeline.apply_autoscheduler(OPENCL, wanted).schedule_source

    def lines_of(self, func):
        """The part of the source that is about one Func."""
        return re.search(r"\{  // " + func + r"(\$\d+)?\n.*?\n\}", self.source, re.DOTALL).group()

    def run(self, picture, grid, first):
        pixels = hl.Buffer(picture)
        pixels.set_min(list(first))
        self.picture.set(pixels)
        self.grid.set(hl.Buffer(grid))
        found = np.zeros(picture.shape, np.float32)
        out = hl.Buffer(found)
        out.set_min(list(first))
        self.pipeline.realize(out, OPENCL)
        out.copy_to_host()
        return found


def write_decisions(plugin, file):
    hl.load_plugin(plugin)
    Scheduled(decisions_out=file)


def decisions():
    """Of a process of its own: Halide gives each Func of a process another name."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(pathlib.Path(folder) / "decisions.json")
        child = multiprocessing.get_context("spawn").Process(target=write_decisions,
                                                             args=(PLUGIN, file))
        child.start()
        child.join()
        return json.loads(pathlib.Path(file).read_text())


class DealtToAllThreads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        listed = decisions()
        # What a pixel loads in registers, at once, for which a thread has room for few pixels.
        changes = {("curve", "place"): "threads", ("out.x", "serial"): 2}
        for decision in listed["decisions"]:
            decision["value"] = changes.get((decision["name"], decision["kind"]),
                                            decision["value"])
        hl.load_plugin(PLUGIN)
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "at_once.json"
            file.write_text(json.dumps(listed))
            cls.at_once = Scheduled(decisions=str(file))
        cls.searched = Scheduled()

    def check(self, rows, columns, first=(0, 0)):
        random = np.random.default_rng(1)
        given = random.random((rows, columns), np.float32)
        table = random.random(tuple(reversed(GRID)), np.float32)
        wanted = expected(given, table, first)
        for scheduled in (self.searched, self.at_once):
            np.testing.assert_allclose(scheduled.run(given, table, first), wanted, rtol=1e-4,
                                       atol=1e-5)

    def test_many_short_dimensions_are_one_row_of_threads(self):
        for name in ("cells", "rows"):
            lines = self.searched.lines_of(name)
            self.assertRegex(lines, r"\.compute_at\(out")
            self.assertRegex(lines, r"\.fuse\([^;]*\.gpu_threads\(")

    def test_what_is_loaded_at_once_lies_side_by_side(self):
        without = Scheduled(disable_decisions="channel_vectors")
        self.assertNotIn(".vectorize(i)", without.source)
        self.assertRegex(self.at_once.lines_of("rows"),
                         r"\.reorder_storage\(i, x, y, z\)[^}]*\}[^}]*\}[^}]*\.vectorize\(i\)")

    def test_pictures_as_expected(self):
        self.check(HEIGHT // 8, WIDTH // 2)

    def test_odd_sizes(self):
        self.check(131, 1025)

    def test_anywhere_among_the_cells(self):
        self.check(77, 643, first=(61, 95))

    def test_smaller_than_a_block(self):
        self.check(3, 5, first=(125, 126))


if __name__ == "__main__":
    unittest.main()
