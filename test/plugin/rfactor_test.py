"""Reductions that one thread would compute are taken apart, and give the same at any size.

What that is worth where the sums are short, for an A100 (CUDA), as times by the roofline model of what
is predicted and of what is counted in the lowered code, and the same without:

    pipeline             predicted, us   without  ratio    counted, us   without  ratio
    cells_of_levels               11.4      15.8   1.39           11.4      15.8   1.39
    bgu, reduced size                                             46.8     143.5   3.07

usage: rfactor_test.py libautoschedule_gpu.so [unittest arguments]
"""

import json
import os
import pathlib
import re
import sys
import tempfile
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
LENGTHS = [(1,), (7,), (255,), (8192,), (8193,), (100003,), (1000003,)]
SIZES = [(1, 1), (7, 5), (33, 17), (1024, 64), (1025, 100), (1023, 4097)]
x, y, z = hl.Var("x"), hl.Var("y"), hl.Var("z")


def image(kind, *extents):
    param = hl.ImageParam(kind, len(extents), "image")
    param.set_estimates([hl.Range(0, extent) for extent in extents])
    return param


def full_sum():
    source, total = image(hl.Float(32), 10_000_000), hl.Func("total")
    r = hl.RDom([(0, source.dim(0).extent())], "r")
    total[()] = hl.f32(0)
    total[()] += source[r.x]
    return source, total, lambda a: (a.sum(dtype=np.float64),), lambda size: []


def image_sum():
    source, total = image(hl.Float(32), 4096, 3000), hl.Func("total")
    r = hl.RDom([(0, source.dim(d).extent()) for d in (0, 1)], "r")
    total[()] = hl.f32(0)
    total[()] += source[r.x, r.y]
    return source, total, lambda a: (a.sum(dtype=np.float64),), lambda size: []


def column_maxima():
    source, most = image(hl.Int(32), 500, 20000), hl.Func("most")
    r = hl.RDom([(0, source.dim(1).extent())], "r")
    most[x] = -5
    most[x] = hl.max(most[x], source[x, r.x])
    most.set_estimates([hl.Range(0, 500)])
    return source, most, lambda a: (np.maximum(a.max(0), -5),), lambda size: [size[0]]


def softmax():
    source = image(hl.Float(32), 1024, 4096)
    most, norm, out = hl.Func("most"), hl.Func("norm"), hl.Func("softmax")
    r = hl.RDom([(0, source.dim(0).extent())], "r")
    most[y] = hl.Float(32).min()
    most[y] = hl.max(most[y], source[r.x, y])
    norm[y] = hl.f32(0)
    norm[y] += hl.exp(source[r.x, y] - most[y])
    out[x, y] = hl.exp(source[x, y] - most[y]) / norm[y]
    out.set_estimates([hl.Range(0, 1024), hl.Range(0, 4096)])

    def expected(a):
        e = np.exp(a - a.max(1, keepdims=True))
        return (e / e.sum(1, keepdims=True),)
    return source, out, expected, list


def sums_of_products_of_neighbours():
    """Of a Func that is no copy and is read in windows, so that it may have a wrapper."""
    source, roots, total = image(hl.Float(32), 1024, 4096), hl.Func("roots"), hl.Func("total")
    r = hl.RDom([(0, 1020)], "r")
    roots[x, y] = hl.sqrt(source[x, y])
    total[y] = hl.f32(0)
    total[y] += roots[r.x, y] * roots[r.x + 1, y]
    total.set_estimates([hl.Range(0, 4096)])
    return source, total


def last_place_of_maxima(columns=1024):
    """Of equal values the last: the order of the parts makes a difference."""
    source, best = image(hl.UInt(8), columns, 4096), hl.Func("best")
    r = hl.RDom([(0, source.dim(0).extent())], "r")
    best[y] = (hl.u8(0), hl.i32(-1))
    best[y] = (hl.max(best[y][0], source[r.x, y]),
               hl.select(source[r.x, y] < best[y][0], best[y][1], r.x))
    best.set_estimates([hl.Range(0, 4096)])
    return (source, best,
            lambda a: (a.max(1), (a.shape[1] - 1 - np.argmax(a[:, ::-1], 1)).astype(np.int32)),
            lambda size: [size[1]])


def complex_products():
    """Of i and 1, whose imaginary part is written by means of the real one."""
    source, product = image(hl.UInt(8), 4096, 8), hl.Func("product")
    r = hl.RDom([(0, source.dim(0).extent())], "r")
    real = hl.i32(source[r.x, y]) % 2
    imaginary = 1 - real
    product[y] = (1, 0)
    product[y] = (product[y][0] * real - product[y][1] * imaginary,
                  product[y][1] * real + product[y][0] * imaginary)
    product.set_estimates([hl.Range(0, 8)])

    def expected(a):
        turns = (a % 2 == 0).sum(1) % 4
        return np.array([1, 0, -1, 0])[turns], np.array([0, 1, 0, -1])[turns]
    return source, product, expected, lambda size: [size[1]]


def products_of_columns():
    """Each column with each other: few products, which are long."""
    source, product = image(hl.Float(32), 128, 65536), hl.Func("product")
    r = hl.RDom([(0, source.dim(1).extent())], "r")
    product[x, y] = hl.f32(0)
    product[x, y] += source[x, r.x] * source[y, r.x]
    product.set_estimates([hl.Range(0, 128), hl.Range(0, 128)])
    return source, product, lambda a: (a.T @ a,), lambda size: [size[0], size[0]]


def product_as_output():
    """Of two matrices, as most people write it: the sums are the output's own, from a bias on."""
    source, product = image(hl.Float(32), 1024, 1024), hl.Func("product")
    r = hl.RDom([(0, source.dim(0).extent())], "r")
    product[x, y] = hl.f32(x - y) / 64
    product[x, y] += source[r.x, y] * source[x, r.x]
    product.set_estimates([hl.Range(0, 1024), hl.Range(0, 1024)])

    def expected(a):
        rows, columns = np.indices(a.shape)
        return ((columns - rows).astype(np.float32) / 64 + a @ a,)
    return source, product, expected, list


def windows_as_output():
    """Weighted sums of 7 x 7 windows, which are the output's own."""
    source, sums = image(hl.Float(32), 2054, 2054), hl.Func("sums")
    r = hl.RDom([(0, 7), (0, 7)], "r")
    sums[x, y] = hl.f32(1)
    sums[x, y] += source[x + r.x, y + r.y] * hl.f32(r.x + 7 * r.y)
    sums.set_estimates([hl.Range(0, 2048), hl.Range(0, 2048)])

    def expected(a):
        around = np.lib.stride_tricks.sliding_window_view(a, (7, 7))
        return (1 + (around * np.arange(49, dtype=np.float32).reshape(7, 7)).sum((2, 3)),)
    return source, sums, expected, lambda size: [n - 6 for n in size]


def cells_of_levels(cell=16, levels=8):
    """What falls into each of a few levels, in squares of so many pixels: few and short sums."""
    source, cells = image(hl.Float(32), 1536, 1024), hl.Func("cells")
    inside = hl.BoundaryConditions.repeat_edge(source)
    r = hl.RDom([(0, cell), (0, cell)], "r")
    value = inside[x * cell + r.x, y * cell + r.y]
    cells[x, y, z] = hl.f32(0)
    cells[x, y, hl.clamp(hl.i32(value * levels), 0, levels - 1)] += value
    out = hl.Func("out")
    out[x, y, z] = cells[x, y, z] + cells[x, y, hl.clamp(z + 1, 0, levels - 1)]
    out.bound(z, 0, levels)
    out.set_estimates([hl.Range(0, 1536 // cell), hl.Range(0, 1024 // cell), hl.Range(0, levels)])

    def extents(size):
        return [-(-size[0] // cell), -(-size[1] // cell), levels]

    def expected(a):
        columns, rows, _ = extents(a.shape[::-1])
        a = np.pad(a, [(0, rows * cell - a.shape[0]), (0, columns * cell - a.shape[1])], "edge")
        level = np.minimum((a * np.float32(levels)).astype(int), levels - 1)
        sums = np.array([(a * (level == n)).reshape(rows, cell, columns, cell).sum((1, 3))
                         for n in range(levels)])
        return (sums + sums[np.minimum(np.arange(levels) + 1, levels - 1)],)
    return source, out, expected, extents


def values(source, size):
    draw = np.random.default_rng(1)
    if source.type() == hl.Float(32):
        return draw.random(size[::-1], dtype=np.float32)
    if source.type() == hl.UInt(8):
        return draw.integers(0, 9, size[::-1], dtype=np.uint8)
    return draw.integers(-1000, 1000, size[::-1], dtype=np.int32)


def without_numbers(text):
    """Funcs of one name in one process get "$1", "$2" ... behind it, and "_1" in C++."""
    return re.sub(r"\$\d+|#\d+|_\d+\b", "", text)


class Rfactor(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        hl.load_plugin(PLUGIN)

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def schedule(self, made, target=OPENCL, **parameters):
        report = self.path("report.json")
        pipeline = hl.Pipeline(made[1])
        result = pipeline.apply_autoscheduler(
            target, hl.AutoschedulerParams("GPU", {"report": report, **parameters}))
        return pipeline, result.schedule_source, json.loads(pathlib.Path(report).read_text())

    def check(self, make, sizes, chosen="search", **parameters):
        made = make()
        source, _, expected, extents = made
        pipeline, text, report = self.schedule(made, **parameters)
        self.assertEqual(report["chosen"], chosen)
        for size in sizes:
            data = values(source, size)
            source.set(hl.Buffer(data))
            results = pipeline.realize(extents(size), OPENCL)
            results = results if isinstance(results, (list, tuple)) else [results]
            for found, wanted in zip(results, expected(data)):
                np.testing.assert_allclose(np.asarray(found), wanted, rtol=1e-4, err_msg=str(size))
        return text, report

    def check_taken_apart(self, make, sizes, reductions=1, **parameters):
        text, report = self.check(make, sizes, **parameters)
        self.assertGreaterEqual(text.count(".rfactor("), reductions)
        decided = report["reductions"]["decided"]
        self.assertEqual(len(decided), reductions)
        for reduction in decided:
            self.assertNotEqual(reduction["rfactor"], "none")
            self.assertIn(reduction["rfactor"], reduction["choices"])
            self.assertEqual(reduction["choices"][0], "none")
        compared = report["reductions"]["compared"]
        self.assertEqual(compared[0]["rfactor"], ["none"] * reductions)
        self.assertLess(report["predicted_us"], compared[0]["predicted_us"])
        return report

    def test_a_sum_of_everything(self):
        self.check_taken_apart(full_sum, LENGTHS)

    def test_a_sum_of_an_image(self):
        self.check_taken_apart(image_sum, SIZES)

    def test_maxima_of_few_columns(self):
        self.check_taken_apart(column_maxima, SIZES)

    def test_two_reductions_of_rows(self):
        self.check_taken_apart(softmax, SIZES, 2)

    def test_long_products_in_chunks_of_threads(self):
        report = self.check_taken_apart(products_of_columns,
                                        [(1, 1), (17, 33), (130, 1023), (128, 4096), (129, 2049)],
                                        gpu="A100")
        self.assertRegex(report["reductions"]["decided"][0]["rfactor"], "^1x")

    def test_sums_of_an_output_in_registers(self):
        squares = [(1, 1), (5, 5), (33, 33), (64, 64), (131, 131), (256, 256)]
        report = self.check_taken_apart(product_as_output, squares, gpu="A100")
        self.assertEqual(report["reductions"]["decided"][0]["rfactor"], "1")
        before = report["reductions"]["compared"][0]["predicted_us"]
        self.assertLess(3 * report["predicted_us"], before)
        kept = {without_numbers(func["name"]): func["place"] for func in report["funcs"]}
        self.assertEqual(kept["product_by_1_lane"], "threads")

    def test_short_sums_of_an_output_in_registers(self):
        sizes = [(7, 7), (8, 9), (37, 70), (70, 37), (135, 262)]
        report = self.check_taken_apart(windows_as_output, sizes, gpu="A100")
        self.assertEqual(report["reductions"]["decided"][0]["rfactor"], "1")

    def test_registers_of_a_tile_that_guards_cut_short(self):
        text, _ = self.check(product_as_output, [(63, 63), (97, 97)], gpu="A100")
        self.assertRegex(text, r"\.bound_storage\(y, \d+\)")

    def test_short_sums_by_levels(self):
        report = self.check_taken_apart(cells_of_levels, SIZES[:-1], gpu="A100")
        self.assertEqual(report["reductions"]["decided"][0]["rfactor"], "16")

    def test_places_of_maxima(self):
        self.check_taken_apart(last_place_of_maxima, SIZES)

    def test_places_of_maxima_in_panels(self):
        report = self.check_taken_apart(lambda: last_place_of_maxima(4096),
                                        [(1, 1), (7, 5), (130, 33), (4097, 65), (1024, 100)],
                                        gpu="A100")
        self.assertRegex(report["reductions"]["decided"][0]["rfactor"], "^(32|64|256)x4$")

    def test_a_product_stays_whole_whose_parts_halide_would_mix_up(self):
        text, _ = self.check(complex_products, SIZES[:-1])
        self.assertNotIn("rfactor", text)

    def test_a_reduction_stays_whole_if_that_is_wanted(self):
        _, text, report = self.schedule(full_sum(), disable_decisions="rfactor")
        self.assertNotIn("rfactor", text)
        self.assertEqual(report["reductions"], {"decided": [], "compared": []})

    def test_unknown_decisions_are_named(self):
        with self.assertRaisesRegex(hl.HalideError, 'names "tiles"; there is no such kind of '
                                    "decisions. Kinds that can be switched off: .*rfactor"):
            self.schedule(full_sum(), disable_decisions="tiles")

    def test_the_trace_gives_the_same_again(self):
        trace = self.path("trace.json")
        _, text, _ = self.schedule(softmax(), trace_out=trace)
        _, again, report = self.schedule(softmax(), trace=trace)
        self.assertEqual(without_numbers(again), without_numbers(text))
        self.assertEqual(report["chosen"], "trace")

    def test_it_is_the_first_decision(self):
        path = self.path("decisions.json")
        self.schedule(full_sum(), decisions_out=path)
        first = json.loads(pathlib.Path(path).read_text())["decisions"][0]
        self.assertEqual(first["kind"], "rfactor")
        self.assertRegex(first["name"], r"^total(#\d+)?\.update\(0\)$")
        self.assertEqual(first["choices"][0], "none")
        self.assertIn(first["value"], first["choices"])

    def test_its_value_may_be_changed(self):
        self.check_values(column_maxima, (500, 333))

    def test_what_is_said_of_wrappers_for_a_whole_reduction_is_passed_over(self):
        path = self.path("decisions.json")
        self.schedule(sums_of_products_of_neighbours(), decisions_out=path)
        decided = json.loads(pathlib.Path(path).read_text())
        rfactor, place = (next(one for one in decided["decisions"] if one["kind"] == kind)
                          for kind in ("rfactor", "place"))
        roots = next(one["name"] for one in decided["decisions"] if one["name"].startswith("roots"))
        wrapper = {**place, "value": "inline", "choices": []}
        decided["decisions"].append(wrapper)
        total = rfactor["name"].removesuffix(".update(0)")
        lanes = next(v for v in rfactor["choices"] if v not in ("none", rfactor["value"]))
        for rfactor["value"] in ("none", lanes):
            wrapper["name"] = f"{roots}.in({total})"
            pathlib.Path(path).write_text(json.dumps(decided))
            self.schedule(sums_of_products_of_neighbours(), decisions=path)
            wrapper["name"] = f"{roots}.in(nobody)"
            pathlib.Path(path).write_text(json.dumps(decided))
            with self.assertRaisesRegex(hl.HalideError, "has nothing of that name to decide"):
                self.schedule(sums_of_products_of_neighbours(), decisions=path)

    def test_what_is_said_of_others_must_have_their_names(self):
        path = self.path("decisions.json")
        self.schedule(softmax(), decisions_out=path)
        decided = json.loads(pathlib.Path(path).read_text())
        decided["decisions"][0]["value"] = "none"
        number, place = next((i, decision) for i, decision in enumerate(decided["decisions"], 1)
                             if decision["kind"] == "place" and
                             decision["name"].startswith("softmax"))
        place["name"] = "sofmax"
        pathlib.Path(path).write_text(json.dumps(decided))
        with self.assertRaisesRegex(hl.HalideError, f'decision {number}, place of "sofmax", .*: '
                                    "the pipeline has nothing of that name to decide"):
            self.schedule(softmax(), decisions=path)

    def test_sums_of_an_output_may_stay_in_memory(self):
        self.check_values(product_as_output, (77, 77))

    def test_panels_may_be_others(self):
        self.check_values(lambda: last_place_of_maxima(4096), (1029, 130),
                          lambda value: value.endswith("x4"), ["32x4", "256x4"])

    def check_values(self, make, size, is_of_interest=lambda value: True, expected_refused=()):
        """Each of them by a build more of the process, which has other names for its Funcs. PoCL
        would make wrong code of those that are refused."""
        path = self.path("decisions.json")
        self.check(make, [size], gpu="A100", decisions_out=path)
        decided = json.loads(pathlib.Path(path).read_text())
        of_interest = list(filter(is_of_interest, decided["decisions"][0]["choices"]))
        self.assertGreater(len(of_interest), 1)
        refused = []
        for value in of_interest:
            decided["decisions"][0]["value"] = value
            changed, again = self.path(f"changed_{value}.json"), self.path(f"again_{value}.json")
            pathlib.Path(changed).write_text(json.dumps(decided))
            try:
                self.check(make, [size], "decisions", gpu="A100", decisions=changed,
                           decisions_out=again)
            except hl.HalideError as error:
                self.assertIn("barriers under conditions", str(error))
                refused.append(value)
                continue
            first = json.loads(pathlib.Path(again).read_text())["decisions"][0]
            self.assertEqual(first["value"], value)
        self.assertEqual(refused, list(expected_refused))


if __name__ == "__main__":
    unittest.main()
