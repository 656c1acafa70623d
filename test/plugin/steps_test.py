"""Reductions that stay loops have some iterations written out, and give the same at any size.

usage: steps_test.py libautoschedule_gpu.so [unittest arguments]
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
x, y = hl.Var("x"), hl.Var("y")


def recursive_filter(along):
    """Along a dimension."""
    source = hl.ImageParam(hl.Float(32), 2, "source")
    source.set_estimates([hl.Range(0, 1024), hl.Range(0, 768)])
    out, r = hl.Func("out"), hl.RDom([(1, source.dim(along).extent() - 1)], "r")
    at, before = [x, y], [x, y]
    at[along], before[along] = r.x, r.x - 1
    out[x, y] = source[x, y]
    out[at[0], at[1]] = out[before[0], before[1]] * hl.f32(0.5) + source[at[0], at[1]]
    out.set_estimates([hl.Range(0, 1024), hl.Range(0, 768)])

    def expected(a):
        result = a.copy()
        lines = result.T if along == 0 else result
        for i in range(1, lines.shape[0]):
            lines[i] += lines[i - 1] * np.float32(0.5)
        return result
    return source, out, expected, lambda a: a.shape[::-1]


def scan():
    """Down the columns: how far apart two steps are is known at run time only."""
    return recursive_filter(along=1)


def scan_along_rows():
    return recursive_filter(along=0)


def powers():
    """A sum of products whose order makes a difference to integers that wrap."""
    source = hl.ImageParam(hl.Int(32), 2, "source")
    source.set_estimates([hl.Range(0, 512), hl.Range(0, 512)])
    out, r = hl.Func("out"), hl.RDom([(0, source.dim(0).extent())], "r")
    out[x, y] = hl.i32(1)
    out[x, y] = out[x, y] * 3 + source[r.x, y] * (x + 1)
    out.set_estimates([hl.Range(0, 512), hl.Range(0, 512)])

    def expected(a):
        sums = np.ones(a.shape, np.int32)
        columns = np.arange(1, a.shape[1] + 1, dtype=np.int32)
        with np.errstate(over="ignore"):
            for k in range(a.shape[1]):
                sums = sums * np.int32(3) + a[:, k : k + 1] * columns
        return sums
    return source, out, expected, lambda a: a.shape[::-1]


SIZES = [(1, 1), (1, 2), (3, 2), (17, 16), (33, 17), (500, 31), (513, 65)]


def values(source, size):
    draw = np.random.default_rng(1)
    if source.type() == hl.Float(32):
        return draw.random(size[::-1], dtype=np.float32)
    return draw.integers(-1000, 1000, size[::-1], dtype=np.int32)


def check(make, decisions_out="", decisions="", **parameters):
    """Schedules, compares at all sizes, and returns the schedule."""
    hl.load_plugin(PLUGIN)
    source, out, expected, extents = make()
    pipeline = hl.Pipeline(out)
    for name, path in {"decisions_out": decisions_out, "decisions": decisions}.items():
        if path:
            parameters[name] = path
    result = pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", parameters))
    for size in SIZES:
        data = values(source, size)
        source.set(hl.Buffer(data))
        found = np.asarray(pipeline.realize(list(extents(data)), OPENCL))
        np.testing.assert_allclose(found, expected(data), rtol=1e-4, err_msg=str(size))
    return result.schedule_source


class Steps(unittest.TestCase):
    def test_of_a_scan(self):
        self.assertRegex(check(scan_along_rows), r"unroll\(r_?\w*_u0\)")

    def test_none_where_no_load_goes_ahead_of_a_store(self):
        self.assertNotRegex(check(scan), r"_u0")

    def test_none_if_that_is_wanted(self):
        self.assertNotRegex(check(scan_along_rows, disable_decisions="steps"), r"_u0")

    def test_any_number_gives_the_same(self):
        """In each process one pipeline: lists name Funcs, which a second would have otherwise."""
        with tempfile.TemporaryDirectory() as folder:
            for make in (scan, scan_along_rows, powers):
                self.check_all_choices(make, pathlib.Path(folder) / make.__name__)

    def check_all_choices(self, make, path):
        run = [sys.executable, "-B", __file__, PLUGIN, "--one", make.__name__]
        decided_path = path.with_suffix(".json")
        subprocess.run(run + [decided_path, ""], check=True)
        decided = json.loads(decided_path.read_text())
        [steps] = [decision for decision in decided["decisions"] if decision["kind"] == "steps"]
        self.assertGreater(len(steps["choices"]), 2)
        for choice in steps["choices"]:
            steps["value"] = choice
            changed, again = path.with_suffix(f".{choice}"), path.with_suffix(f".{choice}.again")
            changed.write_text(json.dumps(decided))
            subprocess.run(run + [again, changed], check=True)
            [found] = [decision["value"] for decision in json.loads(again.read_text())["decisions"]
                       if decision["kind"] == "steps"]
            self.assertEqual(found, choice)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        makers = {make.__name__: make for make in (scan, scan_along_rows, powers)}
        check(makers[sys.argv[2]], *sys.argv[3:],
              disable_decisions="rfactor")
    else:
        unittest.main()
