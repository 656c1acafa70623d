"""Blocks whose tiles are narrower than their threads, by the border of what these compute first: that
nothing else is computed, at any size, and that the search makes them and can be kept from it.

usage: fitted_blocks_test.py libautoschedule_gpu.so [unittest arguments]
"""

import json
import pathlib
import sys
import tempfile
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
SIZES = [(1, 1), (33, 5), (61, 29), (125, 33), (200, 67)]
REACH = 2
x, y = hl.Var("x"), hl.Var("y")


def smoothed(read):
    """Of a window of 5 x 5, near points counting more."""
    return sum((abs(dx) + 2 * abs(dy) + 1) * read(x + dx, y + dy)
               for dx in range(-REACH, REACH + 1) for dy in range(-REACH, REACH + 1)) % 251


def twice_smoothed(source):
    near, out = hl.Func("near"), hl.Func("out")
    near[x, y] = smoothed(lambda column, row: hl.i32(
        source[hl.clamp(column, 0, source.dim(0).extent() - 1),
               hl.clamp(row, 0, source.dim(1).extent() - 1)]))
    out[x, y] = smoothed(lambda column, row: hl.Expr(near[column, row]))
    return out


def expected(data):
    values = np.pad(data.astype(np.int32), 2 * REACH, mode="edge")
    for _ in range(2):
        height, width = (extent - 2 * REACH for extent in values.shape)
        values = sum((abs(dx) + 2 * abs(dy) + 1)
                     * values[dy + REACH : dy + REACH + height, dx + REACH : dx + REACH + width]
                     for dx in range(-REACH, REACH + 1) for dy in range(-REACH, REACH + 1)) % 251
    return values


def fitted(decisions, root, member):
    """The list by which `near` is computed in the blocks of `out`; serial and threads along x and y of
    the one, points per thread of the other."""
    names = {one["name"].split("#")[0]: one["name"] for one in decisions["decisions"]
             if one["kind"] == "place" and ".in(" not in one["name"]}
    near, out = names["near"], names["out"]
    values = [(out, "place", "root")]
    for loop, (serial, threads) in zip("xy", root):
        values += [(f"{out}.{loop}", "serial", serial), (f"{out}.{loop}", "threads", threads)]
    values.append((near, "place", "block"))
    values += [(f"{near}.{loop}", "serial", serial) for loop, serial in zip("xy", member)]
    copies = [dict(one, value="inline") for one in decisions["decisions"]
              if one["kind"] == "place" and one["name"] not in (near, out)]
    decisions["decisions"] = [{"name": name, "kind": kind, "value": value, "choices": []}
                              for name, kind, value in values] + copies
    return decisions


class FittedBlocks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        hl.load_plugin(PLUGIN)
        # The first Func of a name is called otherwise than those that come later.
        twice_smoothed(hl.ImageParam(hl.UInt(8), 2, "source"))

    def make(self, width=1536, height=1024):
        source = hl.ImageParam(hl.UInt(8), 2, "source")
        out = twice_smoothed(source)
        for buffer in (source, out):
            buffer.set_estimates([hl.Range(0, width), hl.Range(0, height)])
        return source, hl.Pipeline(out)

    def scheduled(self, pipeline, **parameters):
        """The schedule's source, the decisions and the report."""
        with tempfile.TemporaryDirectory() as folder:
            decisions, report = pathlib.Path(folder, "decisions"), pathlib.Path(folder, "report")
            result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams(
                "GPU", {"gpu": "A100", "decisions_out": str(decisions), "report": str(report),
                        **parameters}))
            return (result.schedule_source, json.loads(decisions.read_text()),
                    json.loads(report.read_text()))

    def check(self, source, pipeline):
        for width, height in SIZES:
            data = np.random.default_rng(1).integers(0, 255, (height, width)).astype(np.uint8)
            source.set(hl.Buffer(data))
            found = np.asarray(pipeline.realize([width, height], OPENCL))
            np.testing.assert_array_equal(found, expected(data), f"{width} x {height}")

    def test_compute_what_they_should(self):
        for root, member in ((((2, 30), (4, 4)), (2, 5)), (((1, 28), (1, 12)), (1, 1)),
                             (((4, 31), (2, 2)), (4, 4))):
            with self.subTest(f"{root} {member}"):
                _, pipeline = self.make()
                _, decisions, _ = self.scheduled(pipeline)
                with tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder, "list.json")
                    path.write_text(json.dumps(fitted(decisions, root, member)))
                    source, pipeline = self.make()
                    schedule, _, _ = self.scheduled(pipeline, decisions=str(path))
                self.assertIn(f"x_t, {root[0][1]}" if root[0][0] == 1 else f"x_s, {root[0][0]}",
                              schedule)
                self.check(source, pipeline)

    def parts(self, report):
        return [part for part in report["search"]["parts"] if part["name"] == "fit_blocks"]

    def test_are_made_by_the_search(self):
        source, pipeline = self.make()
        _, _, report = self.scheduled(pipeline)
        gains = [part["cost_before_us"] - part["cost_after_us"] for part in self.parts(report)]
        self.assertGreater(max(gains), 0)
        self.check(source, pipeline)

    def test_can_be_switched_off(self):
        _, pipeline = self.make()
        _, _, report = self.scheduled(pipeline, disable_decisions="fitted_blocks")
        self.assertEqual(self.parts(report), [])


if __name__ == "__main__":
    unittest.main()
