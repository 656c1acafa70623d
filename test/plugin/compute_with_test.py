"""Kernels that share a launch: where the search puts them together, and, with whatever list puts them
together, that nothing else is computed, at any size.

usage: compute_with_test.py libautoschedule_gpu.so [unittest arguments]
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
SIZES = [(1, 1), (33, 5), (31, 32), (97, 130), (200, 67)]
x, y, channel = hl.Var("x"), hl.Var("y"), hl.Var("channel")


def clamped(source):
    return lambda column, row: hl.i32(source[hl.clamp(column, 0, source.dim(0).extent() - 1),
                                             hl.clamp(row, 0, source.dim(1).extent() - 1)])


def statistics(source):
    """The sum, the least and the greatest of each column, and what they say of each point."""
    step = hl.RDom([(0, source.dim(1).extent())], "step")
    total, least, most, out = (hl.Func(name) for name in ("total", "least", "most", "out"))
    value = clamped(source)(x, step)
    total[x] = 0
    total[x] += value
    least[x] = 255
    least[x] = hl.min(least[x], value)
    most[x] = 0
    most[x] = hl.max(most[x], value)
    out[x, y] = hl.i32(source[x, y]) * (most[x] - least[x] + 1) - total[x]
    return out


def expected_statistics(data):
    data = data.astype(np.int32)
    return data * (data.max(axis=0) - data.min(axis=0) + 1) - data.sum(axis=0)


def siblings(source):
    """Two derivatives, one a Tuple, and a sum over a window at a quarter of the points."""
    read = clamped(source)
    dx, dy, small, out = (hl.Func(name) for name in ("dx", "dy", "small", "out"))
    window = hl.RDom([(0, 3)], "window")
    dx[x, y] = read(x + 1, y) - read(x - 1, y)
    dy[x, y] = (read(x, y + 1) - read(x, y - 1), read(x, y) + y)
    small[x, y] = y
    small[x, y] += read(2 * x + window.x, 2 * y) * (window.x + 1)
    out[x, y] = (dx[x - 2, y] * 3 + dx[x + 3, y] + dy[x, y - 3][0] - dy[x, y + 1][1]
                 + small[x // 2, y // 2] + small[x // 2 + 1, y // 2])
    return out


def expected_siblings(data):
    height, width = data.shape
    rows, columns = np.mgrid[0:height, 0:width]

    def read(column, row):
        return data.astype(np.int32)[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]

    def dx(column, row):
        return read(column + 1, row) - read(column - 1, row)

    def small(column, row):
        return row + sum(read(2 * column + k, 2 * row) * (k + 1) for k in range(3))

    up, down = rows - 3, rows + 1
    return (dx(columns - 2, rows) * 3 + dx(columns + 3, rows)
            + read(columns, up + 1) - read(columns, up - 1) - (read(columns, down) + down)
            + small(columns // 2, rows // 2) + small(columns // 2 + 1, rows // 2))


def smaller(read, name):
    """Half of a picture along each dimension."""
    across, down = hl.Func(name + "_across"), hl.Func(name)
    across[x, y] = (read(2 * x - 1, y) + 3 * (read(2 * x, y) + read(2 * x + 1, y))
                    + read(2 * x + 2, y))
    down[x, y] = (across[x, 2 * y - 1] + 3 * (across[x, 2 * y] + across[x, 2 * y + 1])
                  + across[x, 2 * y + 2]) // 64
    return lambda column, row: hl.Expr(down[column, row])


def two_pyramids(source):
    """Differences between the levels of a picture's pyramid and of its negative's."""
    left, out = clamped(source), hl.Func("out")
    right = lambda column, row: 255 - clamped(source)(column, row) // 2
    value = hl.Expr(0)
    for level in range(3):
        left, right = smaller(left, f"left{level}"), smaller(right, f"right{level}")
        size = 2 << level
        value += left(x // size, y // size) * 3 - right(x // size + 1, y // size)
    out[x, y] = value
    return out


def half(read):
    """What `smaller` says, of arrays of coordinates."""
    def across(column, row):
        return (read(2 * column - 1, row) + 3 * (read(2 * column, row) + read(2 * column + 1, row))
                + read(2 * column + 2, row))
    return lambda column, row: (
        across(column, 2 * row - 1) + 3 * (across(column, 2 * row) + across(column, 2 * row + 1))
        + across(column, 2 * row + 2)) // 64


def expected_two_pyramids(data):
    height, width = data.shape

    def picture(column, row):
        return data.astype(np.int32)[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]

    rows, columns = np.mgrid[0:height, 0:width]
    left, right = picture, lambda column, row: 255 - picture(column, row) // 2
    value = 0
    for level in range(3):
        left, right, size = half(left), half(right), 2 << level
        value = (value + left(columns // size, rows // size) * 3
                 - right(columns // size + 1, rows // size))
    return value


def pyramids_of_channels(source):
    """The levels of a picture's pyramid, and of that of three pictures made of it."""
    left, out = clamped(source), hl.Func("out")
    right = lambda column, row, channel: clamped(source)(column, row) * (channel + 1)
    value = hl.Expr(0)
    for level in range(3):
        left, right = smaller(left, f"left{level}"), smaller_channels(right, f"right{level}")
        size = 2 << level
        here = left(x // size, y // size)
        value += here * 3 - right(x // size + 1, y // size, hl.clamp(here % 3, 0, 2))
    out[x, y] = value
    return out


def smaller_channels(read, name):
    """Half of each picture along each dimension."""
    across, down = hl.Func(name + "_across"), hl.Func(name)
    across[x, y, channel] = (read(2 * x - 1, y, channel)
                             + 3 * (read(2 * x, y, channel) + read(2 * x + 1, y, channel))
                             + read(2 * x + 2, y, channel))
    down[x, y, channel] = (across[x, 2 * y - 1, channel]
                           + 3 * (across[x, 2 * y, channel] + across[x, 2 * y + 1, channel])
                           + across[x, 2 * y + 2, channel]) // 64
    return lambda column, row, of: hl.Expr(down[column, row, of])


def expected_pyramids_of_channels(data):
    height, width = data.shape
    rows, columns = np.mgrid[0:height, 0:width]

    def picture(column, row):
        return data.astype(np.int32)[np.clip(row, 0, height - 1), np.clip(column, 0, width - 1)]

    left = picture
    rights = [lambda column, row, factor=factor: picture(column, row) * factor
              for factor in (1, 2, 3)]
    value = 0
    for level in range(3):
        left, rights, size = half(left), [half(right) for right in rights], 2 << level
        here = left(columns // size, rows // size)
        there = [right(columns // size + 1, rows // size) for right in rights]
        value = value + here * 3 - np.choose(here % 3, there)
    return value


def decided(pipeline, **parameters):
    """The schedule's source and the decisions."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "decisions.json")
        result = pipeline.apply_autoscheduler(
            OPENCL, hl.AutoschedulerParams("GPU", {"decisions_out": str(path), **parameters}))
        return result.schedule_source, json.loads(path.read_text())


def all_at_root(decisions, tiles):
    """The list by which all Funcs that compute something are at root, in one launch where they may be;
    `tiles` are points and threads by the name of the Func."""
    named = {one["name"].split("#")[0]: one["name"] for one in decisions["decisions"]
             if one["kind"] == "place" and ".in(" not in one["name"]}
    values = [(named["out"], "place", "root"), (named["out"] + ".x", "threads", 32)]
    for func, stages in (("dx", 1), ("dy", 1), ("small", 2)):
        values.append((named[func], "place", "root"))
        for stage in range(stages):
            name = named[func] + (f".update({stage - 1})" if stage else "")
            for loop, (serial, threads) in zip("xy", tiles[func]):
                values += [(f"{name}.{loop}", "serial", serial),
                           (f"{name}.{loop}", "threads", threads)]
    first, *others = sorted((named["dx"], named["dy"], named["small"]), key=tiles["order"].index)
    values += [(other, "compute_with", first) for other in others]
    values += [(one["name"], "place", "inline") for one in decisions["decisions"]
               if one["kind"] == "place" and one["name"].endswith(".in()")]
    others = [one for one in decisions["decisions"]
              if one["kind"] == "place" and one["name"].startswith("source_im")
              and not one["name"].endswith(".in()")]
    decisions["decisions"] = others + [
        {"name": name, "kind": kind, "value": value, "choices": []} for name, kind, value in values]
    return decisions


class ComputeWith(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        hl.load_plugin(PLUGIN)
        # The first Func of a name is called otherwise than those that come later.
        siblings(hl.ImageParam(hl.UInt(8), 2, "source"))

    def make(self, build, width=512, height=256):
        source = hl.ImageParam(hl.UInt(8), 2, "source")
        out = build(source)
        for buffer in (source, out):
            buffer.set_estimates([hl.Range(0, width), hl.Range(0, height)])
        return source, hl.Pipeline(out)

    def check(self, source, pipeline, expected):
        for width, height in SIZES:
            data = np.random.default_rng(1).integers(0, 255, (height, width)).astype(np.uint8)
            source.set(hl.Buffer(data))
            found = np.asarray(pipeline.realize([width, height], OPENCL))
            np.testing.assert_array_equal(found, expected(data), f"{width} x {height}")

    def test_is_found_by_the_search(self):
        source, pipeline = self.make(statistics, 1024, 1024)
        schedule, _ = decided(pipeline, gpu="A100")
        self.assertIn(".compute_with(", schedule)
        self.check(source, pipeline, expected_statistics)

    def test_of_what_is_in_shared_memory_is_found_by_the_search(self):
        source, pipeline = self.make(two_pyramids, 512, 512)
        schedule, _ = decided(pipeline, gpu="A100")
        self.assertIn(".compute_with(", schedule)
        self.assertIn("TailStrategy::RoundUp", schedule)
        self.check(source, pipeline, expected_two_pyramids)

    def test_of_funcs_with_one_dimension_more_is_found_by_the_search(self):
        source, pipeline = self.make(pyramids_of_channels, 512, 512)
        schedule, _ = decided(pipeline, gpu="A100")
        self.assertIn(".compute_with(", schedule)
        self.check(source, pipeline, expected_pyramids_of_channels)

    def test_of_outputs_of_several_sizes_is_found_by_the_search(self):
        source = hl.ImageParam(hl.UInt(8), 2, "source")
        read = clamped(source)
        dx, dy = hl.Func("dx"), hl.Func("dy")
        dx[x, y] = read(x + 1, y) - read(x - 1, y)
        dy[x, y] = read(x, y + 1) - read(x, y - 1)
        for buffer in (source, dx, dy):
            buffer.set_estimates([hl.Range(0, 256), hl.Range(0, 256)])
        pipeline = hl.Pipeline([dx, dy])
        schedule, _ = decided(pipeline, gpu="A100")
        self.assertIn(".compute_with(", schedule)
        for (width, height), (more, others) in zip(SIZES, reversed(SIZES)):
            data = np.random.default_rng(1).integers(0, 255, (height, width)).astype(np.uint8)
            source.set(hl.Buffer(data))
            found = [hl.Buffer(hl.Int(32), size) for size in ([width, height], [more, others])]
            pipeline.realize(found, OPENCL)
            rows, columns = np.mgrid[-1 : max(height, others) + 1, -1 : max(width, more) + 1]
            value = data.astype(np.int32)[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
            expected = value[1:-1, 2:] - value[1:-1, :-2], value[2:, 1:-1] - value[:-2, 1:-1]
            for one, all_of_it in zip(found, expected):
                one.copy_to_host()
                of_it = np.asarray(one)
                np.testing.assert_array_equal(of_it, all_of_it[: of_it.shape[0], : of_it.shape[1]])

    def test_can_be_switched_off(self):
        _, pipeline = self.make(statistics, 1024, 1024)
        schedule, _ = decided(pipeline, gpu="A100", disable_decisions="compute_with")
        self.assertNotIn(".compute_with(", schedule)

    def test_of_several_sizes_values_and_tiles(self):
        for tiles in ({"dx": ((1, 32), (1, 8)), "dy": ((1, 32), (1, 8)), "small": ((1, 32), (1, 8))},
                      {"dx": ((2, 16), (2, 8)), "dy": ((1, 32), (1, 4)), "small": ((1, 16), (4, 2))},
                      {"dx": ((1, 64), (3, 1)), "dy": ((4, 8), (1, 1)), "small": ((1, 32), (1, 1))}):
            with self.subTest(str(tiles)):
                _, pipeline = self.make(siblings)
                # A short search lists the same decisions, and values are given below.
                _, decisions = decided(pipeline, gpu="A100", beam_size="1", num_passes="1")
                names = [one["name"] for one in decisions["decisions"] if one["kind"] == "place"]
                order = sorted(names, key=lambda name: int(name.split("#")[1].split(".")[0])
                               if "#" in name else -1)
                with tempfile.TemporaryDirectory() as folder:
                    path = pathlib.Path(folder, "list.json")
                    path.write_text(json.dumps(all_at_root(decisions, {**tiles, "order": order})))
                    source, pipeline = self.make(siblings)
                    schedule, again = decided(pipeline, gpu="A100", decisions=str(path))
                self.assertEqual(schedule.count(".compute_with("), 2)
                self.check(source, pipeline, expected_siblings)


if __name__ == "__main__":
    unittest.main()
