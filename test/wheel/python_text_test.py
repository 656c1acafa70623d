"""Schedules as Python text: applied to the same pipeline they give the same code.

usage: python_text_test.py          all pipelines, in an environment in which the wheel is installed
       python_text_test.py --lowered NAME size|sizes [TEXT]
                                    the lowered code of one, scheduled by the plugin for its size or
                                    for several (the text goes to standard error), or by the module
                                    TEXT

Names of Funcs depend on what a process has made before, so each pipeline is lowered in one of its own.
"""

import difflib
import itertools
import json
import pathlib
import re
import runpy
import subprocess
import sys
import tempfile
import unittest

import halide as hl

TARGET = "x86-64-linux-cuda-cuda_capability_80"
x, y, c = hl.Var("x"), hl.Var("y"), hl.Var("c")


def sized(func, *inputs):
    """Estimates for all; the last of the sizes is the Func's."""
    for image, sizes in inputs:
        image.set_estimates([hl.Range(0, size) for size in sizes])
    return func


def blur():
    """Shared memory, tiles for full and for other sizes, vectors where rows are aligned."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    edged = hl.BoundaryConditions.repeat_edge(image)
    rows, blurred = hl.Func("rows"), hl.Func("blurred")
    rows[x, y] = edged[x - 1, y] + edged[x, y] + edged[x + 1, y]
    blurred[x, y] = rows[x, y - 1] + rows[x, y] + rows[x, y + 1]
    blurred.set_estimates([hl.Range(0, 1536), hl.Range(0, 1024)])
    return sized(blurred, (image, [1536, 1024]))


def product():
    """A reduction: sums in registers, four steps of it loaded at once."""
    a, b = hl.ImageParam(hl.Float(32), 2, "a"), hl.ImageParam(hl.Float(32), 2, "b")
    k = hl.RDom([(a.dim(0).min(), a.dim(0).extent())], "k")
    sums, product = hl.Func("sums"), hl.Func("product")
    sums[x, y] = hl.f32(0)
    sums[x, y] += a[k.x, y] * b[x, k.x]
    product[x, y] = sums[x, y]
    product.set_estimates([hl.Range(0, 768), hl.Range(0, 512)])
    return sized(product, (a, [256, 512]), (b, [768, 256]))


def bayer():
    """Even and odd points are treated differently: a schedule for even extents."""
    raw = hl.ImageParam(hl.UInt(16), 2, "raw")
    edged = hl.BoundaryConditions.mirror_interior(raw)
    green, sharp = hl.Func("green"), hl.Func("sharp")
    around = (hl.u32(edged[x - 1, y]) + edged[x + 1, y] + edged[x, y - 1] + edged[x, y + 1]) / 4
    green[x, y] = hl.select((x + y) % 2 == 0, hl.u16(around), edged[x, y])
    sharp[x, y] = green[x, y] * 2 - green[x + 1, y]
    sharp.set_estimates([hl.Range(0, 2048), hl.Range(0, 1024)])
    return sized(sharp, (raw, [2048, 1024]))


def histogram():
    """Atomic sums."""
    image = hl.ImageParam(hl.UInt(8), 2, "image")
    r = hl.RDom([(0, 1024), (0, 1024)], "r")
    counts = hl.Func("counts")
    counts[x] = hl.u32(0)
    counts[hl.i32(image[r.x, r.y])] += hl.u32(1)
    counts.set_estimates([hl.Range(0, 256)])
    return sized(counts, (image, [1024, 1024]))


def derivatives():
    """Reductions that are taken apart, and share a launch."""
    image = hl.ImageParam(hl.Float(32), 2, "image")
    edged = hl.BoundaryConditions.repeat_edge(image)
    dx, dy, length = hl.Func("dx"), hl.Func("dy"), hl.Func("length")
    dx[x] = hl.f32(0)
    dy[x] = hl.f32(0)
    r = hl.RDom([(0, 2048)], "r")
    dx[x] += edged[x, r.x]
    dy[x] = hl.max(dy[x], edged[x, r.x])
    length[x, y] = edged[x, y] / dx[x] + dy[x]
    length.set_estimates([hl.Range(0, 2048), hl.Range(0, 2048)])
    return sized(length, (image, [2048, 2048]))


def pixels():
    """Channels side by side, at addresses that are promised to be aligned."""
    planes, interleaved, c = hl.ImageParam(hl.UInt(8), 3, "planes"), hl.Func("interleaved"), hl.Var("c")
    interleaved[c, x, y] = planes[x, y, c]
    interleaved.bound(c, 0, 3)
    interleaved.output_buffer().dim(1).set_stride(3)
    for buffer in planes, interleaved.output_buffer():
        buffer.set_host_alignment(16)
    interleaved.set_estimates([hl.Range(0, 3), hl.Range(0, 2048), hl.Range(0, 1024)])
    return sized(interleaved, (planes, [2048, 1024, 3]))


def sums_down():
    """Loads of several rows ahead of what a scan stores."""
    image, row = hl.ImageParam(hl.Float(32), 2, "image"), hl.RDom([(0, 1024)], "row")
    down, out = hl.Func("down"), hl.Func("out")
    down[x, y] = hl.f32(0)
    down[x, row] = down[x, row - 1] + image[x, row]
    out[x, y] = down[x, y]
    out.set_estimates([hl.Range(0, 2048), hl.Range(0, 1024)])
    return sized(out, (image, [2048, 1024]))


PIPELINES = {make.__name__: make
             for make in (blur, product, bayer, histogram, derivatives, pixels, sums_down)}


def size_of_blur(name, columns, rows):
    return {"name": name, "outputs": {"blurred": [[0, columns], [0, rows]]},
            "inputs": {"image": [[0, columns], [0, rows]]}}


def size_of_product(name, rows, columns, depth):
    return {"name": name, "outputs": {"product": [[0, columns], [0, rows]]},
            "inputs": {"a": [[0, depth], [0, rows]], "b": [[0, columns], [0, depth]]}}


# Pipelines that are scheduled for several sizes: copies of them have the schedules.
SIZES = {"blur": [size_of_blur("large", 6144, 4096), size_of_blur("small", 24, 20)],
         "product": [size_of_product("large", 1536, 2560, 1536),
                     size_of_product("small", 131, 53, 301)]}


def code_of(pipeline):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "lowered.stmt"
        pipeline.compile_to_lowered_stmt(str(path), pipeline.infer_arguments(),
                                         hl.StmtOutputFormat.Text, hl.Target(TARGET))
        return path.read_text(encoding="utf-8")


def with_long_names(pipeline):
    """Halide sorts what a kernel is given by name, t1000 before t999: all have four digits here."""
    while True:
        code = code_of(pipeline)
        if min(map(int, re.findall(r"\bt(\d+)\b", code)), default=1000) >= 1000:
            return code


def scheduled(pipeline, **parameters):
    import autoschedule_gpu

    return autoschedule_gpu.schedule(pipeline, hl.Target(TARGET), gpu="A100", num_passes=1,
                                     ptxas="off", beam_size=8, verbose=0, **parameters)


def scheduled_for_sizes(pipeline, sizes):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "sizes.json"
        listed = {"format": "autoschedule_gpu.sizes", "version": 1, "sizes": sizes}
        path.write_text(json.dumps(listed), encoding="utf-8")
        return scheduled(pipeline, sizes=path)


def lowered(name, of_sizes, text=None):
    pipeline = hl.Pipeline(PIPELINES[name]())
    if text is None:
        made = (scheduled_for_sizes(pipeline, SIZES[name]) if of_sizes == "sizes"
                else scheduled(pipeline))
        print(made.python, end="", file=sys.stderr)
    else:
        runpy.run_path(text)["apply_schedule"](pipeline)
    print(with_long_names(pipeline), end="")


def without_counters(code):
    """Halide numbers names by how many a process has made, of which the plugin makes some itself."""
    numbers = {}
    code = re.sub(r"\bt\d+\b", lambda found: numbers.setdefault(found[0], f"t{len(numbers)}"), code)
    code = re.sub(r"(\$|__|_v|(?<=wrapper)_|(?<=_intm)_)\d+", "", code)
    # The length of the device code, in which such names are.
    return re.sub(r"(initialize_kernels\(.*), \d+\)", r"\1)", code)


def call(*arguments):
    done = subprocess.run([sys.executable, __file__, "--lowered", *arguments],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout, done.stderr


class PythonText(unittest.TestCase):
    maxDiff = None

    def test_gives_the_code_that_the_plugin_gave(self):
        every = ""
        for name, of in [*((name, "size") for name in PIPELINES), *((name, "sizes") for name in SIZES)]:
            with self.subTest(name, of=of), tempfile.TemporaryDirectory() as folder:
                by_plugin, text = call(name, of)
                path = pathlib.Path(folder) / "schedule.py"
                path.write_text(text, encoding="utf-8")
                by_text, _ = call(name, of, str(path))
                every += text
                differences = difflib.unified_diff(without_counters(by_plugin).splitlines(),
                                                   without_counters(by_text).splitlines(),
                                                   "by the plugin", "by its text", lineterm="", n=0)
                self.assertEqual([line[:160] for line in itertools.islice(differences, 20)], [])
        # What the pipelines above are there for.
        for call_text in ("for_full_tiles(", "where_rows_are_aligned(", "fours=", ".rfactor(", ".atomic()",
                          ".in_(", "hl.MemoryType.GPUShared", ".gpu_threads(", "hl.TailStrategy.",
                          "repeat_for_multiples(", "where_pixels_are_aligned(", "where_steps_are_whole(",
                          ".compute_with(", "sizes.compute_as_in("):
            with self.subTest(call_text):
                self.assertTrue(call_text in every, f"no pipeline has {call_text}")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--lowered"]:
        lowered(*sys.argv[2:])
    else:
        unittest.main()
