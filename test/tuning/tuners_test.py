"""compare_tuners: recorded runs once more without a device, on a device, interrupted, bad usage.

usage: tuners_test.py BIN_FOLDER COMPARE_TUNERS_SH RECORDED_TAR_XZ MEASURED_TAR_XZ
"""

import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import unittest

from tuned import interrupted

BIN, EXAMPLE, RECORDED, MEASURED = (pathlib.Path(sys.argv.pop(1)) for _ in range(4))


class Tuners(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out = self.folder / "compared"

    def recorded(self):
        folder = self.folder / "recorded"
        with tarfile.open(RECORDED) as archive:
            archive.extractall(folder)
        return folder

    def command(self, *options):
        return [BIN / "compare_tuners", "--out", self.out, *options]

    def call(self, *options, **environment):
        return subprocess.run(self.command(*options), capture_output=True, text=True,
                              env={**os.environ, **environment})

    def results(self):
        return json.loads((self.out / "results.json").read_text())

    def test_the_example_of_the_readme(self):
        recorded = self.recorded()
        result = subprocess.run(["bash", EXAMPLE, BIN, recorded, self.folder], capture_output=True,
                                text=True)
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        runs = self.results()["runs"]
        self.assertEqual(len(runs), 2 * 2 * 2)
        self.assertEqual({run["trials"] for run in runs if run["strategy"] == "random"}, {12})
        # Decision for decision, to the byte, with the times of the runs that are repeated.
        journals = sorted(recorded.glob("runs/*/*.journal.jsonl"))
        self.assertEqual(len(journals), len(runs))
        for journal in journals:
            again = self.out / journal.relative_to(recorded)
            self.assertEqual(again.read_bytes(), journal.read_bytes(), again)
        for run in runs:
            self.assertGreater(run["seconds"], 0)
            # A small space: children of few parents may have the code of others, which is not
            # measured again.
            least = 0.9 if run["strategy"] == "random" else 0.75
            self.assertGreaterEqual(run["different"], least * run["trials"], run)
        page = (self.out / "index.html").read_text()
        for part in ("Overall", "Verified best", "Who leads when", "Convergence",
                     "Predictions", "over time"):
            self.assertIn(part, page)
        self.assertIn("| genetic", (self.out / "results.md").read_text())

        # What is complete is not run again.
        before = (self.out / "results.json").read_text()
        again = subprocess.run(["bash", EXAMPLE, BIN, recorded, self.folder], capture_output=True,
                               text=True)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stderr, "")
        self.assertEqual((self.out / "results.json").read_text(), before)
        self.assertNotIn("not on the page", again.stdout)

        # Of some strategies, the page has those, and says what it leaves out.
        some = self.call("--strategies", "random", "--apps", "unsharp,mat_mul", "--size", "tiny",
                         "--budget", "12", "--batch", "6", "--seeds", "1,2", "--final-rounds", "3",
                         "--device", f"replay:{recorded}")
        self.assertEqual(some.returncode, 0, some.stderr)
        self.assertIn("not on the page: 4 complete runs", some.stdout)
        self.assertIn(f"compare_tuners --show --out {self.out.resolve()}", some.stdout)
        self.assertEqual(self.results()["runs"],
                         [run for run in runs if run["strategy"] == "random"])
        self.assertEqual(self.call("--show").returncode, 0)
        self.assertEqual(len(self.results()["runs"]), len(runs))

    def test_records_that_are_replayed_are_not_removed(self):
        self.out = self.recorded()
        records = sorted(self.out.glob("runs/*/tuned.records"))
        for replayed in (self.out, records[0]):
            result = self.call("--strategies", "random", "--apps", "unsharp", "--size", "tiny",
                               "--budget", "12", "--seeds", "1", "--device", f"replay:{replayed}",
                               "--fresh")
            self.assertEqual(result.returncode, 2)
            self.assertIn("--fresh: it would remove what --device replays", result.stderr)
        self.assertEqual(sorted(self.out.glob("runs/*/tuned.records")), records)

    def test_an_interrupted_comparison_goes_on(self):
        options = ("--strategies", "random,top5", "--apps", "unsharp", "--size", "tiny",
                   "--device", "opencl", "--budget", "6", "--batch", "5", "--seeds", "1",
                   "--final-rounds", "3")
        ended = interrupted(self.command(*options),
                            lambda line: "unsharp top5, seed 1: compiling" in line)
        self.assertEqual(ended.returncode, 130, ended.stderr)
        self.assertIn("to go on: compare_tuners", ended.stdout)
        first = self.results()["runs"]
        self.assertEqual([run["strategy"] for run in first], ["random"])
        done = self.call(*options)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertNotIn("random, seed", done.stderr)
        self.assertEqual(self.results()["runs"][0], first[0])
        complete = self.results()["runs"]
        self.assertEqual(len(complete), 2)

        # One more strategy between them, which is interrupted, takes nothing off the page.
        more = ("--strategies", "random,grid,top5", *options[2:])
        ended = interrupted(self.command(*more), lambda line: "unsharp grid, seed 1: " in line)
        self.assertEqual(ended.returncode, 130, ended.stderr)
        self.assertEqual(self.results()["runs"], complete)

    def test_an_interrupted_run_of_a_time_begins_anew(self):
        def times():
            return json.loads((folder / "times.json").read_text())["trials_and_seconds"]

        options = ("--strategies", "random", "--apps", "unsharp", "--size", "tiny",
                   "--device", "opencl", "--budget", "10m,4t", "--batch", "3", "--seeds", "1",
                   "--final-rounds", "3")
        folder = self.out / "runs" / "unsharp-random-1"
        ended = interrupted(self.command(*options),
                            lambda line: "unsharp random, seed 1: measuring the best" in line)
        self.assertEqual(ended.returncode, 130, ended.stderr)
        first = times()
        self.assertEqual(first[-1][0], 4)
        done = self.call(*options)
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        self.assertTrue((folder / "earlier.records").exists())
        self.assertNotEqual(times()[0], first[0])
        self.assertEqual(self.results()["runs"][0]["trials"], 4)

    def test_times_go_on_with_another_budget_and_begin_anew_with_other_trials(self):
        def compare(budget, batch, rounds, **environment):
            done = self.call("--strategies", "random", "--apps", "unsharp", "--size", "tiny",
                             "--device", "opencl", "--budget", budget, "--batch", batch, "--seeds",
                             "1", "--final-rounds", rounds, **environment)
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            return json.loads((folder / "times.json").read_text())["trials_and_seconds"]

        folder = self.out / "runs" / "unsharp-random-1"
        first = compare("2", "5", "3")
        more = compare("3", "5", "4")
        self.assertEqual(more[:len(first)], first)
        self.assertGreater(len(more), len(first))
        self.assertFalse((folder / "earlier.records").exists())
        anew = compare("2", "4", "3")
        self.assertNotEqual(anew[0], first[0])
        self.assertTrue((folder / "earlier.records").exists())
        self.assertTrue((folder / "tuned.records").exists())
        # What is complete is not made again, unless the device is chosen otherwise.
        self.assertEqual(compare("2", "4", "3"), anew)
        self.assertNotEqual(compare("2", "4", "3", HL_GPU_DEVICE="0")[0], anew[0])

    def test_the_page_of_runs_that_were_made_elsewhere(self):
        nothing = self.call("--show")
        self.assertEqual(nothing.returncode, 2)
        self.assertIn("expected complete runs of a contest in its runs/", nothing.stderr)
        with tarfile.open(MEASURED) as archive:
            archive.extractall(self.out)
        shown = self.call("--show")
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertEqual(len(self.results()["runs"]), 3 * 4)
        self.assertIn("coordinate_descent", shown.stdout)
        page = (self.out / "index.html").read_text()
        for part in ("Overall", "over time", "pthread-haswell"):
            self.assertIn(part, page)

    def test_bad_usage_is_one_line(self):
        usual = {"--apps": "unsharp", "--size": "tiny", "--budget": "6", "--seeds": "1",
                 "--strategies": "random"}
        for option, value, message in [
                ("--strategies", "luck", "--strategies: expected batch, coordinate_descent, "),
                ("--strategies", "luck", "; modes are one-shot, top5 and autotune"),
                ("--strategies", "random,random", "--strategies: random is there twice"),
                ("--strategies", ",", "--strategies: expected names, found none"),
                ("--seeds", "1,x", "--seeds: expected different numbers such as 1,2,3, found '1,x'"),
                ("--seeds", "1,1", "--seeds: expected different numbers"),
                ("--budget", "soon", "--budget: "),
                ("--apps", "nonsense", "nonsense"),
                ("--size", "huge", "huge"),
                ("--device", f"replay:{self.folder}", "expected records of a contest in its runs/"),
                ("--budget", "", "--budget is required"),
                ("--apps", "", "--apps is required"),
                ("--device", "none", "--device: ")]:
            options = [word for pair in {**usual, option: value}.items() for word in pair]
            result = self.call(*options)
            self.assertEqual(result.returncode, 2, options)
            self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
            self.assertIn(message, result.stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
