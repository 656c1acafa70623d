"""Four points in a row are loaded and stored at once where rows are aligned, and computed right where
they are not.

usage: vectors_test.py libautoschedule_gpu.so [unittest arguments]
"""

import json
import pathlib
import re
import sys
import tempfile
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
CUDA = hl.Target("x86-64-linux-cuda-cuda_capability_80")
SHAPE = (512, 768, 256)  # rows and columns of the result, and steps
DEEP = (128, 128, 65536)
x, y = hl.Var("x"), hl.Var("y")


def product(M, N, K):
    """A product of matrices, whose sums are kept in a thread's registers."""
    a, b = (hl.ImageParam(hl.Float(32), 2, name) for name in "ab")
    a.set_estimates([hl.Range(0, K), hl.Range(0, M)])
    b.set_estimates([hl.Range(0, N), hl.Range(0, K)])
    sums, out, k = hl.Func("sums"), hl.Func("out"), hl.RDom([(0, a.dim(0).extent())], "k")
    sums[x, y] = hl.f32(0)
    sums[x, y] += a[k.x, y] * b[x, k.x]
    out[x, y] = sums[x, y]
    out.set_estimates([hl.Range(0, N), hl.Range(0, M)])
    return a, b, out


def scheduled(target, shape=SHAPE, **parameters):
    hl.load_plugin(PLUGIN)
    a, b, out = product(*shape)
    pipeline = hl.Pipeline(out)
    result = pipeline.apply_autoscheduler(target, hl.AutoschedulerParams("GPU", parameters))
    return a, b, pipeline, result.schedule_source


def device_code(pipeline, arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "code"
        pipeline.compile_to({hl.OutputFileType.device_code: str(path)}, arguments, "f", CUDA)
        return path.read_bytes().decode(errors="replace")


def lowered(pipeline, arguments, target):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "lowered.stmt"
        pipeline.compile_to_lowered_stmt(str(path), arguments, hl.StmtOutputFormat.Text, target)
        return path.read_bytes().decode(errors="replace")


def with_rows_apart(array, width):
    """The same, with rows that are `width` elements apart."""
    padded = np.zeros((array.shape[0], width), array.dtype)
    padded[:, : array.shape[1]] = array
    return padded[:, : array.shape[1]]


class Vectors(unittest.TestCase):
    def test_are_loads_and_stores_of_16_bytes(self):
        a, b, pipeline, text = scheduled(CUDA, gpu="A100")
        self.assertIn("vectorize(", text)
        code = device_code(pipeline, [a, b])
        self.assertRegex(code, r"ld\.global(\.nc)?\.(v4\.\w+32|v2\.\w+64)")
        self.assertRegex(code, r"st\.global\.(v4\.\w+32|v2\.\w+64)")

    def test_are_taken_where_buffers_begin_aligned_on_the_device(self):
        """A buffer that is wrapped may begin anywhere; kernels can't ask where."""
        for shape in (SHAPE, DEEP):
            a, b, pipeline, _ = scheduled(CUDA, shape, gpu="A100")
            text = lowered(pipeline, [a, b], CUDA)
            for name in a.name(), b.name():
                self.assertRegex(text, r"_halide_buffer_get_device\(\(struct halide_buffer_t \*\)"
                                 + re.escape(name) + r"\.buffer\) % \(uint64\)16\) == ")
            self.assertNotIn("_halide_buffer_get_device", device_code(pipeline, [a, b]))

    def test_of_opencl_do_not_ask_for_addresses(self):
        a, b, pipeline, _ = scheduled(OPENCL)
        self.assertNotIn("% (uint64)16", lowered(pipeline, [a, b], OPENCL))

    def test_are_none_if_that_is_wanted(self):
        a, b, pipeline, text = scheduled(CUDA, gpu="A100", disable_decisions="vectors")
        self.assertNotIn("vectorize(", text)
        code = device_code(pipeline, [a, b])
        self.assertIsNone(re.search(r"global(\.nc)?\.(v4\.\w+32|v2\.\w+64)", code))

    def test_compute_the_same_wherever_rows_begin(self):
        a, b, pipeline, text = scheduled(OPENCL)
        self.assertIn("vectorize(", text)
        draw = np.random.default_rng(1)
        for rows, columns, depth in [(64, 256, 16), (65, 260, 17), (64, 255, 16), (63, 129, 7),
                                     (3, 4, 5), (1, 1, 1)]:
            left = draw.random((rows, depth), np.float32)
            right = draw.random((depth, columns), np.float32)
            for apart in (columns, columns + 1, (columns + 7) // 4 * 4):
                # Buffers do not keep the arrays.
                padded = with_rows_apart(right, apart)
                found = with_rows_apart(np.zeros((rows, columns), np.float32), apart)
                a.set(hl.Buffer(left))
                b.set(hl.Buffer(padded))
                out = hl.Buffer(found)
                pipeline.realize(out, OPENCL)
                out.copy_to_host()
                np.testing.assert_allclose(found, left @ right, rtol=1e-4,
                                           err_msg=str((rows, columns, depth, apart)))

    def test_compute_the_same_of_a_crop(self):
        """Rows that begin in the middle of a vector."""
        a, b, pipeline, _ = scheduled(OPENCL)
        draw = np.random.default_rng(1)
        left, right = draw.random((64, 16), np.float32), draw.random((16, 260), np.float32)
        a.set(hl.Buffer(left))
        b.set(hl.Buffer(right))
        for first in (1, 2, 4):
            found = np.zeros((64, 256), np.float32)
            out = hl.Buffer(found)
            out.set_min([first, 0])
            pipeline.realize(out, OPENCL)
            out.copy_to_host()
            np.testing.assert_allclose(found, (left @ right)[:, first : first + 256], rtol=1e-4,
                                       err_msg=str(first))

    def test_of_booleans_are_not_reckoned_with(self):
        """Halide takes the smaller one for their maximum: true is -1 in a vector of OpenCL C."""
        self.check_of_booleans(lambda p, q: hl.max(hl.i32(p), hl.i32(q)), np.logical_or)

    def test_of_booleans_are_not_ordered(self):
        """True would be less than false."""
        self.check_of_booleans(lambda p, q: hl.select(p < q, 1, 0), lambda p, q: ~p & q)
        self.check_of_booleans(lambda p, q: hl.select(p >= q, 1, 0), lambda p, q: p | ~q)

    def check_of_booleans(self, value, expected):
        a, b = (hl.ImageParam(hl.Float(32), 2, name) for name in "ab")
        out = hl.Func("out")
        out[x, y] = value(a[x, y] > 0.5, b[x, y] > 0.3)
        for func in (a, b, out):
            func.set_estimates([hl.Range(0, 1920), hl.Range(0, 1080)])
        hl.load_plugin(PLUGIN)
        pipeline = hl.Pipeline(out)
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            pipeline.apply_autoscheduler(OPENCL,
                                         hl.AutoschedulerParams("GPU", {"report": str(report)}))
            chosen = json.loads(report.read_text())["chosen"]
        self.assertEqual(chosen, "search", "the same without vectors is among what was found")
        random = np.random.default_rng(1)
        left, right = (random.random((1080, 1920), dtype=np.float32) for _ in "ab")
        a.set(hl.Buffer(left))
        b.set(hl.Buffer(right))
        found = np.asarray(pipeline.realize([1920, 1080], OPENCL))
        np.testing.assert_array_equal(found, expected(left > 0.5, right > 0.3))

    def test_do_not_ask_for_rows_of_an_image_that_makes_no_difference(self):
        """Halide removes the reads of `noise`, and then does not know where its rows begin."""
        image, noise = hl.ImageParam(hl.Int(32), 2, "image"), hl.ImageParam(hl.Int(32), 2, "noise")
        rest, out = hl.Func("rest"), hl.Func("out")
        rest[x, y] = noise[x, y] - noise[x, y]
        out[x, y] = image[x, y] * 2 + rest[x, y]
        for func in image, noise, out:
            func.set_estimates([hl.Range(0, 512), hl.Range(0, 256)])
        hl.load_plugin(PLUGIN)
        pipeline = hl.Pipeline(out)
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            text = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams(
                "GPU", {"report": str(report)})).schedule_source
            self.assertEqual(json.loads(report.read_text())["trial_lowerings_refused"], [])
        self.assertIn("vectorize(", text)
        values = np.arange(64 * 8, dtype=np.int32).reshape(8, 64)
        image.set(hl.Buffer(values))
        noise.set(hl.Buffer(values))
        found = hl.Buffer(np.zeros((8, 64), np.int32))
        pipeline.realize(found, OPENCL)
        found.copy_to_host()
        np.testing.assert_array_equal(np.array(found), 2 * values)

    def test_are_loads_of_a_kernel_before_the_last(self):
        """Sums of parts of a long reduction are kept between two kernels."""
        a, b, pipeline, text = scheduled(CUDA, DEEP, gpu="A100")
        self.assertRegex(text, r"sums_by_")
        self.assertIn("vectorize(", text)
        self.assertRegex(device_code(pipeline, [a, b]), r"ld\.global(\.nc)?\.(v4\.\w+32|v2\.\w+64)")
        self.assertNotIn("vectorize(", scheduled(CUDA, DEEP, gpu="A100",
                                                 disable_decisions="vectors,step_vectors")[3])

    def test_of_a_kernel_before_the_last_compute_the_same_wherever_rows_begin(self):
        a, b, pipeline, text = scheduled(OPENCL, DEEP, gpu="A100")
        self.assertRegex(text, r"sums_by_")
        self.assertIn("vectorize(", text)
        draw = np.random.default_rng(1)
        for rows, columns, depth in [(64, 128, 1024), (65, 132, 1025), (64, 127, 513), (3, 4, 700),
                                     (1, 1, 1)]:
            left = draw.random((rows, depth), np.float32)
            right = draw.random((depth, columns), np.float32)
            for apart in (columns, columns + 1):
                # Buffers do not keep the arrays.
                padded = with_rows_apart(right, apart)
                found = np.zeros((rows, columns), np.float32)
                a.set(hl.Buffer(left))
                b.set(hl.Buffer(padded))
                out = hl.Buffer(found)
                pipeline.realize(out, OPENCL)
                out.copy_to_host()
                np.testing.assert_allclose(found, left @ right, rtol=1e-4,
                                           err_msg=str((rows, columns, depth, apart)))


def tabulated(of_table):
    """Sums along rows, each times an entry of a table, which `of_table` picks by the column."""
    i = hl.Var("i")
    source = hl.ImageParam(hl.Float(32), 2, "source")
    source.set_estimates([hl.Range(0, 512), hl.Range(0, 256)])
    edge = hl.BoundaryConditions.repeat_edge(source)
    value, table, out = (hl.Func(name) for name in ("amount", "table", "out"))
    value[x, y] = hl.sqrt(hl.abs(edge[x, y])) + hl.exp(edge[x, y] * hl.f32(0.01))
    table[i] = hl.exp(hl.f32(i) * hl.f32(0.25)) + hl.sin(hl.f32(i))
    near = value[x, y] + value[x + 1, y] + value[x + 2, y] + value[x + 3, y]
    out[x, y] = near * table[of_table(x)]
    out.set_estimates([hl.Range(0, 512), hl.Range(0, 256)])
    return source, out


class TablesInSharedMemory(unittest.TestCase):
    """A vector at one place of a table, whatever the thread, which Halide takes for aligned wherever
    the table lies (src/halide/README.md, Shared memory of a block)."""

    def check(self, of_table):
        hl.load_plugin(PLUGIN)
        source, out = tabulated(of_table)
        pipeline = hl.Pipeline(out)
        pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", {"gpu": "A100"}))
        given = hl.Buffer(np.random.default_rng(1).random((256, 512), np.float32) * 10)
        source.set(given)
        found = pipeline.realize([512, 256], OPENCL)
        found.copy_to_host()
        reference, plain = tabulated(of_table)
        reference.set(given)
        np.testing.assert_allclose(found, plain.realize([512, 256], hl.Target("host")), rtol=1e-4)

    def test_are_read_where_they_are_by_remainders(self):
        self.check(lambda column: column % 4)

    def test_are_read_where_they_are_by_bits(self):
        self.check(lambda column: column & 3)

    def test_are_read_where_they_are_with_gaps(self):
        self.check(lambda column: column % 4 * 2)


if __name__ == "__main__":
    unittest.main()
