"""What a run tells on standard error (autoscheduler.verbose), and what it says of estimates that can't
be meant.

usage: narration_test.py libautoschedule_gpu.so [unittest arguments]
"""

import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import halide as hl

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""

# A process of its own: standard error is the library's, not Python's.
BLUR = """
import sys
import halide as hl

plugin, target, width, height, *parameters = sys.argv[1:]
hl.load_plugin(plugin)
x, y = hl.Var("x"), hl.Var("y")
image = hl.ImageParam(hl.Float(32), 2, "image")
edged = hl.BoundaryConditions.repeat_edge(image)
rows, blurred = hl.Func("rows"), hl.Func("blurred")
rows[x, y] = edged[x - 1, y] + edged[x, y] + edged[x + 1, y]
blurred[x, y] = rows[x, y - 1] + rows[x, y] + rows[x, y + 1]
for sized in image, blurred:
    sized.set_estimates([hl.Range(0, int(width)), hl.Range(0, int(height))])
hl.Pipeline(blurred).apply_autoscheduler(
    hl.Target(target), hl.AutoschedulerParams("GPU", dict(p.split("=") for p in parameters)))
"""


# Where an image may be empty, blocks that put partial sums together have barriers under a condition.
# That can't be used with OpenCL.
NORMALISED = """
import sys
import halide as hl

plugin, target = sys.argv[1:]
hl.load_plugin(plugin)
x, y, c, n = hl.Var("x"), hl.Var("y"), hl.Var("c"), hl.Var("n")
image = hl.ImageParam(hl.Float(32), 4, "image")
plane = hl.RDom([(0, image.width()), (0, image.height())], "plane")
sums, squares, mean, variance, out = (
    hl.Func(name) for name in ("sums", "squares", "mean", "variance", "out"))
count = hl.f32(image.width() * image.height())
sums[c, n] += image[plane.x, plane.y, c, n]
mean[c, n] = sums[c, n] / count
squares[c, n] += hl.pow(image[plane.x, plane.y, c, n] - mean[c, n], 2)
variance[c, n] = squares[c, n] / count
out[x, y, c, n] = (image[x, y, c, n] - mean[c, n]) / hl.sqrt(variance[c, n] + 1e-5)
for sized in image, out:
    sized.set_estimates([hl.Range(0, extent) for extent in (128, 128, 32, 4)])
hl.Pipeline(out).apply_autoscheduler(
    hl.Target(target), hl.AutoschedulerParams("GPU", {"gpu": "A100"}))
"""


# Halide's Python binding prints warnings on standard output.
def told(*parameters, target="x86-64-linux-cuda", width=1536, height=1024, environment=None,
         program=BLUR):
    done = subprocess.run([sys.executable, "-c", program, PLUGIN, target, str(width), str(height),
                           "num_passes=2", *parameters], capture_output=True, text=True, check=True,
                          env=environment)
    return done.stdout + done.stderr


class Narration(unittest.TestCase):
    def test_is_one_line_with_device_kernels_time_and_reason(self):
        self.assertRegex(told("gpu=V100"),
                         r"\AGPU autoscheduler: V100 \(preset\), 1 kernel, [\d.]+ us predicted; "
                         r"[\d.]+ s, search completed(; spills are guessed without ptxas)?\n\Z")

    def test_says_what_device_is_assumed(self):
        self.assertIn("any device of the API", told(target="x86-64-linux-opencl"))
        if not pathlib.Path("/dev/nvidiactl").exists():
            self.assertIn("A100 (assumed, for there is no CUDA driver here; autoscheduler.gpu=NAME",
                          told())
            self.assertIn("RTX3090 (assumed for the target's capability",
                          told(target="x86-64-linux-cuda-cuda_capability_86"))

    def test_says_that_spills_are_guessed(self):
        packages = pathlib.Path(hl.__file__).parent.parent
        with tempfile.TemporaryDirectory() as name:
            # Halide in an environment without ptxas.
            others = pathlib.Path(name, *packages.parts[-3:])
            others.mkdir(parents=True)
            for package in packages.iterdir():
                if package.name != "nvidia":
                    (others / package.name).symlink_to(package)
            environment = {"PATH": name, "PYTHONPATH": str(others)}
            self.assertRegex(told("gpu=V100", environment=environment),
                             "search completed; spills are guessed without ptxas\n\\Z")
            self.assertNotIn("guessed", told("gpu=V100", "ptxas=off", environment=environment))

    def test_says_that_the_time_limit_cut_the_search(self):
        self.assertIn("cut short by autoscheduler.time_limit_s=0.001",
                      told("gpu=V100", "time_limit_s=0.001", "strategy=beam"))

    def test_says_what_was_scheduled_by_hand(self):
        by_hand = BLUR.replace("hl.Pipeline(", "rows.compute_root().parallel(y)\nhl.Pipeline(")
        self.assertIn("; 1 Func kept as scheduled by hand (rows)",
                      told("gpu=V100", program=by_hand))
        self.assertNotIn("by hand", told("gpu=V100"))

    def test_may_be_silent_or_tell_more(self):
        self.assertEqual(told("gpu=V100", "verbose=0", width=0), "")
        more = told("gpu=V100", "verbose=2").splitlines()
        self.assertEqual(len([line for line in more if re.search(r"\bpass\b", line)]), 2, more)
        self.assertTrue(all(line.startswith("GPU autoscheduler: ") for line in more), more)

    def test_says_that_the_best_schedules_were_refused(self):
        for target, expected in ("host-opencl", True), ("x86-64-linux-cuda", False):
            done = subprocess.run([sys.executable, "-c", NORMALISED, PLUGIN, target],
                                  capture_output=True, text=True, check=True)
            said = re.search(r"none of the best schedules can be used \(\d+ were refused\)\. The one "
                             "that is taken instead has whole reductions only, .*refused because: "
                             "there would be barriers", done.stdout + done.stderr)
            self.assertEqual(bool(said), expected, done.stdout + done.stderr)

    def test_estimates_that_cannot_be_meant_are_named(self):
        for width in (0, -5):
            self.assertIn("output blurred is empty by its estimate for dimension 0 (x)",
                          told("gpu=V100", width=width))
        self.assertIn("output blurred has 4e+12 elements by its estimates",
                      told("gpu=V100", width=2000000, height=2000000))
        for strategy in ("auto", "greedy_grouping", "plain"):  # no tile makes few enough blocks
            self.assertIn("output blurred has 4e+14 elements by its estimates",
                          told("gpu=V100", f"strategy={strategy}", width=20000000,
                               height=20000000))
        self.assertIn("output blurred has 4e+14 elements by its estimates",
                      told("gpu=V100", "time_limit_s=0", "strategy=beam", width=20000000,
                           height=20000000))
        self.assertNotIn("Warning", told("gpu=V100", width=1, height=1))


if __name__ == "__main__":
    unittest.main()
