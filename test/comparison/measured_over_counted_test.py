"""measured_over_counted: its figures, rows that have no twin, and bad calls.

usage: measured_over_counted_test.py MEASURED_OVER_COUNTED
"""

import json
import lzma
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL = sys.argv.pop(1)


def row(app, scheduler, run_ms, predicted_ms, blocks=64, status="ok"):
    kernel = {"name": "k", "blocks": [blocks, 1, 1], "threads": [32, 1, 1], "launches": 1,
              "predicted_ms": predicted_ms}
    return {"app": app, "scheduler": scheduler, "size": "full", "gpu": "H200", "status": status,
            "run_ms": run_ms, "kernels": [kernel]}


class MeasuredOverCounted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def file(self, name, rows):
        path = self.folder / name
        path.parent.mkdir(exist_ok=True)
        text = json.dumps(rows).encode()
        path.write_bytes(lzma.compress(text) if name.endswith(".xz") else text)
        return str(path)

    def call(self, *arguments):
        return subprocess.run([TOOL, *arguments], capture_output=True, text=True)

    def test_prints_each_row_the_spread_and_how_the_ratios_go_together(self):
        rows = [row("a", "gpu", 2.011, 1), row("a", "manual", 4.011, 1), row("b", "gpu", 1.011, 2),
                row("b", "manual", 1.011, 1), row("c", "gpu", 1, 1, status="failed")]
        printed = self.call(self.file("measured.results.json.xz", rows)).stdout
        lines = [line.split() for line in printed.splitlines()]
        self.assertEqual(lines[0][:5], ["a", "gpu", "2.0000", "1.0000", "2.00"])
        self.assertIn("gpu: 2 rows, geometric mean 1.00, standard deviation 2.000", printed)
        self.assertIn("manual: 2 rows, geometric mean 2.00, standard deviation 2.000", printed)
        self.assertIn("gpu over manual: 2 pairs, correlation of the ratios 1.00, of their ranks "
                      "1.00", printed)
        self.assertEqual(len(lines), 4 + 3)

    def test_keeps_files_of_the_same_name_apart(self):
        files = [self.file(f"{folder}/results.json",
                           [row(folder, "gpu", ms, 1), row("both", "gpu", ms, 1),
                            row("both", "manual", 1, 1)]) for folder, ms in [("a", 2), ("b", 3)]]
        printed = self.call("--run-us", "0", *files).stdout
        for file in files:
            self.assertEqual(printed.count(file), 3)
        self.assertIn("gpu over manual: 2 pairs", printed)

    def test_takes_counted_times_of_the_same_kernels_only(self):
        measured = self.file("measured.json", [row("a", "gpu", 2, 9), row("b", "gpu", 2, 9)])
        counted = self.file("counted.json", [row("a", "gpu", None, 4),
                                             row("b", "gpu", None, 4, blocks=65)])
        printed = self.call("--run-us", "0", "--counted", counted, measured).stdout
        self.assertIn("2.0000    4.0000  0.50", printed)
        self.assertIn("other kernels", printed)
        self.assertIn("gpu: 1 rows", printed)

    def test_committed_rows_are_the_default(self):
        done = self.call()
        self.assertEqual(done.returncode, 0)
        self.assertIn("gpu over manual", done.stdout)

    def test_says_what_is_wrong(self):
        for call in ([str(self.folder / "none.json")], ["--no"], [self.file("empty.json", [])]):
            done = self.call(*call)
            self.assertEqual(done.returncode, 2, call)
            self.assertIn("measured_over_counted: ", done.stderr)


if __name__ == "__main__":
    unittest.main()
