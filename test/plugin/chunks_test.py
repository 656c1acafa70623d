"""Blocks have whole chunks of an algorithm that is blocked itself, at any size.

usage: chunks_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import sys
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
WAY = 16  # values per line, and lines per row, and rows per chunk
CHUNK = WAY**3
SIZES = [1, 15, 17, 255, 257, 4095, 4096, 4097, 20_001]


def scan(name, value):
    """f(0, c) = 0, f(k + 1, c) = f(k, c) + value(k, c)."""
    f, r = hl.Func(name), hl.RDom([(1, WAY)], name + "_r")
    i, c = hl.Var("i"), hl.Var("c")
    f[i, c] = 0
    f[r.x, c] = f[r.x - 1, c] + value(r.x - 1, c)
    return f


def sums_in_chunks():
    source = hl.ImageParam(hl.Int(32), 1, "source")
    count = source.dim(0).extent()
    x = hl.Var("x")

    def values(k, c):
        at = c * WAY + k
        return hl.select(at < count, source[hl.clamp(at, 0, count - 1)], 0)

    lines = scan("lines", values)
    rows = scan("rows", lambda k, c: lines[WAY, c * WAY + k])
    chunks = scan("chunks", lambda k, c: rows[WAY, c * WAY + k])
    out = hl.Func("out")
    out[x] = (lines[x % WAY + 1, x // WAY] + rows[x // WAY % WAY, x // WAY**2]
              + chunks[x // WAY**2 % WAY, x // CHUNK])
    source.dim(0).set_min(0)
    out.output_buffer().dim(0).set_min(0)
    for func in (source, out):
        func.set_estimates([hl.Range(0, 10_000_000)])
    return source, out


def expected(data):
    padded = np.zeros(-(-data.size // CHUNK) * CHUNK, dtype=data.dtype)
    padded[:data.size] = data
    return padded.reshape(-1, CHUNK).cumsum(axis=1, dtype=data.dtype).reshape(-1)[:data.size]


def schedule_and_check(**parameters):
    """Compares at all sizes, and returns the schedule."""
    hl.load_plugin(PLUGIN)
    source, out = sums_in_chunks()
    pipeline = hl.Pipeline(out)
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    for size in SIZES:
        data = np.random.default_rng(1).integers(-99, 99, size, dtype=np.int32)
        source.set(hl.Buffer(data))
        found = np.asarray(pipeline.realize([size], OPENCL))
        np.testing.assert_array_equal(found, expected(data), str(size))
    return result.schedule_source


class Chunks(unittest.TestCase):
    def test_are_scanned_in_the_block_that_reads_them(self):
        schedule = schedule_and_check()
        self.assertEqual(schedule.count(".compute_root()"), 1)
        self.assertRegex(schedule, rf"split\(x, x_b, x_i, {CHUNK}, TailStrategy::GuardWithIf\)")
        self.assertRegex(schedule, r"split\(x_i, x_s, x_t, \d+, TailStrategy::Auto\)")

    def test_have_consecutive_points_if_that_is_wanted(self):
        schedule = schedule_and_check(disable_decisions="rows")
        self.assertEqual(schedule.count(".compute_root()"), 1)
        self.assertRegex(schedule, r"split\(x_i, x_t, x_s, \d+, TailStrategy::Auto\)")


if __name__ == "__main__":
    unittest.main()
