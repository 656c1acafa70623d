"""compare_autoschedulers: options, files, failures, resuming, replay.

usage: interface_test.py COMPARE_AUTOSCHEDULERS LOSSES_JSON
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

TOOL, NOTES = sys.argv.pop(1), sys.argv.pop(1)


class Interface(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.out = pathlib.Path(self.folder.name) / "out"

    def call(self, *options, app="unsharp", size="reduced"):
        return subprocess.run([TOOL, "--apps", app, "--size", size, "--repeats", "1", "--out",
                               str(self.out), *options], capture_output=True, text=True)

    def rows(self):
        return json.loads((self.out / "results.json").read_text())

    def test_every_scheduler_is_a_row_and_files_are_written(self):
        schedulers = "gpu,gpu:beam_size=1,root,manual,anderson2021,mullapudi2016,li2018"
        result = self.call("--schedulers", schedulers, "--notes", NOTES)
        failed = [row["scheduler"] for row in self.rows() if row["status"] == "failed"]
        self.assertEqual(result.returncode, 1 if failed else 0, result.stderr)
        self.assertEqual([row["scheduler"] for row in self.rows()], schedulers.split(","))
        for row in self.rows():
            self.assertEqual(row["app"], "unsharp")
            self.assertIn(row["status"], ["ok", "failed"])
            self.assertEqual(row["reason"] is None, row["status"] == "ok")
        ours = self.rows()[0]
        self.assertEqual(ours["status"], "ok", ours["reason"])
        self.assertGreater(ours["search_s"], 0)
        self.assertGreater(ours["peak_mb"], 0)
        manual = self.rows()[3]
        self.assertIsNone(manual["search_s"])
        self.assertIn("unsharp", result.stdout)
        self.assertIn("<svg", (self.out / "index.html").read_text())
        self.assertIn("| ", (self.out / "results.md").read_text())
        self.check_rooflines(schedulers.split(","))

    def check_rooflines(self, schedulers):
        rooflines = json.loads((self.out / "roofline.json").read_text())
        self.assertEqual([roofline["scheduler"] for roofline in rooflines], schedulers)
        for roofline, row in zip(rooflines, self.rows()):
            if row["status"] != "ok":
                self.assertRegex(roofline["unknown"], "^failed ")
                self.assertIsNone(roofline["operations"])
                continue
            self.assertIsNone(roofline["unknown"])
            self.assertGreaterEqual(roofline["recomputation"], 1)
            self.assertGreater(roofline["intensity"], 0)
            self.assertGreater(roofline["predicted"]["share"], 0)
            self.assertLess(roofline["predicted"]["share"], 1)
            self.assertIsNone(roofline["measured"])
        # The luma alone is five operations for each of 192x160 pixels.
        self.assertGreater(rooflines[0]["useful_operations"], 5 * 192 * 160)
        self.assertIn("**Roofline.** Roofs of A100", (self.out / "results.md").read_text())
        self.assertIn("roofline of A100", (self.out / "index.html").read_text())

    def test_a_scheduler_that_does_not_end_is_a_row(self):
        result = self.call("--schedulers", "anderson2021,manual", "--timeout", "0.5")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("compare_autoschedulers: anderson2021 failed on every application",
                      result.stderr)
        self.assertRegex(self.rows()[0]["reason"], "^timeout: ")
        self.assertIn("autoscheduler=Anderson2021", self.rows()[0]["reproduce"])

    def test_a_parameter_that_the_scheduler_refuses_is_a_failed_row(self):
        # A library of a user's might have added it.
        result = self.call("--schedulers", "gpu:strategy=luck")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(self.rows()[0]["reason"], "^search: .*strategy")

    def test_a_device_without_cuda_has_no_registers(self):
        result = self.call("--gpu", "opencl-generic", "--schedulers", "gpu,manual")
        self.assertEqual(result.returncode, 0, result.stderr)
        for row in self.rows():
            self.assertEqual(row["status"], "ok", row["reason"])
            self.assertEqual(row["gpu"], "opencl-generic")
            self.assertEqual([kernel["registers"] for kernel in row["kernels"]],
                             [None] * len(row["kernels"]))

    def test_a_second_call_goes_on_where_the_first_stopped(self):
        self.assertEqual(self.call("--schedulers", "manual").returncode, 0)
        first = self.rows()
        again = self.call("--schedulers", "manual")
        self.assertEqual(again.returncode, 0)
        self.assertEqual(self.rows(), first)
        self.assertNotIn("generator", again.stderr)
        fresh = self.call("--schedulers", "manual", "--fresh")
        self.assertIn("generator", fresh.stderr)

    def test_recorded_times_are_replayed_for_the_same_code_only(self):
        record = str(self.out) + ".jsonl"
        self.assertEqual(self.call("--schedulers", "manual,root", "--device", "opencl",
                                   "--opencl-times", "--record", record).returncode, 0)
        times = {row["scheduler"]: row["run_ms"] for row in self.rows()}
        self.assertEqual(self.call("--schedulers", "manual,gpu", "--device",
                                   f"replay:{record}").returncode, 1)
        manual, gpu = self.rows()
        self.assertEqual(manual["run_ms"], times["manual"])
        self.assertEqual(gpu["status"], "failed")
        self.assertIsNone(gpu["run_ms"])

    def test_failures_on_the_device_are_recorded_and_replayed(self):
        record = str(self.out) + ".jsonl"
        recorded = ["--schedulers", "manual", "--device", "opencl", "--opencl-times", "--record",
                    record]
        # Without a run there is no device's name to record a failure for.
        no_time = self.call(*recorded, "--run-timeout", "0.01")
        self.assertEqual(no_time.returncode, 1)
        self.assertIn("no run has told what the device is", no_time.stderr)
        self.assertEqual(self.call(*recorded).returncode, 0)
        self.assertEqual(self.call(*recorded, "--run-timeout", "0.01").returncode, 1)
        lines = [json.loads(line) for line in pathlib.Path(record).read_text().splitlines()]
        self.assertEqual(["failure" in line for line in lines], [False, True])
        self.assertEqual(lines[0]["device"], lines[1]["device"])
        replayed = self.call("--schedulers", "manual", "--device", f"replay:{record}")
        self.assertEqual(replayed.returncode, 1)
        self.assertRegex(self.rows()[0]["reason"], "^timeout: ")

    def test_a_folder_that_is_not_there_is_named_with_its_option(self):
        result = self.call("--apps-folder", "/no/such/folder")
        self.assertEqual(result.returncode, 2)
        self.assertIn("/no/such/folder: No such file or directory; --apps-folder says where",
                      result.stderr)

    def test_a_size_that_is_not_there_is_refused_beforehand(self):
        across = ["--cross-resolution", "--run-at", "huge"]
        for size, device, options, text in [
                ("huge", "none", [], "--size: unsharp has no size 'huge'; it has: full, "),
                ("tiny", "opencl", [], "--size: unsharp has no size 'tiny_odd'"),
                ("tiny", "opencl", across, "--run-at: unsharp has no size 'huge'")]:
            with self.subTest(size=size, options=options):
                result = self.call("--schedulers", "gpu", "--device", device, *options, size=size)
                self.assertEqual(result.returncode, 2)
                self.assertIn(text, result.stderr)
                self.assertFalse(self.out.exists())

    def test_what_cannot_be_recorded_is_refused_beforehand(self):
        timed = ["--device", "opencl", "--opencl-times"]
        foreign = pathlib.Path(self.folder.name) / "foreign"
        foreign.write_text("no record\n")
        for options, path, text in [
                ([], "new", "--record: nothing is timed with --device none"),
                (["--device", "opencl"], "new", "--opencl-times"),
                ([*timed, "--cross-resolution"], "new", "records nothing"),
                (timed, "no_folder/new", "--record: .*no_folder"),
                (timed, "foreign", "--record: .*line 1: ")]:
            with self.subTest(options=options, path=path):
                record = pathlib.Path(self.folder.name) / path
                result = self.call("--schedulers", "manual", *options, "--record", str(record))
                self.assertEqual(result.returncode, 2)
                self.assertRegex(result.stderr, text)
        self.assertEqual(foreign.read_text(), "no record\n")

    def test_another_process_is_kept_out_of_the_folder(self):
        command = [TOOL, "--apps", "unsharp", "--size", "reduced", "--repeats", "1", "--schedulers",
                   "gpu", "--out", str(self.out)]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                              text=True) as first:
            for line in first.stderr:
                if "unsharp: gpu" in line:
                    break
            second = self.call("--schedulers", "manual")
            first.communicate()
        self.assertEqual(first.returncode, 0)
        self.assertEqual(second.returncode, 1)
        self.assertIn("another process compares in", second.stderr)
        self.assertEqual([row["scheduler"] for row in self.rows()], ["gpu"])

    def cross(self, *schedulers):
        return self.call("--schedulers", ",".join(schedulers), "--device", "opencl",
                         "--cross-resolution", "--scheduled-for", "reduced", "--run-at",
                         "tiny,reduced")

    def cross_rows(self):
        return json.loads((self.out / "cross_resolution.json").read_text())

    def test_schedules_run_at_other_sizes_than_their_own(self):
        result = self.cross("manual")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = self.cross_rows()
        self.assertEqual([row["run_at"]["name"] for row in rows], ["tiny", "reduced"])
        self.assertEqual(rows[1]["status"], "ok", rows[1]["reason"])
        # A second call goes on where the first stopped.
        again = self.cross("manual")
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertNotIn("unsharp: ", again.stderr)
        self.assertEqual(self.cross_rows(), rows)

    def test_a_scheduler_that_fails_at_all_sizes_is_named(self):
        result = self.cross("manual", "gpu:strategy=luck")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("gpu:strategy=luck failed on every application", result.stderr)
        self.assertEqual([row["status"] for row in self.cross_rows()][1:],
                         ["ok", "failed", "failed"])

    def test_bad_usage_says_what_there_is(self):
        for options, text in [(["--schedulers", "luck"], "anderson2021"),
                              (["--device", "abacus"], "opencl"),
                              (["--gpu", "H9000"], "H200"),
                              (["--repeats", "0"], "repeats"),
                              (["--schedulers", "manual:x=1"], "no parameters"),
                              (["--schedulers", "gpu:x"], "NAME=VALUE"),
                              (["--schedulers", "manual,gpu:beam_size=x"],
                               "--schedulers: in 'gpu:beam_size=x': autoscheduler.beam_size must"),
                              (["--schedulers", "root:nosuch=1"],
                               "in 'root:nosuch=1': unknown parameter autoscheduler.nosuch")]:
            with self.subTest(options=options):
                result = self.call(*options)
                self.assertEqual(result.returncode, 2)
                self.assertIn(text, result.stderr)
        self.assertEqual(self.call(app="no_such_app").returncode, 2)
        self.out = self.out.with_name("w" * 300)
        self.assertRegex(self.call("--schedulers", "manual").stderr, "--out: .*too long")
        self.out = self.out.with_name("a=b")
        self.assertIn("'='", self.call("--schedulers", "manual").stderr)
        self.assertIn("unsharp", self.call(app="no_such_app").stderr)


if __name__ == "__main__":
    unittest.main(verbosity=2)
