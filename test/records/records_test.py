"""records: its verbs, its exit codes, and that a file is whole wherever a merge was ended.

usage: records_test.py BIN_FOLDER WRITE_EXAMPLE_RECORDS RECORDS_SH
"""

import fcntl
import json
import os
import pathlib
import random
import re
import sqlite3
import struct
import subprocess
import sys
import tempfile
import termios
import time
import unittest

BIN, WRITE_EXAMPLE, EXAMPLE = (pathlib.Path(sys.argv.pop(1)) for _ in range(3))


class Records(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.file = self.folder / "tuning.records"
        subprocess.run([WRITE_EXAMPLE, self.file], check=True)

    def call(self, *words, records=None):
        return subprocess.run([BIN / "records", *words, "--records", records or self.file],
                              capture_output=True, text=True)

    def output_of(self, *words, records=None):
        result = self.call(*words, records=records)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def listed(self, *words, records=None):
        lines = self.output_of("list", "--json", *words, records=records).splitlines()
        return [json.loads(line) for line in lines]

    def code_hashes(self, *words, records=None):
        return [int(record["code_hash"], 16) for record in self.listed(*words, records=records)]

    def change(self, sql):
        with sqlite3.connect(self.file) as connection:
            connection.executescript("PRAGMA ignore_check_constraints=ON;" + sql)
        connection.close()

    def test_the_example_of_the_readme(self):
        result = subprocess.run(["bash", EXAMPLE, BIN, self.file, self.folder],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("4 measured, 1 failed (1 wrong output)", result.stdout)
        trace = json.loads((self.folder / "harris.trace.json").read_text())
        self.assertEqual(trace, {"directives": []})
        lines = (self.folder / "measurements.jsonl").read_text().splitlines()
        self.assertEqual({json.loads(line)["app"] for line in lines}, {"harris"})
        shown = subprocess.run([BIN / "samples_info", "--json", self.folder / "tuned.samples"],
                               capture_output=True, text=True, check=True).stdout
        origin = json.loads(shown)[0]["origin"]
        self.assertEqual(origin["device"], "NVIDIA H200")
        self.assertIn("records export", origin["command"])
        self.assertEqual(self.code_hashes(records=self.folder / "all.records"), [1, 2, 0x11])

    def test_lists_what_the_filters_mean(self):
        self.assertEqual(self.code_hashes(), [1, 2, 3, 4, 0x11])
        self.assertEqual(self.code_hashes("--failed"), [4])
        self.assertEqual(self.code_hashes("--pipeline", "app:unsharp"), [0x11])
        self.assertEqual(self.code_hashes("--device", "NVIDIA H200", "--size", "reduced"),
                         [1, 2, 3, 4])
        self.assertEqual(self.code_hashes("--gpu", "A100"), [])
        self.assertEqual(self.code_hashes("--halide", "21.0.0"), [1, 2, 3, 4, 0x11])
        self.assertEqual(self.code_hashes("--halide", "22.0.0"), [])
        table = self.output_of("list")
        for text in ("app:harris", "opencl: cpu", "wrong output:", "genetic 3", "2001-01-01"):
            self.assertIn(text, table)

    def test_failures_before_there_was_code_are_listed(self):
        self.change("INSERT INTO draws SELECT pipeline_hash, device, driver, gpu, halide, plugin, "
                    "'seed=9', NULL, 'search', 'no tile fits', '', '' FROM records "
                    "WHERE code_hash = 1")
        failed = self.output_of("list", "--failed")
        self.assertRegex(failed, r"search: no tile fits +seed=9")
        self.assertEqual(sum("app:harris" in line for line in failed.splitlines()), 1)
        self.assertNotIn("seed=9", self.output_of("list"))
        self.assertNotIn("seed=9", self.output_of("list", "--failed", "--size", "full"))
        self.assertEqual(self.code_hashes("--failed"), [4])

    def test_a_date_is_on_one_line_and_a_pipeline_named_once(self):
        lines = self.output_of("list").splitlines()
        self.assertEqual(sum("app:harris" in line for line in lines), 1)
        dated = [line for line in lines if re.match(r" *\S+ +\d+  \d{4}-\d\d-\d\d \d\d:\d\d  ", line)]
        self.assertEqual(len(dated), 5)

    def test_a_table_fits_the_terminal(self):
        reader, terminal = os.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 70, 0, 0))
        subprocess.run([BIN / "records", "list", "--records", self.file], stdout=terminal, check=True)
        os.close(terminal)
        shown = os.read(reader, 1 << 16).decode()
        self.assertLessEqual(max(map(len, shown.splitlines())), 70, shown)

    def test_says_what_tuning_gained(self):
        lines = self.output_of("best").splitlines()
        of_harris = [i for i, line in enumerate(lines) if line.startswith("app:harris")]
        self.assertEqual(len(of_harris), 1)
        self.assertRegex(lines[of_harris[0]], r"on NVIDIA H200$")
        self.assertRegex(lines[of_harris[0] + 1], r"^ +4 +2 +strategy=beam seed=5 ")

    def test_a_trace_is_of_one_pipeline(self):
        result = self.call("best", "--trace", self.folder / "t.json")
        self.assertEqual(result.returncode, 2)
        self.assertIn("found 2", result.stderr)
        self.assertFalse((self.folder / "t.json").exists())
        self.assertEqual(self.call("best", "--pipeline", "app:none").returncode, 1)

    def test_prunes_only_what_it_said(self):
        words = ("prune", "--keep", "2", "--failed", "--older-than-days", "3000")
        said = self.output_of(*words, "--dry-run")
        self.assertIn("2 records would be removed", said)
        self.assertIn("genetic 3", said)
        self.assertEqual(len(self.code_hashes()), 5)
        self.assertIn("2 records removed", self.output_of(*words))
        self.assertEqual(self.code_hashes(), [1, 2, 0x11])

    def test_verify_finds_damage(self):
        self.assertIn("all is well", self.output_of("verify"))
        self.change("UPDATE records SET trace = '{' WHERE code_hash = 2")
        self.change("UPDATE records SET median_ms = 0.001 WHERE code_hash = 1")
        result = self.call("verify")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stdout.splitlines()), 2)
        self.assertIn("JSON as trace", result.stdout)
        self.assertEqual(self.call("best").returncode, 1)

    def test_bad_input_is_one_line_that_says_what_is_expected(self):
        text = self.folder / "text"
        text.write_text("no records at all, but some text\n" * 200)
        newer = self.folder / "newer"
        newer.write_bytes(self.file.read_bytes())
        connection = sqlite3.connect(newer)
        connection.execute("PRAGMA user_version=9")
        connection.close()
        for words, records, expected in [
                (["list"], text, "not SQLite's"),
                (["list"], newer, "version 9"),
                (["list"], self.folder / "none", "no such file"),
                (["prune", "--failed"], self.folder / "none", "no such file"),
                (["list"], self.folder, "expected a file"),
                (["best", "--colour"], self.file, "--colour"),
                (["export"], self.file, "--out or --samples"),
                (["prune", "--keep", "-1"], self.file,
                 "--keep: Value -1 not in range 0 to 1000000000"),
                (["prune", "--older-than-days", "-1"], self.file,
                 "--older-than-days: Value -1 not in range 0.000000 to 100000.000000"),
                (["prune"], self.file, "prune: --keep, --failed or --older-than-days is required"),
                (["prune", "--dry-run"], self.file, "is required"),
                (["merge"], self.file, "files"),
                (["dance"], self.file, "")]:
            with self.subTest(words=words, records=records):
                result = self.call(*words, records=records)
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
                self.assertIn(expected, result.stderr)
        self.assertFalse((self.folder / "none").exists())

    def test_a_merge_of_what_is_not_there_takes_nothing(self):
        merged = self.folder / "merged"
        result = self.call("merge", self.file, self.folder / "none", records=merged)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn("no such file", result.stderr)
        self.assertFalse(merged.exists())

    def test_a_merge_that_was_killed_took_all_or_nothing(self):
        big, merged = self.folder / "big", self.folder / "merged"
        subprocess.run([WRITE_EXAMPLE, big, "2000"], check=True)
        whole = len(self.code_hashes(records=big))
        generator = random.Random(1)
        for _ in range(5):
            process = subprocess.Popen([BIN / "records", "merge", big, "--records", merged],
                                       stdout=subprocess.DEVNULL)
            time.sleep(generator.random() / 10)
            process.kill()
            process.wait()
            # A file that was not begun is made by the next.
            self.output_of("merge", self.file, records=merged)
            self.assertIn(len(self.code_hashes(records=merged)), (5, whole))
            self.output_of("verify", records=merged)
        self.assertIn(" records added", self.output_of("merge", big, records=merged))
        self.assertEqual(len(self.code_hashes(records=merged)), whole)
        self.assertEqual(self.call("merge", merged, records=merged).returncode, 1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
