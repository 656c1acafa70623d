"""ablation: options, files, counters that go together, resuming.

usage: ablation_test.py ABLATION
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv.pop(1)

APPS = ["mat_mul", "unsharp"]
# Of a search that takes a quarter as long the same is to be said.
SEARCH = ["--params", "beam_size=8", "--params", "num_passes=2", "--params", "ptxas=off"]
PAPER = ["memo+sampling+freeze", "memo+sampling", "memo+freeze", "memo",
         "sampling+freeze", "sampling", "freeze", "none"]


class Ablation(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.out = pathlib.Path(cls.folder.name) / "out"
        cls.result = cls.call("--apps", ",".join(APPS))
        cls.rows, cls.markdown = [], ""
        if cls.result.returncode == 0:
            cls.rows = cls.read_rows()
            cls.markdown = (cls.out / "ablation.md").read_text()

    @classmethod
    def call(cls, *options):
        return subprocess.run([TOOL, "--size", "reduced", "--out", str(cls.out), *SEARCH, *options],
                              capture_output=True, text=True)

    @classmethod
    def read_rows(cls):
        return json.loads((cls.out / "ablation.json").read_text())

    def search(self, app, configuration):
        found = [row["search"] for row in self.rows
                 if (row["app"], row["configuration"]) == (app, configuration)]
        self.assertEqual(len(found), 1)
        return found[0]

    def test_every_configuration_of_every_application_is_a_row(self):
        self.assertEqual(self.result.returncode, 0, self.result.stderr)
        self.assertEqual([(row["app"], row["configuration"]) for row in self.rows],
                         [(app, configuration) for app in APPS
                          for configuration in PAPER + ["default"]])
        for row in self.rows:
            self.assertEqual(row["status"], "ok", row["reason"])
            self.assertEqual(len(row["search_s"]), 1)
            self.assertGreater(row["search_s"][0], 0)
            self.assertGreater(row["peak_mb"], 0)
            self.assertEqual(row["search"]["stop_reason"], "completed")
            self.assertGreater(row["search"]["predicted_us"], 0)

    def test_counters_go_together(self):
        for row in self.rows:
            search = row["search"]
            with self.subTest(app=row["app"], configuration=row["configuration"]):
                self.assertGreater(search["states_scored"], 0)
                self.assertGreaterEqual(search["states_enumerated"], search["states_scored"])
                self.assertGreaterEqual(search["kernels_asked"], search["kernels_evaluated"])
                if "memo" not in row["configuration"] and row["configuration"] != "default":
                    self.assertEqual(search["memo_hits"], 0)

    def test_the_memo_changes_no_state_and_no_schedule(self):
        for app in APPS:
            for name in ["sampling+freeze", "sampling", "freeze", "none"]:
                memo = "memo" if name == "none" else "memo+" + name
                with self.subTest(app=app, configuration=name):
                    on, off = self.search(app, memo), self.search(app, name)
                    for figure in ["states_enumerated", "states_scored", "predicted_us",
                                   "pass_costs_us"]:
                        self.assertEqual(on[figure], off[figure], figure)
                    self.assertLess(on["kernels_evaluated"], off["kernels_evaluated"])

    def test_the_tables_are_on_the_terminal_and_in_a_file(self):
        for title in ["States evaluated", "States enumerated", "Search time",
                      "Speedup of the search", "Predicted cost", "Peak memory"]:
            self.assertIn(title, self.result.stdout)
            self.assertIn(f"**{title}.**", self.markdown)
        for app in APPS:
            self.assertIn(app, self.result.stdout)
        self.assertIn("geomean", self.result.stdout)

    def test_a_second_call_reuses_what_the_first_found(self):
        again = self.call("--apps", "unsharp", "--configurations", "memo,none")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(again.stderr, "")  # no search, so no progress

        def by_entry(rows):
            return sorted(rows, key=lambda row: (row["app"], row["configuration"]))
        self.assertEqual(by_entry(self.read_rows()), by_entry(self.rows))
        fresh = self.call("--apps", "unsharp", "--configurations", "memo", "--fresh")
        self.assertIn("unsharp: memo", fresh.stderr)
        self.assertEqual(len(self.read_rows()), len(self.rows))

    def test_a_search_that_is_refused_is_a_row_that_says_why(self):
        out = self.out.with_name("refused")
        result = subprocess.run([TOOL, "--size", "reduced", "--out", str(out), "--apps", "mat_mul",
                                 "--configurations", "memo", "--params", "beam_size=none"],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("every search of memo failed", result.stderr)
        row, = json.loads((out / "ablation.json").read_text())
        self.assertRegex(row["reason"], "^search: .*beam_size")
        self.assertIn("autoscheduler.memo=on", row["reproduce"])
        self.assertIn("Failures", result.stdout)

    def test_bad_usage_says_what_there_is(self):
        for option, value, text in [("--apps", "mat_mull", "mat_mul"),
                                    ("--configurations", "memo+sampeling", "memo+sampling+freeze"),
                                    ("--gpu", "H9000", "H200"),
                                    ("--size", "huge", "reduced"),
                                    ("--repeats", "0", "repeats"),
                                    ("--params", "memo=off", "memo"),
                                    ("--params", "beam_size", "NAME=VALUE"),
                                    ("--out", str(self.out.with_name("a=b")), "'='")]:
            with self.subTest(option=option, value=value):
                options = {"--apps": "mat_mul", "--out": str(self.out), option: value}
                words = [word for pair in options.items() for word in pair]
                result = subprocess.run([TOOL, *words], capture_output=True, text=True)
                self.assertEqual(result.returncode, 2)
                self.assertIn(text, result.stderr)

    def test_kinds_of_decisions_are_switched_off_one_by_one(self):
        out = self.out.with_name("decisions")
        result = subprocess.run([TOOL, "--size", "reduced", "--out", str(out), "--apps", "mat_mul",
                                 "--decisions", *SEARCH], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = {row["configuration"]: row for row in json.loads((out / "ablation.json").read_text())}
        self.assertIn("default", rows)
        self.assertIn("without_steps", rows)
        for row in rows.values():
            self.assertEqual(row["status"], "ok", row["reason"])
        # A thread of a product reads more than it computes with where nothing is written out.
        self.assertGreater(rows["without_steps"]["search"]["predicted_us"],
                           rows["default"]["search"]["predicted_us"])
        for title in ["Kinds of decisions", "Predicted time without a kind"]:
            self.assertIn(title, result.stdout)
            self.assertIn(f"**{title}.**", (out / "ablation.md").read_text())
        both = subprocess.run([TOOL, "--out", str(out), "--decisions", "--configurations", "memo"],
                              capture_output=True, text=True)
        self.assertEqual(both.returncode, 2)
        self.assertIn("--decisions", both.stderr)

    def test_a_file_that_is_none_of_ours_is_not_overwritten(self):
        out = self.out.with_name("foreign")
        out.mkdir()
        (out / "ablation.json").write_text("{}")
        result = subprocess.run([TOOL, "--apps", "mat_mul", "--out", str(out)],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--fresh", result.stderr)
        self.assertEqual((out / "ablation.json").read_text(), "{}")


if __name__ == "__main__":
    unittest.main(verbosity=2)
