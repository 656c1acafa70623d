"""Pixels with channels side by side are stored and loaded by vectors where a user promises that
buffers are aligned, and computed right wherever rows begin.

usage: pixel_vectors_test.py libautoschedule_gpu.so [unittest arguments]
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
WIDTH, HEIGHT = 1536, 1024
c, x, y = hl.Var("c"), hl.Var("x"), hl.Var("y")
# All others of these names have a number behind it, which lists of decisions leave out.
first_of_their_names = hl.ImageParam(hl.UInt(8), 3, "image"), hl.Func("out")

# What is computed of a value, by Halide and by numpy.
COPY = (lambda value: value, lambda values: values)
BRIGHTER = (lambda value: hl.cast(value.type(), hl.i32(value) * 5 // 4),
            lambda values: (values.astype(np.int64) * 5 // 4).astype(values.dtype))


def with_pixels(buffer, channels, aligned):
    """A buffer of pixels, c innermost, whose address is promised to be aligned."""
    buffer.dim(0).set_bounds(0, channels)
    buffer.dim(1).set_stride(channels)
    if aligned:
        buffer.set_host_alignment(16)


def with_planes(buffer, channels, aligned):
    buffer.dim(2).set_bounds(0, channels)
    if aligned:
        buffer.set_host_alignment(16)


def pipeline_of(channels, dtype, compute, into_pixels=True, aligned=True):
    image, out = hl.ImageParam(dtype, 3, "image"), hl.Func("out")
    pixels = [hl.Range(0, channels), hl.Range(0, WIDTH), hl.Range(0, HEIGHT)]
    planes = pixels[1:] + pixels[:1]
    if into_pixels:
        out[c, x, y] = compute(image[x, y, c])
        with_pixels(out.output_buffer(), channels, aligned)
        with_planes(image, channels, aligned)
    else:
        out[x, y, c] = compute(image[c, x, y])
        with_planes(out.output_buffer(), channels, aligned)
        with_pixels(image, channels, aligned)
    out.bound(c, 0, channels)
    image.set_estimates(planes if into_pixels else pixels)
    out.set_estimates(pixels if into_pixels else planes)
    return image, out


def scheduled(target, *args, parameters=None, **options):
    hl.load_plugin(PLUGIN)
    image, out = pipeline_of(*args, **options)
    pipeline = hl.Pipeline(out)
    result = pipeline.apply_autoscheduler(
        target, hl.AutoschedulerParams("GPU", {"gpu": "A100"} | (parameters or {})))
    return image, pipeline, result.schedule_source


def device_code(pipeline, arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "code"
        pipeline.compile_to({hl.OutputFileType.device_code: str(path)}, arguments, "f", CUDA)
        return path.read_bytes().decode(errors="replace")


def lowered(pipeline, arguments):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "lowered.stmt"
        pipeline.compile_to_lowered_stmt(str(path), arguments, hl.StmtOutputFormat.Text, CUDA)
        return path.read_bytes().decode(errors="replace")


def with_rows_apart(array, axis, more):
    """The same, with room for so many elements more behind each step along an axis."""
    shape = list(array.shape)
    shape[axis] += more
    padded = np.zeros(shape, array.dtype)
    whole = tuple(slice(0, size) for size in array.shape)
    padded[whole] = array
    return padded[whole]


class PixelVectors(unittest.TestCase):
    def assert_moves_eight_bytes(self, code):
        for access in ("ld", "st"):
            self.assertRegex(code, rf"\b{access}\.global(\.nc)?\.(v2\.b32|v4\.b16|b64)")
        self.assertNotIn(".local", code)

    def test_are_loads_and_stores_of_eight_bytes(self):
        for channels, bits, compute in [(2, 8, COPY), (3, 8, COPY), (4, 8, COPY), (2, 16, BRIGHTER),
                                        (3, 16, COPY), (3, 16, BRIGHTER)]:
            with self.subTest(channels=channels, bits=bits, copies=compute is COPY):
                image, pipeline, text = scheduled(CUDA, channels, hl.UInt(bits), compute[0])
                self.assertIn("where_pixels_are_aligned", text)
                self.assert_moves_eight_bytes(device_code(pipeline, [image]))

    def test_are_taken_where_buffers_begin_aligned_on_the_device(self):
        """Halide checks what a user promises of addresses on the host alone."""
        image, pipeline, _ = scheduled(CUDA, 3, hl.UInt(8), COPY[0])
        text = lowered(pipeline, [image])
        for name in image.name(), pipeline.outputs()[0].name():
            self.assertRegex(text, r"_halide_buffer_get_device\(\(struct halide_buffer_t \*\)"
                             + re.escape(name) + r"\.buffer\) % \(uint64\)16\) == ")
        self.assertNotIn("_halide_buffer_get_device", device_code(pipeline, [image]))

    def test_are_loads_of_pixels_into_planes(self):
        for dtype, compute in [(hl.UInt(8), COPY), (hl.UInt(16), COPY), (hl.UInt(16), BRIGHTER)]:
            with self.subTest(bits=dtype.bits(), copies=compute is COPY):
                image, pipeline, text = scheduled(CUDA, 3, dtype, compute[0], into_pixels=False)
                self.assertIn("where_pixels_are_aligned", text)
                self.assert_moves_eight_bytes(device_code(pipeline, [image]))

    def test_are_none_where_an_llvm_would_crash(self):
        """It may when it looks at the bits of shuffled bytes."""
        for into_pixels in (True, False):
            with self.subTest(into_pixels=into_pixels):
                image, pipeline, text = scheduled(CUDA, 3, hl.UInt(8), BRIGHTER[0],
                                                  into_pixels=into_pixels)
                self.assertNotIn("vectorize(", text)
                device_code(pipeline, [image])

    def test_are_none_without_a_promise(self):
        image, pipeline, text = scheduled(CUDA, 3, hl.UInt(8), COPY[0], aligned=False)
        self.assertNotIn("vectorize(", text)

    def test_are_none_if_that_is_wanted(self):
        image, pipeline, text = scheduled(CUDA, 3, hl.UInt(8), COPY[0],
                                          parameters={"disable_decisions": "pixel_vectors"})
        self.assertNotIn("vectorize(", text)
        self.assertIsNone(re.search(r"\.v[24]\.", device_code(pipeline, [image])))

    def test_are_none_that_opencl_has_no_types_or_shuffles_for(self):
        self.assertNotIn("vectorize(", scheduled(OPENCL, 3, hl.UInt(8), COPY[0])[2])
        self.assertNotIn("vectorize(",
                         scheduled(OPENCL, 2, hl.UInt(8), COPY[0], into_pixels=False)[2])

    def test_come_back_from_a_list_of_decisions(self):
        with tempfile.TemporaryDirectory() as folder:
            path = str(pathlib.Path(folder) / "decisions.json")
            first = scheduled(CUDA, 3, hl.UInt(8), COPY[0], parameters={"decisions_out": path})[2]
            decisions = json.loads(pathlib.Path(path).read_text())["decisions"]
            self.assertIn(("pixel_vectors", "on"), {(d["kind"], d["value"]) for d in decisions})
            again = scheduled(CUDA, 3, hl.UInt(8), COPY[0], parameters={"decisions": path})[2]
        number = re.compile(r"\bout[_$]\d+")  # of Funcs of that name
        self.assertEqual(number.sub("out", first), number.sub("out", again))

    def check(self, image, pipeline, compute, planes, more, first):
        """`planes`: channels x rows x columns; `more`: elements behind each row of a buffer."""
        wanted = compute(np.ascontiguousarray(planes.transpose(1, 2, 0)))
        # Buffers do not keep the arrays.
        source = with_rows_apart(planes, 2, more)
        found = with_rows_apart(np.zeros_like(wanted), 1, more)
        given, out = hl.Buffer(source), hl.Buffer(found)
        given.set_min([first[0], first[1], 0])
        out.set_min([0, first[0], first[1]])
        image.set(given)
        pipeline.realize(out, OPENCL)
        out.copy_to_host()
        np.testing.assert_array_equal(found, wanted, err_msg=str((planes.shape, more, first)))

    def test_compute_the_same_wherever_rows_begin(self):
        draw = np.random.default_rng(1)
        for channels, dtype, compute in [(2, np.uint8, COPY), (4, np.uint8, BRIGHTER),
                                         (2, np.uint16, BRIGHTER)]:
            bits = np.dtype(dtype).itemsize * 8
            image, pipeline, text = scheduled(OPENCL, channels, hl.UInt(bits), compute[0])
            self.assertIn("where_pixels_are_aligned", text)
            for rows, columns in [(32, 512), (33, 520), (7, 509), (65, 1016), (3, 5), (1, 1)]:
                planes = draw.integers(0, 200, (channels, rows, columns)).astype(dtype)
                for more in (0, 8, 5):
                    for first in [(0, 0), (8, 3), (-5, 2)]:
                        with self.subTest(channels=channels, dtype=dtype.__name__):
                            self.check(image, pipeline, compute[1], planes, more, first)


if __name__ == "__main__":
    unittest.main()
