"""Two or four channels of what a thread keeps in registers are one vector, loaded at once from a Func
that lies so in memory; pictures of any size and at any place come out the same.

usage: channel_vectors_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import re
import sys
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
ENTRIES, WIDTH, HEIGHT = 1 << 14, 3072, 2048  # more than shared memory has room for
TONES = 4
VECTOR = re.compile(r"\.vectorize\(c\)")
PROMISE = re.compile(r"\.bound_extent\(c, (\d)\)")
x, y, v, c = hl.Var("x"), hl.Var("y"), hl.Var("v"), hl.Var("c")


def pipeline_of(channels):
    """Curves in a table, of which each pixel looks up all, between two entries."""
    picture = hl.ImageParam(hl.Float(32), 2, "picture")
    picture.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    curves, at, out = (hl.Func(name) for name in ("curves", "at", "out"))
    k = hl.RDom([(1, TONES)], "k")
    curves[v, c] = hl.f32(0)
    curves[v, c] += hl.sin(hl.f32(v) * (c + 1) * k / ENTRIES) / k
    place = picture[x, y] * (ENTRIES - 1)
    entry = hl.clamp(hl.i32(hl.floor(place)), 0, ENTRIES - 2)
    at[x, y, c] = hl.lerp(curves[entry, c], curves[entry + 1, c], place - entry)
    total = at[x, y, 0]
    for channel in range(1, channels):
        total = total + at[x, y, channel] * (channel + 1)
    out[x, y] = total
    out.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    return picture, out


def scheduled(channels, **parameters):
    hl.load_plugin(PLUGIN)
    picture, out = pipeline_of(channels)
    pipeline = hl.Pipeline(out)
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    return picture, pipeline, result.schedule_source


def expected(picture, channels):
    place = picture.astype(np.float64) * (ENTRIES - 1)
    entry = np.clip(np.floor(place), 0, ENTRIES - 2)
    total = np.zeros(picture.shape)
    for channel in range(channels):
        curve = lambda n: sum(np.sin(n * (channel + 1) * k / ENTRIES) / k
                              for k in range(1, TONES + 1))
        at = curve(entry) + (curve(entry + 1) - curve(entry)) * (place - entry)
        total += at * (channel + 1)
    return total


class ChannelVectors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pipelines = {channels: scheduled(channels) for channels in (2, 3, 4)}

    def check(self, channels, rows, columns, first=(0, 0)):
        picture, pipeline, _ = self.pipelines[channels]
        given = np.random.default_rng(1).random((rows, columns), np.float32)
        pixels = hl.Buffer(given)
        pixels.set_min(list(first))
        picture.set(pixels)
        found = np.zeros((rows, columns), np.float32)
        out = hl.Buffer(found)
        out.set_min(list(first))
        pipeline.realize(out, OPENCL)
        out.copy_to_host()
        np.testing.assert_allclose(found, expected(given, channels), rtol=1e-4)

    def test_are_loaded_at_once(self):
        for channels in (2, 4):
            with self.subTest(channels=channels):
                text = self.pipelines[channels][2]
                self.assertRegex(text, VECTOR)
                self.assertEqual(set(PROMISE.findall(text)), {str(channels)})

    def test_are_none_of_three_channels(self):
        self.assertNotRegex(self.pipelines[3][2], VECTOR)

    def test_are_none_if_that_is_wanted(self):
        text = scheduled(4, disable_decisions="channel_vectors")[2]
        self.assertNotRegex(text, VECTOR)
        self.assertNotRegex(text, PROMISE)

    def test_compute_the_same_at_any_size(self):
        for channels in self.pipelines:
            for rows, columns in [(1, 1), (7, 5), (33, 65), (127, 130), (64, 512)]:
                with self.subTest(channels=channels, rows=rows, columns=columns):
                    self.check(channels, rows, columns)

    def test_compute_the_same_at_any_place(self):
        for channels in self.pipelines:
            for first in [(-3, 5), (64, 128), (-129, -64)]:
                with self.subTest(channels=channels, first=first):
                    self.check(channels, 67, 129, first)


if __name__ == "__main__":
    unittest.main()
