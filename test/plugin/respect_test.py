"""What users have scheduled by hand stays as it is, and the rest is scheduled around it.

usage: respect_test.py libautoschedule_gpu.so [unittest arguments]
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
OPENCL, HOST = hl.Target("host-opencl"), hl.Target("host")
SIZE = [300, 200]
x, y, xo, yo, xi, yi = (hl.Var(name) for name in ("x", "y", "xo", "yo", "xi", "yi"))


class Chain:
    """Four stencils, one after another."""

    def __init__(self):
        self.image = hl.ImageParam(hl.Float(32), 2, "image")
        self.image.set_estimates([hl.Range(0, extent) for extent in SIZE])
        before = hl.BoundaryConditions.repeat_edge(self.image)
        self.stages = []
        for number in range(4):
            stage = hl.Func(f"stage{number}")
            stage[x, y] = hl.sqrt(before[x - 1, y] + before[x + 1, y] + before[x, y - 1] + 1)
            self.stages.append(stage)
            before = stage
        before.set_estimates([hl.Range(0, extent) for extent in SIZE])
        self.pipeline = hl.Pipeline(before)

    def run(self, target, size):
        image = np.random.default_rng(1).random(SIZE[::-1], dtype=np.float32)
        self.image.set(hl.Buffer(image))
        result = hl.Buffer(hl.Float(32), size)
        self.pipeline.realize(result, target)
        result.copy_to_host()
        return np.array(result)


def without_numbers(text):
    """Funcs of one name in one process get "$1", "$2" ... behind it."""
    return re.sub(r"\$\d+", "", text)


def tile(func, width=16, height=8):
    func.gpu_tile(x, y, xo, yo, xi, yi, width, height)


class Respect(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        hl.load_plugin(PLUGIN)
        cls.folder = tempfile.TemporaryDirectory()
        reference = Chain()
        for stage in reference.stages:
            stage.compute_root()
        cls.expected = {tuple(size): reference.run(HOST, size) for size in (SIZE, [37, 11])}

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def schedule(self, by_hand, **parameters):
        chain = Chain()
        by_hand(*chain.stages)
        report = os.path.join(self.folder.name, "report.json")
        wanted = {"gpu": "A100", "report": report, **parameters}
        source = chain.pipeline.apply_autoscheduler(
            OPENCL, hl.AutoschedulerParams("GPU", wanted)).schedule_source
        return chain, source, json.loads(pathlib.Path(report).read_text())

    def check(self, by_hand, theirs, ours=()):
        chain, source, report = self.schedule(by_hand)
        for size, expected in self.expected.items():
            np.testing.assert_allclose(chain.run(OPENCL, list(size)), expected, rtol=1e-5)
        kept = {without_numbers(entry["func"]): entry["loops"] for entry in report["respected"]}
        source = without_numbers(source)
        self.assertEqual(kept, {**{f: "user's" for f in theirs}, **{f: "ours" for f in ours}})
        for func in theirs:
            self.assertIn(f"// As its user has scheduled it: {func}", source)
            self.assertNotIn("{  // " + func, source)
        return report

    def host_reasons_of(self, func, report):
        """Of its kernels; none of one on the device."""
        return [kernel["host_reason"] for kernel in report["predictions"]
                if without_numbers(kernel["stage"]) == func]

    def test_a_place_alone_leaves_the_loops_to_us(self):
        report = self.check(lambda a, b, c, d: b.compute_root(), [], ["stage1"])
        self.assertTrue(any("stage1" in kernel["name"] for kernel in report["kernels"]))

    def test_a_kernel_in_the_middle(self):
        self.check(lambda a, b, c, d: tile(b.compute_root()), ["stage1"])

    def test_two_kernels(self):
        self.check(lambda a, b, c, d: (tile(a.compute_root(), 8), tile(c.compute_root(), 32, 4)),
                   ["stage0", "stage2"])

    def test_a_kernel_with_something_in_it(self):
        def by_hand(a, b, c, d):
            tile(d)
            c.compute_at(d, xo).gpu_threads(x, y)
        self.check(by_hand, ["stage2", "stage3"])

    def test_loops_of_the_host(self):
        self.check(lambda a, b, c, d: b.compute_root().vectorize(x, 8).parallel(y), ["stage1"])

    def test_storage_outside_of_where_it_is_computed(self):
        self.check(lambda a, b, c, d: (d.parallel(y), c.compute_at(d, x).store_at(d, y)),
                   ["stage2", "stage3"])

    def test_memory_and_layout(self):
        self.check(lambda a, b, c, d: b.compute_root().store_in(hl.MemoryType.Heap)
                   .reorder_storage(y, x), [], ["stage1"])

    def test_a_specialization(self):
        flag = hl.Param(hl.Int(32), "flag", 1)

        def by_hand(a, b, c, d):
            tile(b.compute_root().specialize(flag == 1))
            tile(b, 8)
        self.check(by_hand, ["stage1"])

    def test_a_wrapper_in_a_kernel(self):
        def by_hand(a, b, c, d):
            tile(d)
            c.in_(d).compute_at(d, xo).gpu_threads(x, y)
        self.check(by_hand, ["stage2_in_stage3", "stage3"], ["stage2"])

    def test_a_wrapper_at_root_of_which_the_loops_are_ours(self):
        for wrapped in (lambda b, c: b.in_(c), lambda b, c: b.in_(), lambda b, c: b.in_(c).in_(c)):
            chain, source, report = self.schedule(
                lambda a, b, c, d, wrapped=wrapped: wrapped(b, c).compute_root())
            np.testing.assert_allclose(chain.run(OPENCL, SIZE), self.expected[tuple(SIZE)],
                                       rtol=1e-5)
            self.assertIn(".in(", source)
            self.assertTrue(any("stage1_" in kernel["name"] for kernel in report["kernels"]))

    def test_a_clone_in_a_kernel(self):
        def by_hand(a, b, c, d):
            tile(d)
            c.clone_in(d).compute_at(d, xo).gpu_threads(x, y)
        self.check(by_hand, ["stage2_clone_in_stage3", "stage3"])

    def test_what_stands_between_a_kernel_and_what_is_computed_in_it_is_inline(self):
        def by_hand(a, b, c, d):
            tile(d)
            b.compute_at(d, xo).gpu_threads(x, y)
        self.check(by_hand, ["stage1", "stage3"])

    def test_a_kernel_of_theirs_that_spills_is_theirs(self):
        chain, scan, reduction = Chain(), hl.Func("scan"), hl.RDom([(0, 119)])
        before, k = chain.stages[1], hl.Var("k")
        scan[x, y, k] = before[x, y]
        scan[x, y, reduction + 1] = hl.sqrt(scan[x, y, reduction]) + before[x, y]
        backwards = hl.f32(0)
        for step in reversed(range(120)):
            backwards = hl.sqrt(backwards + scan[x, y, step])
        theirs, last = hl.Func("theirs"), hl.Func("last")
        theirs[x, y] = backwards
        last[x, y] = theirs[x, y] + chain.stages[0][x, y]
        tile(theirs.compute_root())
        scan.compute_at(theirs, xi).unroll(k)
        scan.update().unroll(reduction)
        last.set_estimates([hl.Range(0, extent) for extent in SIZE])
        report = os.path.join(self.folder.name, "spills.json")
        hl.Pipeline(last).apply_autoscheduler(
            hl.Target("host-cuda-cuda_capability_80"),
            hl.AutoschedulerParams("GPU", {"gpu": "A100", "report": report}))
        kernels = json.loads(pathlib.Path(report).read_text())["kernels"]
        spilled = {kernel["name"]: kernel["spill_bytes"] for kernel in kernels}
        theirs = [name for name in spilled if "theirs" in name]
        self.assertEqual(len(theirs), 1)
        self.assertNotEqual(spilled.pop(theirs[0]), 0, "it spills nothing, and shows nothing")
        self.assertFalse(any(spilled.values()), spilled)

    def test_what_is_looked_at_where_it_is_realized_is_at_root(self):
        """Halide refuses it in a kernel, and all that the search finds would have it in one."""
        file = pathlib.Path(self.folder.name) / "realized.npy"
        for look in (lambda f: f.trace_realizations(), lambda f: f.debug_to_file(str(file))):
            chain, _, report = self.schedule(lambda a, b, c, d, look=look: look(b))
            self.assertEqual((report["chosen"], report["trial_lowerings_refused"]), ("search", []))
            self.assertEqual(self.host_reasons_of("stage1", report), [None])
            np.testing.assert_allclose(chain.run(OPENCL, SIZE), self.expected[tuple(SIZE)],
                                       rtol=1e-5)
        self.assertTrue(file.exists())

    def test_aligned_rows_are_in_no_kernel(self):
        """There the schedule would align them otherwise, or they would take more than it knows."""
        chain, _, report = self.schedule(lambda a, b, c, d: b.align_storage(x, 256))
        self.assertEqual((report["chosen"], report["trial_lowerings_refused"]), ("search", []))
        [place] = [func["place"] for func in report["funcs"]
                   if without_numbers(func["name"]) == "stage1"]
        self.assertIn(place, ("inline", "root"))
        np.testing.assert_allclose(chain.run(OPENCL, SIZE), self.expected[tuple(SIZE)], rtol=1e-5)

    def test_what_is_traced_is_on_the_host(self):
        for trace in (lambda f: f.trace_loads(), lambda f: f.trace_stores()):
            _, _, report = self.schedule(lambda a, b, c, d, trace=trace: trace(b))
            self.assertEqual((report["chosen"], report["trial_lowerings_refused"]), ("search", []))
            self.assertEqual(self.host_reasons_of("stage1", report), ["is traced"])

    def test_what_cannot_be_kept_is_named(self):
        for by_hand, message in (
                (lambda a, b, c, d: b.compute_at(c, x), r"stage1\S*: compute_at can't be kept"),
                (lambda a, b, c, d: b.vectorize(x, 4), r"stage1\S*: its loops .* no place"),
                (lambda a, b, c, d: b.bound_storage(x, 64), r"stage1\S*: its storage .* no place"),
                (lambda a, b, c, d: b.clone_in(c).compute_root(),
                 r"stage1\S*_clone_in_\S*: a wrapper of several readers")):
            with self.assertRaisesRegex(hl.HalideError, message):
                self.schedule(by_hand)

    def test_all_is_refused_if_that_is_wanted(self):
        with self.assertRaisesRegex(hl.HalideError, "is already scheduled .compute_root"):
            self.schedule(lambda a, b, c, d: b.compute_root(), respect="refuse")

    def test_a_trace_of_the_rest_can_be_replayed(self):
        trace = os.path.join(self.folder.name, "trace.json")
        by_hand = lambda a, b, c, d: tile(b.compute_root())
        _, source, _ = self.schedule(by_hand, trace_out=trace)
        chain, again, _ = self.schedule(by_hand, trace=trace)
        self.assertEqual(len(source.splitlines()), len(again.splitlines()))
        np.testing.assert_allclose(chain.run(OPENCL, SIZE), self.expected[tuple(SIZE)], rtol=1e-5)


class AChainAfterAnUpdate(unittest.TestCase):
    """A blur with an update and six stencils, which are worth one kernel for most of them."""

    @classmethod
    def setUpClass(cls):
        hl.load_plugin(PLUGIN)

    def stages(self):
        image = hl.ImageParam(hl.Float(32), 2, "image")
        image.set_estimates([hl.Range(0, extent) for extent in (512, 384)])
        before = hl.BoundaryConditions.repeat_edge(image)
        taps = hl.RDom([(-2, 5)])
        blur = hl.Func("blur")
        blur[x, y] = hl.f32(0)
        blur[x, y] += before[x + taps, y] * (taps + 3)
        stages = [blur]
        for number in range(6):
            stage, last = hl.Func(f"stencil{number}"), stages[-1]
            stage[x, y] = last[x - 1, y] + last[x + 1, y] * 2 + last[x, y + 1]
            stages.append(stage)
        stages[-1].set_estimates([hl.Range(0, extent) for extent in (512, 384)])
        return image, stages

    def run_at(self, image, pipeline, target, size):
        pixels = np.random.default_rng(1).random(size[::-1], dtype=np.float32)
        image.set(hl.Buffer(pixels))
        result = hl.Buffer(hl.Float(32), size)
        pipeline.realize(result, target)
        result.copy_to_host()
        return np.array(result)

    def check(self, by_hand):
        """All sizes right, and nothing of what was searched in the whole space is refused."""
        image, stages = self.stages()
        for stage in stages:
            stage.compute_root()
        expected = [self.run_at(image, hl.Pipeline(stages[-1]), HOST, size)
                    for size in ([512, 384], [37, 11])]
        image, stages = self.stages()
        by_hand(stages)
        pipeline = hl.Pipeline(stages[-1])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.json"
            pipeline.apply_autoscheduler(
                OPENCL, hl.AutoschedulerParams("GPU", {"report": str(path)}))
            report = json.loads(path.read_text())
        for size, right in zip(([512, 384], [37, 11]), expected):
            np.testing.assert_allclose(self.run_at(image, pipeline, OPENCL, size), right, rtol=1e-4)
        self.assertEqual(report["trial_lowerings_refused"], [])
        self.assertEqual(report["chosen"], "search")
        return report

    def test_is_fused_as_far_as_the_device_has_threads(self):
        self.check(lambda stages: None)

    def test_is_fused_around_what_stays_at_root(self):
        for number in (0, 1):
            with self.subTest(number):
                report = self.check(lambda stages: stages[number].compute_root())
                self.assertLess(len(report["kernels"]), 7)


if __name__ == "__main__":
    unittest.main()
