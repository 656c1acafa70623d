"""Threads that go along what a kernel loads compute the same as those along what it stores.

usage: along_stores_test.py libautoschedule_gpu.so [unittest arguments]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import halide as hl
import numpy as np

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
OPENCL = hl.Target("host-opencl")
SIZES = [(1, 1), (2, 3), (7, 5), (16, 9), (33, 17), (65, 2), (130, 67)]


def check(decisions_out="", decisions="", **parameters):
    """Schedules a product whose operands lie along the rows of its result and along its sum, compares
    at all sizes, and returns the schedule."""
    hl.load_plugin(PLUGIN)
    x, y = hl.Var("x"), hl.Var("y")
    a, b = hl.ImageParam(hl.Int(32), 2, "a"), hl.ImageParam(hl.Int(32), 2, "b")
    product, out = hl.Func("product"), hl.Func("out")
    k = hl.RDom([(0, b.dim(0).extent())], "k")
    product[x, y] += a[y, k] * b[k, x]
    out[x, y] = product[x, y] * 3
    for buffer in (a, b, out):
        buffer.set_estimates([hl.Range(0, 1024), hl.Range(0, 1024)])
    pipeline = hl.Pipeline(out)
    for name, path in {"decisions_out": decisions_out, "decisions": decisions}.items():
        if path:
            parameters[name] = path
    result = pipeline.apply_autoscheduler(
        OPENCL, hl.AutoschedulerParams("GPU", {"gpu": "A100", **parameters}))
    random = np.random.default_rng(1)
    for width, height in SIZES:
        depth = width + 2 * height
        first = random.integers(0, 1000, (depth, height), dtype=np.int32)
        second = random.integers(0, 1000, (width, depth), dtype=np.int32)
        a.set(hl.Buffer(first))
        b.set(hl.Buffer(second))
        found = np.asarray(pipeline.realize([width, height], OPENCL))
        np.testing.assert_array_equal(found, first.T @ second.T * 3, f"{width} x {height}")
    return result.schedule_source


def run(*arguments):
    """In a process of its own, because lists of decisions name Funcs, which a second pipeline would
    have otherwise."""
    return subprocess.run([sys.executable, "-B", __file__, PLUGIN, "--one", *arguments], check=True,
                          capture_output=True, text=True).stdout


class AlongStores(unittest.TestCase):
    def test_is_found_by_the_search_and_may_be_changed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "decisions"
            texts = {"off": run(path, "")}
            decided = json.loads(path.read_text())
            [order] = [one for one in decided["decisions"] if one["kind"] == "along_stores"]
            self.assertEqual(order, {"name": "out", "kind": "along_stores", "value": "off",
                                     "choices": ["off", "on"]})
            for value in order["choices"]:
                order["value"] = value
                changed, again = path.with_suffix(f".{value}"), path.with_suffix(f".{value}.again")
                changed.write_text(json.dumps(decided))
                texts[f"{value} again"] = run(again, changed)
                found = json.loads(again.read_text())
                self.assertIn(order, found["decisions"])
            self.assertEqual(texts["off again"], texts["off"])
            self.assertNotEqual(texts["on again"], texts["off"])

    def test_is_so_if_that_is_wanted(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "decisions"
            check(str(path), disable_decisions="along_stores")
            self.assertEqual([one for one in json.loads(path.read_text())["decisions"]
                              if one["kind"] == "along_stores" and one["value"] == "off"], [])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(check(*sys.argv[2:]))
    else:
        unittest.main()
