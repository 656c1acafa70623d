"""One schedule for several sizes: it computes the right thing at all of them and at others, says what
it is worth at each, and can be replayed; and files that make no sense are refused.

usage: sizes_test.py libautoschedule_gpu.so [unittest arguments]
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
ODD_SIZES = [(1, 1), (7, 3), (33, 65), (97, 101), (255, 129), (1000, 3), (3, 700)]
x, y = hl.Var("x"), hl.Var("y")
hl.load_plugin(PLUGIN)


def entry(name, width, height, **more):
    ranges = [[0, width], [0, height]]
    return {"name": name, "outputs": {"out": ranges}, "inputs": {"source": ranges}, **more}


SIZES = [entry("large", 2048, 1536), entry("middle", 640, 480, weight=2),
         entry("small", 96, 64), entry("tiny", 16, 12)]


class Blur:
    """A separable blur, of which a schedule may keep the columns or not."""

    def __init__(self):
        self.source = hl.ImageParam(hl.Float(32), 2, "source")
        self.source.set_estimates([hl.Range(0, 640), hl.Range(0, 480)])
        edged = hl.BoundaryConditions.repeat_edge(self.source)
        columns, out = hl.Func("columns"), hl.Func("out")
        columns[x, y] = hl.sqrt(edged[x, y - 1]) + hl.sqrt(edged[x, y]) + hl.sqrt(edged[x, y + 1])
        out[x, y] = columns[x - 1, y] + columns[x, y] + columns[x + 1, y]
        out.set_estimates([hl.Range(0, 640), hl.Range(0, 480)])
        self.pipeline = hl.Pipeline(out)

    @staticmethod
    def expected(source):
        roots = np.sqrt(np.pad(source, 1, mode="edge"))
        columns = roots[:-2] + roots[1:-1] + roots[2:]
        return columns[:, :-2] + columns[:, 1:-1] + columns[:, 2:]


class PartlyScheduled(Blur):
    """The same with columns at root by hand, which copies would not keep."""

    def __init__(self):
        super().__init__()
        self.pipeline.get_func(self.number_of("columns")).compute_root()

    def number_of(self, name):
        return next(i for i in range(8) if self.pipeline.get_func(i).name().startswith(name))


class Sums:
    """An output with an update, a reduction before it, and another output."""

    def __init__(self):
        self.source = hl.ImageParam(hl.Float(32), 2, "source")
        self.source.set_estimates([hl.Range(0, 640), hl.Range(0, 480)])
        edged = hl.BoundaryConditions.repeat_edge(self.source)
        r, box, out, other = hl.RDom([(0, 5)]), hl.Func("box"), hl.Func("out"), hl.Func("other")
        box[x, y] = 0.0
        box[x, y] += edged[x + r, y]
        out[x, y] = edged[x, y]
        out[x, y] += box[x, y + r]
        other[x, y] = box[x, y] * 2.0
        for output in (out, other):
            output.set_estimates([hl.Range(0, 640), hl.Range(0, 480)])
        self.pipeline = hl.Pipeline([out, other])

    @staticmethod
    def expected(source):
        height, width = source.shape
        padded = np.pad(source, ((0, 4), (0, 4)), mode="edge")
        box = sum(padded[:, k:k + width] for k in range(5))
        return source + sum(box[k:k + height] for k in range(5)), box[:height] * 2


class Total:
    """An output that is a reduction, which is taken apart where it is long."""

    def __init__(self):
        self.source = hl.ImageParam(hl.Float(32), 2, "source")
        self.source.set_estimates([hl.Range(0, 640), hl.Range(0, 480)])
        r = hl.RDom([(0, self.source.width()), (0, self.source.height())])
        out = hl.Func("out")
        out[()] = 0.0
        out[()] += self.source[r.x, r.y]
        self.pipeline = hl.Pipeline(out)

    @staticmethod
    def expected(source):
        return np.sum(source, dtype=np.float64)


class Counts:
    """How often each value comes, at each pixel: where it pays, a histogram that is taken apart."""

    def __init__(self):
        self.source = hl.ImageParam(hl.Float(32), 2, "source")
        self.source.set_estimates([hl.Range(0, 640), hl.Range(0, 480)])
        r = hl.RDom([(0, self.source.width()), (0, self.source.height())])
        counts, out = hl.Func("counts"), hl.Func("out")
        counts[x] = 0
        counts[hl.u8(self.source[r.x, r.y] * 255)] += 1
        out[x, y] = counts[hl.u8(self.source[x, y] * 255)] + x
        out.set_estimates([hl.Range(0, 640), hl.Range(0, 480)])
        self.pipeline = hl.Pipeline(out)

    @staticmethod
    def expected(source):
        values = (source * np.float32(255)).astype(int)
        return np.bincount(values.ravel(), minlength=256)[values] + np.arange(source.shape[1])


class Gradients:
    """Two outputs, for which one launch is enough."""

    def __init__(self):
        self.source = hl.ImageParam(hl.Float(32), 2, "source")
        self.source.set_estimates([hl.Range(0, 640), hl.Range(0, 480)])
        edged = hl.BoundaryConditions.repeat_edge(self.source)
        across, out = hl.Func("across"), hl.Func("out")
        across[x, y] = edged[x + 1, y] - edged[x, y]
        out[x, y] = edged[x, y + 1] - edged[x, y]
        for output in (out, across):
            output.set_estimates([hl.Range(0, 640), hl.Range(0, 480)])
        self.pipeline = hl.Pipeline([out, across])


class Scheduled:
    def __init__(self, pipeline, sizes, folder, **parameters):
        self.of = pipeline()
        path = pathlib.Path(folder) / "sizes.json"
        report = pathlib.Path(folder) / "report.json"
        trace = pathlib.Path(parameters.get("trace_out", pathlib.Path(folder) / "trace.json"))
        named = {"gpu": "A100", "ptxas": "off", "report": str(report), **parameters,
                 "trace_out": str(trace)}
        if sizes is not None:
            path.write_text(sizes if isinstance(sizes, str) else json.dumps(
                {"format": "autoschedule_gpu.sizes", "version": 1, "sizes": sizes}))
            named["sizes"] = str(path)
        self.of.pipeline.apply_autoscheduler(OPENCL, hl.AutoschedulerParams("GPU", named))
        self.report = json.loads(report.read_text())
        # Names have counters that differ from pipeline to pipeline.
        self.trace = re.sub(r"\$\d+", "", trace.read_text())

    def check(self, test, width, height):
        data = np.random.default_rng(width).random((height, width), np.float32)
        self.of.source.set(hl.Buffer(data))
        expected = self.of.expected(data)
        found = self.of.pipeline.realize([width, height], OPENCL)
        many = isinstance(expected, tuple)
        for wanted, buffer in zip(expected if many else [expected], found if many else [found]):
            buffer.copy_to_host()
            np.testing.assert_allclose(np.asarray(buffer), wanted, rtol=1e-4, atol=1e-4,
                                       err_msg=str((width, height)))


class Sizes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def error_of(self, sizes, **parameters):
        with self.assertRaises(Exception) as refused:
            Scheduled(Blur, sizes, self.folder, **parameters)
        return str(refused.exception)

    def test_one_schedule_is_right_at_all_of_them_and_at_others(self):
        for pipeline in (Blur, Sums):
            sizes = [dict(size) for size in SIZES]
            if pipeline is Sums:
                for size in sizes:
                    size["outputs"] = {name: size["outputs"]["out"] for name in ("out", "other")}
            scheduled = Scheduled(pipeline, sizes, self.folder)
            self.assertEqual(scheduled.report["chosen"], "sizes")
            self.assertGreater(scheduled.report["schedules_for_sizes"], 1)
            ranges = [size["outputs"]["out"] for size in SIZES]
            for width, height in [(w, h) for (_, w), (_, h) in ranges] + ODD_SIZES:
                scheduled.check(self, width, height)

    def test_the_report_says_what_it_is_worth_at_each(self):
        table = Scheduled(Blur, SIZES, self.folder).report["sizes"]
        self.assertEqual([(row["name"], row["weight"]) for row in table],
                         [("large", 1), ("middle", 2), ("small", 1), ("tiny", 1)])
        for row in table:
            wanted = row["predicted_us"] / row["alone_us"] - 1
            self.assertAlmostEqual(row["regret"], wanted)
            self.assertLessEqual(row["regret"], 0.15)

    def test_a_size_alone_is_worth_what_a_search_for_it_finds(self):
        scheduled = Scheduled(Blur, [entry("middle", 640, 480)], self.folder)
        alone = Scheduled(Blur, None, self.folder)
        row = scheduled.report["sizes"][0]
        self.assertEqual(row["alone_us"], alone.report["predicted_us"])
        self.assertEqual(row["regret"], 0)
        self.assertEqual(scheduled.trace, alone.trace)

    def test_a_size_alone_may_have_one_launch_of_several_kernels(self):
        ranges = [[0, 640], [0, 480]]
        sizes = [entry("middle", 640, 480, outputs={"out": ranges, "across": ranges})]
        scheduled = Scheduled(Gradients, sizes, self.folder)
        self.assertIn('"compute_with"', scheduled.trace)
        self.assertEqual(scheduled.trace, Scheduled(Gradients, None, self.folder).trace)
        # It is priced at the estimates, too, where it is for another size.
        ranges = [[0, 1280], [0, 960]]
        sizes = [entry("large", 1280, 960, outputs={"out": ranges, "across": ranges})]
        other = Scheduled(Gradients, sizes, self.folder)
        self.assertIn('"compute_with"', other.trace)
        self.assertGreaterEqual(other.report["predicted_us"], scheduled.report["predicted_us"])

    def test_threads_make_no_difference(self):
        traces = {Scheduled(Blur, SIZES, self.folder, threads=n).trace for n in (1, 2, 8)}
        self.assertEqual(len(traces), 1)

    def test_a_trace_of_it_is_replayed(self):
        trace = pathlib.Path(self.folder) / "kept.json"
        first = Scheduled(Blur, SIZES, self.folder, trace_out=str(trace))
        again = Scheduled(Blur, None, self.folder, trace=str(trace))
        self.assertEqual(first.trace, again.trace)
        self.assertEqual(again.report["chosen"], "trace")
        again.check(self, 97, 101)
        again.check(self, 2048, 1536)
        broken = json.loads(trace.read_text())
        broken["directives"][0]["extents"][0]["dimension"] = 7
        trace.write_text(json.dumps(broken))
        refused = self.error_of(None, trace=str(trace))
        self.assertRegex(refused, r"out(\$\d+)? has 2 dimensions")

    def test_decisions_are_those_at_the_own_estimates(self):
        one, many = (pathlib.Path(self.folder) / name for name in ("one.json", "many.json"))
        Scheduled(Blur, None, self.folder, decisions_out=str(one))
        scheduled = Scheduled(Blur, SIZES, self.folder, decisions_out=str(many))
        self.assertEqual(json.loads(many.read_text())["pipeline"],
                         json.loads(one.read_text())["pipeline"])
        self.assertIn('"place"', many.read_text())
        middle = scheduled.report["sizes"][1]
        self.assertEqual(scheduled.report["predicted_us"], middle["predicted_us"])

    def test_time_ends_it_with_what_there_is(self):
        scheduled = Scheduled(Blur, SIZES, self.folder, time_limit_s="0.01")
        self.assertEqual(len(scheduled.report["sizes"]), len(SIZES))
        scheduled.check(self, 97, 101)

    def test_sizes_that_differ_in_nothing_have_one_schedule(self):
        same = [entry("a", 640, 480), entry("b", 640, 480)]
        report = Scheduled(Blur, same, self.folder).report
        self.assertEqual(report["schedules_for_sizes"], 1)
        self.assertEqual([row["regret"] for row in report["sizes"]], [0, 0])

    def test_an_output_that_is_taken_apart_has_one_schedule(self):
        sizes = [{"name": name, "inputs": {"source": [[0, width], [0, height]]}}
                 for name, width, height in (("small", 8, 4), ("large", 2048, 2048))]
        scheduled = Scheduled(Total, sizes, self.folder)
        self.assertEqual(scheduled.report["schedules_for_sizes"], 1)
        for width, height in [(8, 4), (33, 65), (512, 512)]:
            data = np.random.default_rng(width).random((height, width), np.float32)
            scheduled.of.source.set(hl.Buffer(data))
            found = scheduled.of.pipeline.realize([], OPENCL)
            found.copy_to_host()
            np.testing.assert_allclose(np.asarray(found), Total.expected(data), rtol=1e-4)

    def test_no_barrier_is_under_a_condition(self):
        """PoCL makes wrong code of some, of a Func that only some of the schedules compute."""
        scheduled = Scheduled(Counts, [SIZES[0], SIZES[3]], self.folder)
        for size in [(16, 12), (17, 12), (33, 7), (1, 1), (3, 700), (640, 480)]:
            scheduled.check(self, *size)

    def test_what_is_scheduled_by_hand_stays_so_in_one_schedule(self):
        scheduled = Scheduled(PartlyScheduled, SIZES, self.folder)
        self.assertEqual(scheduled.report["schedules_for_sizes"], 1)
        self.assertEqual([func["directives"] for func in scheduled.report["respected"]],
                         [["compute_root"]])
        scheduled.check(self, 97, 101)

    def test_what_is_wrong_in_a_file_is_said(self):
        ranges = [[0, 64], [0, 64]]
        for sizes, wanted in [
            ([entry("a", 64, 64), entry("a", 32, 32)],
             'entry 2, name: expected one that no other entry has, found "a" of entry 1 again'),
            ([], "sizes: expected 1 to 16 entries, found 0"),
            ([entry("a", 64, 64, weight=0)], "weight: expected a number above 0, found 0"),
            ([{"name": "a", "outputs": {"blur": ranges}}],
             'outputs, "blur": the pipeline has none of that name; there is: out'),
            ([{"name": "a", "inputs": {"image": ranges}}],
             'inputs, "image": the pipeline has none of that name; there is: source'),
            ([{"name": "a", "scalars": {"gain": 2}}],
             'scalars, "gain": the pipeline has none of that name; there is: none'),
            ([{"name": "a", "outputs": {"out": ranges[:1]}}],
             "expected a range for each of its 2 dimensions, found 1"),
            ([{"name": "a", "outputs": {"out": [[0, 64], [0, 0]]}}],
             '"out", dimension 1: expected a range [min, extent]'),
            ([{"name": "a", "size": 3}], 'found the unknown field "size"'),
            ("{", "sizes.json: bad list of sizes: line 1: expected JSON"),
        ]:
            self.assertIn(wanted, self.error_of(sizes))

    def test_nothing_else_may_say_where_the_schedule_comes_from(self):
        for other in ("trace", "decisions", "records"):
            with self.subTest(other):
                path = pathlib.Path(self.folder) / "other"
                path.write_text("")
                refused = self.error_of(SIZES, **{other: str(path)})
                self.assertIn(f"autoscheduler.sizes and autoscheduler.{other} both say", refused)


if __name__ == "__main__":
    unittest.main()
