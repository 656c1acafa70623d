"""LLVM forgets the signs of bytes that it compares where four lie side by side: no code that does
so is scheduled for CUDA.

usage: signed_bytes_test.py libautoschedule_gpu.so [unittest arguments]
"""

import json
import pathlib
import re
import sys
import tempfile
import unittest

import halide as hl

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
CUDA = hl.Target("x86-64-linux-cuda-cuda_capability_80")
WIDTH, HEIGHT = 1024, 1024
x, y = hl.Var("x"), hl.Var("y")


def images(kind):
    result = [hl.ImageParam(kind, 2, name) for name in "ab"]
    for image in result:
        image.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    return result


def output(value):
    out = hl.Func("out")
    out[x, y] = value
    out.set_estimates([hl.Range(0, WIDTH), hl.Range(0, HEIGHT)])
    return out


def choice(condition):
    return hl.select(condition, hl.f32(1), hl.f32(2))


def census(of):
    """How many of the neighbours of a point are less, each weighed."""
    places = [(i, j) for i in range(-2, 3) for j in range(-2, 3)]
    return sum((hl.select(of[x + i, y + j] < of[x, y], hl.f32(3 * i + j + 20), hl.f32(1))
                for i, j in places), hl.f32(0))


def greatest(of):
    """The place of the greatest of eight neighbours in a row."""
    best, place = of[x, y], hl.i32(0)
    for i in range(1, 8):
        is_greater = of[x + i, y] > best
        best, place = hl.select(is_greater, of[x + i, y], best), hl.select(is_greater, i, place)
    return place


def scheduled(out, arguments, **parameters):
    """The report of the search, and the code of the device."""
    hl.load_plugin(PLUGIN)
    pipeline = hl.Pipeline(out)
    with tempfile.TemporaryDirectory() as folder:
        report, code = pathlib.Path(folder) / "report.json", pathlib.Path(folder) / "code"
        pipeline.apply_autoscheduler(CUDA, hl.AutoschedulerParams(
            "GPU", {"gpu": "A100", "report": str(report), **parameters}))
        pipeline.compile_to({hl.OutputFileType.device_code: str(code)}, arguments, "f", CUDA)
        return json.loads(report.read_text()), code.read_bytes().decode(errors="replace")


def without_signs(code):
    """Comparisons of signed numbers that are bytes without their signs."""
    found = []
    for kernel in code.split(".entry")[1:]:
        bytes_ = set(re.findall(r"prmt\.b32\s+(%r\d+), %r\d+, 0, 0x777[0-3]U?;", kernel))
        found += [order for order in re.findall(
            r"setp\.(?:lt|le|gt|ge)\.s32\s+%p\d+, (%r\d+), (%r\d+);", kernel)
                  if bytes_.issuperset(order)]
    return found


class SignedBytes(unittest.TestCase):
    def expect_signs(self, out, arguments, **parameters):
        report, code = scheduled(out, arguments, **parameters)
        self.assertIn(".entry", code, "there is a kernel")
        self.assertEqual(without_signs(code), [])
        return report

    def test_are_compared_with_their_signs(self):
        a, b = images(hl.Int(8))
        report = self.expect_signs(output(choice(a[x, y] < b[x, y])), [a, b])
        self.assertEqual(report["chosen"], "search")
        self.assertIn("signed bytes", report["trial_lowerings_refused"][0]["error"])

    def test_are_compared_with_their_signs_as_wider_numbers(self):
        a, b = images(hl.Int(8))
        self.expect_signs(output(choice(hl.i32(a[x, y]) >= hl.i32(b[x, y]))), [a, b])
        self.expect_signs(output(choice(hl.i32(a[x, y]) - hl.i32(b[x, y]) < 0)), [a, b])

    def test_are_compared_with_their_signs_if_they_were_unsigned(self):
        a, b = images(hl.UInt(8))
        report = self.expect_signs(output(choice(hl.i8(a[x, y]) < hl.i8(b[x, y]))), [a, b])
        self.assertEqual(report["chosen"], "search")

    def test_are_compared_with_their_signs_by_every_strategy(self):
        a, b = images(hl.Int(8))
        for strategy in ("beam", "greedy_grouping", "plain"):
            self.expect_signs(output(choice(a[x, y] < b[x, y])), [a, b], strategy=strategy)

    def test_of_a_census_are_compared_with_their_signs(self):
        a, b = images(hl.Int(8))
        staged = hl.Func("staged")
        staged[x, y] = hl.i8(a[x, y] * hl.i8(3) + b[x, y])
        self.expect_signs(output(census(staged)), [a, b])

    def test_in_a_row_are_compared_with_their_signs(self):
        a, _ = images(hl.Int(8))
        self.expect_signs(output(greatest(a)), [a])

    def test_of_unsigned_ones_nothing_is_refused(self):
        a, b = images(hl.UInt(8))
        report, _ = scheduled(output(choice(a[x, y] < b[x, y])), [a, b])
        self.assertEqual(report["trial_lowerings_refused"], [])


if __name__ == "__main__":
    unittest.main()
