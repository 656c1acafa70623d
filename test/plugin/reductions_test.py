"""Updates whose loops blocks share are right where these run no time, and where they run more often
than a grid has blocks.

usage: reductions_test.py libautoschedule_gpu.so [unittest arguments]
"""

import importlib.util
import json
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

import halide as hl
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "src/python"))

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
CUDA = hl.Target("x86-64-linux-cuda-cuda_capability_80")
SIZES = [(1024, 768), (2, 2), (1, 1), (1, 40), (3, 3), (6, 2), (3, 2), (2, 3), (37, 53), (64, 70000),
         (70000, 5), (3, 600000)]


class Inside:
    """Twice of what is inside an image, which may be nothing, or less, and the image less one around
    it."""

    def __init__(self, border=1, above=None):
        x, y = hl.Var("x"), hl.Var("y")
        self.border, self.above = border, above
        self.image = hl.ImageParam(hl.Int(32), 2, "image")
        extents = [self.image.width() - 2 * border, self.image.height() - 2 * border]
        inside = hl.RDom([(border, extent) for extent in extents], "inside")
        if above is not None:
            inside.where(self.image[inside.x, inside.y] > above)
        doubled, out = hl.Func("doubled"), hl.Func("out")
        doubled[x, y] = self.image[x, y] - 1
        doubled[inside.x, inside.y] = self.image[inside.x, inside.y] * 2
        out[x, y] = doubled[x, y] * 3
        for buffer in (self.image, out):
            buffer.set_estimates([hl.Range(0, 1024), hl.Range(0, 768)])
        self.pipeline = hl.Pipeline(out)

    def check(self, width, height):
        image = np.random.default_rng(1).integers(0, 1000, (height, width), dtype=np.int32)
        expected = image - 1
        inside = (slice(self.border, max(self.border, height - self.border)),
                  slice(self.border, max(self.border, width - self.border)))
        counts = image[inside] > (-1 if self.above is None else self.above)
        expected[inside] = np.where(counts, image[inside] * 2, expected[inside])
        self.image.set(hl.Buffer(image))
        found = np.asarray(self.pipeline.realize([width, height], OPENCL))
        np.testing.assert_array_equal(found, expected * 3, f"{width} x {height}")


class Histogram:
    """Of an image, whose pixels blocks share."""

    def __init__(self):
        x = hl.Var("x")
        self.image = hl.ImageParam(hl.UInt(8), 2, "image")
        pixels = hl.RDom([(0, self.image.width()), (0, self.image.height())], "pixels")
        counts, out = hl.Func("counts"), hl.Func("out")
        counts[x] = 0
        counts[hl.i32(self.image[pixels.x, pixels.y])] += 1
        out[x] = counts[x] * 3
        self.image.set_estimates([hl.Range(0, 1024), hl.Range(0, 768)])
        out.set_estimates([hl.Range(0, 256)])
        self.pipeline = hl.Pipeline(out)

    def check(self, width, height):
        image = np.random.default_rng(1).integers(0, 256, (height, width), dtype=np.uint8)
        self.image.set(hl.Buffer(image))
        found = np.asarray(self.pipeline.realize([256], OPENCL))
        expected = np.bincount(image.ravel(), minlength=256) * 3
        np.testing.assert_array_equal(found, expected, f"{width} x {height}")


class RowSums:
    """Of an image; lanes that share a row put their sums together in a block."""

    sizes = [(600, 400), *SIZES]

    def __init__(self):
        y = hl.Var("y")
        self.image = hl.ImageParam(hl.Float(32), 2, "image")
        row = hl.RDom([(0, self.image.width())], "row")
        out = hl.Func("out")
        out[y] = 0.0
        out[y] += self.image[row, y]
        self.image.set_estimates([hl.Range(0, 600), hl.Range(0, 400)])
        out.set_estimates([hl.Range(0, 400)])
        self.pipeline = hl.Pipeline(out)

    def check(self, width, height):
        image = np.random.default_rng(1).random((height, width), dtype=np.float32)
        self.image.set(hl.Buffer(image))
        found = np.asarray(self.pipeline.realize([height], OPENCL))
        np.testing.assert_allclose(found, image.sum(axis=1), rtol=1e-4,
                                   err_msg=f"{width} x {height}")


class PlaneSums:
    """Of an image of four dimensions; parts of a plane are put together in blocks that run over both
    of the others, as well."""

    sizes = [(8, 4), (1, 1), (3, 1), (1, 70), (70, 1), (5, 33)]

    def __init__(self):
        c, n = hl.Var("c"), hl.Var("n")
        self.image = hl.ImageParam(hl.Float(32), 4, "image")
        # Of what may be empty OpenCL has no such parts: their barriers would be under a condition.
        plane = hl.RDom([(0, hl.max(1, self.image.dim(d).extent())) for d in range(2)], "plane")
        sums, out = hl.Func("sums"), hl.Func("out")
        sums[c, n] = 0.0
        sums[c, n] += self.image[plane.x, plane.y, c, n]
        out[c, n] = sums[c, n] * 2
        self.image.set_estimates([hl.Range(0, extent) for extent in (200, 300, 8, 4)])
        out.set_estimates([hl.Range(0, 8), hl.Range(0, 4)])
        self.pipeline = hl.Pipeline(out)

    def check(self, channels, images):
        image = np.random.default_rng(1).random((images, channels, 300, 200), dtype=np.float32)
        self.image.set(hl.Buffer(image))
        found = np.asarray(self.pipeline.realize([channels, images], OPENCL))
        np.testing.assert_allclose(found, image.sum(axis=(2, 3)) * 2, rtol=1e-4,
                                   err_msg=f"{channels} x {images}")


class MaskedSums:
    """Of what is in a circle, and of as much of each row as its number says; maxima likewise."""

    sizes = [(200, 20), (200, 1), (200, 7), (3000, 20), (3000, 333)]

    def __init__(self):
        i = hl.Var("i")
        self.planes = hl.ImageParam(hl.Float(32), 3, "planes")
        self.rows = hl.ImageParam(hl.Float(32), 2, "rows")
        circle = hl.RDom([(0, 200), (0, 200)], "circle")
        dx, dy = circle.x - 100, circle.y - 100
        circle.where(dx * dx + dy * dy < 10_000)
        row = hl.RDom([(0, hl.max(1, self.rows.width()))], "row")
        row.where(row < i * 16)
        sums, most, out = hl.Func("sums"), hl.Func("most"), hl.Func("out")
        sums[i] = 1.0
        sums[i] += self.planes[circle.x, circle.y, i]
        most[i] = 0.5
        most[i] = hl.max(most[i], self.rows[row, i])
        out[i] = sums[i] + most[i]
        self.planes.set_estimates([hl.Range(0, extent) for extent in (200, 200, 20)])
        self.rows.set_estimates([hl.Range(0, 3000), hl.Range(0, 20)])
        out.set_estimates([hl.Range(0, 20)])
        self.pipeline = hl.Pipeline(out)

    def check(self, width, count):
        random = np.random.default_rng(1)
        planes = random.random((count, 200, 200), dtype=np.float32)
        rows = random.random((count, width), dtype=np.float32)
        self.planes.set(hl.Buffer(planes))
        self.rows.set(hl.Buffer(rows))
        found = np.asarray(self.pipeline.realize([count], OPENCL))
        x, y = np.meshgrid(np.arange(200) - 100, np.arange(200) - 100)
        sums = 1 + planes[:, x * x + y * y < 10_000].sum(axis=1)
        most = [max([0.5, *row[: 16 * i]]) for i, row in enumerate(rows)]
        np.testing.assert_allclose(found, sums + most, rtol=1e-4, err_msg=f"{width} x {count}")


class SumsOfNothing:
    """Under a condition that never holds, whether Halide sees it or not."""

    sizes = [(20,), (1,)]

    def __init__(self, condition):
        i = hl.Var("i")
        self.planes = hl.ImageParam(hl.Float(32), 3, "planes")
        plane = hl.RDom([(0, 200), (0, 200)], "plane")
        plane.where(condition(plane.x, plane.y))
        sums, out = hl.Func("sums"), hl.Func("out")
        sums[i] = 2.0
        sums[i] += self.planes[plane.x, plane.y, i]
        out[i] = sums[i] * 2
        self.planes.set_estimates([hl.Range(0, extent) for extent in (200, 200, 20)])
        out.set_estimates([hl.Range(0, 20)])
        self.pipeline = hl.Pipeline(out)

    def check(self, count):
        planes = np.ones((count, 200, 200), dtype=np.float32)
        self.planes.set(hl.Buffer(planes))
        found = np.asarray(self.pipeline.realize([count], OPENCL))
        np.testing.assert_array_equal(found, 4)


class ClusterSums:
    """Of points, each of which data puts in one of 16 clusters."""

    sizes = [(100_000, 8), (1, 8), (37, 3), (70_001, 1), (5_000, 20)]

    def __init__(self):
        d, k = hl.Var("d"), hl.Var("k")
        self.points = hl.ImageParam(hl.Float(32), 2, "points")
        self.cluster = hl.ImageParam(hl.Int(32), 1, "cluster")
        point = hl.RDom([(0, hl.max(1, self.cluster.dim(0).extent()))], "point")
        sums, out = hl.Func("sums"), hl.Func("out")
        sums[d, k] = 0.0
        sums[d, hl.clamp(self.cluster[point], 0, 15)] += self.points[d, point]
        out[d, k] = sums[d, k] * 2
        self.points.set_estimates([hl.Range(0, 8), hl.Range(0, 100_000)])
        self.cluster.set_estimates([hl.Range(0, 100_000)])
        out.set_estimates([hl.Range(0, 8), hl.Range(0, 16)])
        self.pipeline = hl.Pipeline(out)

    def check(self, count, dimensions):
        random = np.random.default_rng(1)
        points = random.random((count, dimensions), dtype=np.float32)
        cluster = random.integers(0, 16, count, dtype=np.int32)
        self.points.set(hl.Buffer(points))
        self.cluster.set(hl.Buffer(cluster))
        found = np.asarray(self.pipeline.realize([dimensions, 16], OPENCL))
        expected = np.zeros((16, dimensions))
        np.add.at(expected, cluster, points)
        np.testing.assert_allclose(found, expected * 2, rtol=1e-3, err_msg=f"{count}")


class CausalScores:
    """Of keys for queries, of which each counts those up to its own place; as shares of the whole."""

    sizes = [(256, 256), (1, 1), (37, 53), (53, 37), (300, 2)]

    def __init__(self):
        k, q = hl.Var("k"), hl.Var("q")
        self.keys = hl.ImageParam(hl.Float(32), 2, "keys")
        self.queries = hl.ImageParam(hl.Float(32), 2, "queries")
        feature = hl.RDom([(0, 64)], "feature")
        key = hl.RDom([(0, self.keys.dim(1).extent())], "key")
        product, score, total, out = (hl.Func(n) for n in ("product", "score", "total", "out"))
        product[k, q] = 0.0
        product[k, q] += self.keys[feature, k] * self.queries[feature, q]
        score[k, q] = hl.select(k <= q, hl.exp(product[k, q]), 0.0)
        total[q] = 0.0
        total[q] += score[key, q]
        out[k, q] = score[k, q] / total[q]
        for image in (self.keys, self.queries):
            image.set_estimates([hl.Range(0, 64), hl.Range(0, 256)])
        out.set_estimates([hl.Range(0, 256), hl.Range(0, 256)])
        self.pipeline = hl.Pipeline(out)

    def check(self, keys, queries):
        random = np.random.default_rng(1)
        k, q = (random.random((n, 64), dtype=np.float32) * 0.1 for n in (keys, queries))
        self.keys.set(hl.Buffer(k))
        self.queries.set(hl.Buffer(q))
        scores = np.exp(q @ k.T) * (np.arange(keys) <= np.arange(queries)[:, None])
        found = np.asarray(self.pipeline.realize([keys, queries], OPENCL))
        np.testing.assert_allclose(found, scores / scores.sum(axis=1, keepdims=True), rtol=1e-4,
                                   err_msg=f"{keys} x {queries}")


class BoxesOfBoxes:
    """The mean of a square, and of what is made of such means: two Funcs read the first sum, both by
    way of what is inlined."""

    sizes = [(256, 200), (1, 1), (3, 70), (70, 3), (129, 65)]

    def __init__(self):
        x, y = hl.Var("x"), hl.Var("y")
        self.image = hl.ImageParam(hl.Float(32), 2, "image")

        def box(values, name):
            reach = hl.RDom([(-4, 9)], "reach_" + name)
            along, whole, mean = (hl.Func(n + name) for n in ("along_", "whole_", "mean_"))
            along[x, y] = 0.0
            along[x, y] += values[x + reach, y]
            whole[x, y] = 0.0
            whole[x, y] += along[x, y + reach]
            mean[x, y] = whole[x, y] / 81
            return mean

        inverse, out = hl.Func("inverse"), hl.Func("out")
        mean = box(hl.BoundaryConditions.repeat_edge(self.image), "first")
        inverse[x, y] = 1 / (mean[x, y] + 1)
        out[x, y] = box(inverse, "second")[x, y] * self.image[x, y] + mean[x, y]
        for buffer in (self.image, out):
            buffer.set_estimates([hl.Range(0, 2000), hl.Range(0, 1500)])
        self.pipeline = hl.Pipeline(out)

    def check(self, width, height):
        image = np.random.default_rng(1).random((height, width), dtype=np.float32)
        self.image.set(hl.Buffer(image))

        def box(values):
            rows = np.lib.stride_tricks.sliding_window_view(values, (9, 9))
            return rows.sum(axis=(2, 3)) / 81

        mean = box(np.pad(image, 8, "edge"))
        expected = box(1 / (mean + 1)) * image + mean[4:-4, 4:-4]
        found = np.asarray(self.pipeline.realize([width, height], OPENCL))
        np.testing.assert_allclose(found, expected, rtol=1e-4, err_msg=f"{width} x {height}")


def loaded(path):
    """The module that the file is."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Reductions(unittest.TestCase):
    def check(self, make, tiles="for_full_tiles"):
        """A schedule, and itself as Python. Returns the report on it."""
        hl.load_plugin(PLUGIN)
        with tempfile.TemporaryDirectory() as folder:
            python, report = (pathlib.Path(folder) / name for name in ("schedule.py", "report"))
            found, again = make(), make()
            parameters = {"gpu": "A100", "python_out": str(python), "report": str(report)}
            found.pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
            self.assertIn(tiles, python.read_text())
            report = json.loads(report.read_text())
            with unittest.mock.patch("autoschedule_gpu.plugin.plugin_path", return_value=PLUGIN):
                loaded(python).apply_schedule(again.pipeline)
        for size in getattr(found, "sizes", SIZES):
            found.check(*size)
            again.check(*size)
        return report

    def test_that_may_be_empty(self):
        self.check(Inside)

    def test_that_may_be_less_than_empty_and_are_whole(self):
        """A condition on data keeps loops from being split: what runs less than no time twice over
        must not run at all."""
        self.check(lambda: Inside(2, 500))

    def test_that_meet_in_atomic_additions(self):
        self.check(Histogram)

    def test_whose_rows_may_be_empty(self):
        """Halide would put that condition around barriers, of which PoCL makes wrong code."""
        self.check(RowSums)

    def test_of_planes_beside_two_other_loops(self):
        self.check(PlaneSums)

    def test_of_clusters_that_data_chooses(self):
        self.check(ClusterSums)

    def test_under_conditions(self):
        self.check(MaskedSums)

    def test_behind_a_mask(self):
        """A thread has no constant number of the products that count: what Halide would refuse is
        not even tried."""
        self.assertEqual(self.check(CausalScores)["trial_lowerings_refused"], [])

    def test_that_what_is_inlined_reads(self):
        """For CUDA Halide would refuse sums whose threads keep what is behind a doubtful guard."""
        self.assertEqual(self.check(BoxesOfBoxes)["trial_lowerings_refused"], [])
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report"
            parameters = hl.AutoschedulerParams("GPU", {"gpu": "A100", "report": str(report)})
            BoxesOfBoxes().pipeline.apply_autoscheduler(CUDA, parameters)
            self.assertEqual(json.loads(report.read_text())["trial_lowerings_refused"], [])

    def test_under_conditions_that_never_hold(self):
        for condition in (lambda x, y: x < 0, lambda x, y: x * x + y * y == 3):
            self.check(lambda: SumsOfNothing(condition), "gpu")


if __name__ == "__main__":
    unittest.main(verbosity=2)
