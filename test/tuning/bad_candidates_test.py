"""Candidates that crash, hang, compute the wrong thing, or report no sensible time never become the
best, and never end a run.

usage: bad_candidates_test.py BIN_FOLDER

The tools are used from a folder in which the program that runs candidates is another: it lets the
first code that it sees be, which is that of the default schedule, and spoils the next ones, whenever it
sees them, each in a way of its own, or all that it times again, in the finals.
"""

import pathlib
import shutil
import stat
import subprocess
import sys
import time
import unittest

from tuned import Tuned

Tuned.BIN = pathlib.Path(sys.argv.pop(1)).resolve()

# A runner that hands on all but runs.
PASSES_ON = """#!{python}
import fcntl, hashlib, json, os, subprocess, sys, time
arguments = sys.argv[1:]
real = [{runner!r}, *arguments]
if arguments[0] != "run":
    os.execv(real[0], real)
"""

RUNNER = PASSES_ON + """
library = open(arguments[arguments.index("--library") + 1], "rb").read()
code = hashlib.sha256(library).hexdigest()
timed = "--samples" not in arguments or arguments[arguments.index("--samples") + 1] != "0"
with open({seen!r}, "a+") as log:
    fcntl.flock(log, fcntl.LOCK_EX)
    log.seek(0)
    codes = log.read().split()
    if code not in codes:
        log.write(code + "\\n")
        codes.append(code)
way = codes.index(code)
if way == 1:
    os.abort()
if way == 2 and timed:
    time.sleep(1000)
result = subprocess.run(real, capture_output=True, text=True)
lines = result.stdout.splitlines() or [""]
report = json.loads(lines[-1]) if lines[-1].startswith("{{") else None
if report and way == 3:
    report["samples_ms"] = [0.0 for _ in report["samples_ms"]]
if report and way == 4:
    report["samples_ms"] = [-1.0 for _ in report["samples_ms"]]
if report and way == 5:
    report["verified"] = False
text = json.dumps(report) if report else lines[-1]
if report and way == 6 and report["samples_ms"]:
    text = text.replace(json.dumps(report["samples_ms"]), "[NaN, NaN, NaN]")
if way == 7:
    text = text[:len(text) // 2]
print("\\n".join([*lines[:-1], text]))
sys.stderr.write(result.stderr)
sys.exit(result.returncode)
"""


SPOILS_FINALS = """#!{python}
import fcntl, hashlib, os, sys
arguments = sys.argv[1:]
def timed(words):
    return "--samples" not in words or words[words.index("--samples") + 1] != "0"
if arguments[0] == "run" and timed(arguments):
    library = open(arguments[arguments.index("--library") + 1], "rb").read()
    code = hashlib.sha256(library).hexdigest()
    with open({seen!r}, "a+") as log:
        fcntl.flock(log, fcntl.LOCK_EX)
        log.seek(0)
        codes = log.read().split()
        log.write(code + "\\n")
    if code in codes and code != codes[0]:
        os.abort()
os.execv({runner!r}, [{runner!r}, *arguments])
"""


SPOILS_OUTPUTS = PASSES_ON + """
report = json.loads(subprocess.run(real, capture_output=True, text=True).stdout.splitlines()[-1])
report["failure"] = {{"kind": "wrong output", "reason": "all elements are wrong", "output": ""}}
print(json.dumps(report))
sys.exit(3)
"""


FULL_DISK = PASSES_ON + """
library = open(arguments[arguments.index("--library") + 1], "rb").read()
code = hashlib.sha256(library).hexdigest()
with open({seen!r}, "a+") as log:
    log.seek(0)
    codes = log.read().split() or [code]
    log.write(code + "\\n")
if code == codes[0]:
    os.execv(real[0], real)
report = json.loads(subprocess.run(real, capture_output=True, text=True).stdout.splitlines()[-1])
report["failure"] = {{"kind": "compile", "reason": "clBuildProgram failed",
                     "output": "cannot write the program: No space left on device"}}
print(json.dumps(report))
sys.exit(3)
"""


class BadCandidates(Tuned):
    def setUp(self):
        super().setUp()
        self.tools = self.folder / "bin"
        self.tools.mkdir()
        (self.folder / "lib").symlink_to(self.BIN.parent / "lib")
        (self.folder / "apps").symlink_to(self.BIN.parent / "apps")
        shutil.copy(self.BIN / "autotune", self.tools / "autotune")
        for generator in self.BIN.glob("*.generator"):
            (self.tools / generator.name).symlink_to(generator)
        self.seen = self.folder / "seen"
        apps = self.BIN.parent / "apps"
        is_here = (apps / "unsharp" / "app.json").exists()
        self.apps = apps if is_here else self.BIN.parent.parent / "apps"

    def run_by(self, text):
        """Candidates, from now on."""
        runner = self.tools / "pipeline_runner"
        runner.write_text(text.format(python=sys.executable, seen=str(self.seen),
                                      runner=str(self.BIN / "pipeline_runner")))
        runner.chmod(runner.stat().st_mode | stat.S_IXUSR)

    def test_never_win_and_never_end_a_run(self):
        self.run_by(RUNNER)
        self.tune("--mode", "autotune", "--batch", "12", "--iterations", "1", "--seed", "3",
                  "--sampler", "mixed", "--run-timeout", "6", "--apps-folder", self.apps,
                  tool=self.tools / "autotune")
        ways = len(self.seen.read_text().split())
        self.assertGreater(ways, 8, "all seven ways, and a code beside the first that is let be")
        records = self.check_records()
        measured = [record for record in records if "failure" not in record]
        failed = [record for record in records if "failure" in record]
        self.assertGreater(len(measured), 0)
        self.assertGreater(len(failed), 3)
        for record in measured:
            self.assertTrue(all(ms > 0 for ms in record["samples_ms"]))
        self.assertGreater(self.summary()["best"]["median_ms"], 0)
        self.assertIn("crash", {record["failure"]["kind"] for record in failed})

    def test_of_a_full_disk_are_tried_again_when_there_is_room(self):
        options = ("--batch", "4", "--iterations", "1", "--seed", "3", "--apps-folder", self.apps)
        self.run_by(FULL_DISK)
        full = self.call(*options, tool=self.tools / "autotune")
        self.assertEqual(full.returncode, 1, full.stderr)
        self.assertIn("(No space left on device); once there is room, the same command goes on",
                      full.stderr)
        self.assertEqual([r for r in self.check_records() if "failure" in r], [])
        self.tune(*options)
        records = self.check_records()
        self.assertGreater(len(records), 1)
        self.assertEqual([r for r in records if r.get("failure", {}).get("kind") == "compile"], [])

    def test_a_trace_of_one_is_told_how_it_fails(self):
        """However the file is spaced."""
        self.tune("--budget", "1t")
        trace = self.folder / "spaced.trace.json"
        trace.write_text((self.out / "unsharp.trace.json").read_text() + "\n")
        again = self.folder / "again"
        self.tune("--trace", trace, out=again)
        self.assertEqual(self.schedule(again), self.schedule())
        self.run_by(SPOILS_OUTPUTS)
        told = self.call("--trace", trace, "--apps-folder", self.apps, out=again,
                         tool=self.tools / "autotune")
        self.assertEqual(told.returncode, 2)
        self.assertIn("--trace: app:unsharp: the schedule failed (wrong output): all elements are "
                      "wrong", told.stderr)

    def check_finals(self):
        """All but the default schedule have crashed there, which were measured before."""
        self.assertEqual([event["schedule"] for event in self.events("finalist")], ["default"])
        self.assertEqual(self.events("winner")[0]["schedule"], "default")
        failed = [record for record in self.check_records() if "failure" in record]
        self.assertGreater(len(failed), 1)
        for record in failed:
            self.assertEqual(record["failure"]["kind"], "crash")
            self.assertNotEqual(record["samples_ms"], [])

    def test_that_crash_in_the_finals_are_out(self):
        self.run_by(SPOILS_FINALS)
        options = ("--batch", "4", "--iterations", "1", "--seed", "3", "--apps-folder", self.apps)
        self.tune(*options, tool=self.tools / "autotune")
        self.check_finals()
        journal = self.journal()
        self.tune(*options, tool=self.tools / "autotune")  # and are so again
        self.assertEqual(self.journal(), journal)

    def test_that_crashed_in_the_finals_do_not_end_a_later_call(self):
        self.run_by(SPOILS_FINALS)
        options = ("--strategy", "grid", "--seed", "3", "--apps-folder", self.apps)
        self.tune(*options, "--budget", "4t", tool=self.tools / "autotune")
        self.check_finals()
        crashed = {r["code_hash"] for r in self.check_records() if "failure" in r}
        self.tune(*options, "--budget", "8t")
        for record in self.check_records():
            if record["code_hash"] in crashed:
                self.assertEqual(record["failure"]["kind"], "crash")
        self.assertGreater(len(self.events("finalist")), 1)

    def test_that_crash_in_the_finals_at_a_worker_are_out(self):
        self.run_by(SPOILS_FINALS)
        tool = self.tools / "autotune"
        tuner = subprocess.Popen(self.command("--batch", "4", "--iterations", "1", "--seed", "3",
                                              "--apps-folder", self.apps, "--queue", tool=tool),
                                 stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        while not self.records.exists() and tuner.poll() is None:
            time.sleep(0.05)
        worker = subprocess.run([tool, "worker", "--records", self.records, "--idle", "5"],
                                capture_output=True, text=True)
        _, err = tuner.communicate()
        self.assertEqual((worker.returncode, tuner.returncode), (0, 0), worker.stderr + err)
        self.check_finals()


if __name__ == "__main__":
    unittest.main(verbosity=2)
