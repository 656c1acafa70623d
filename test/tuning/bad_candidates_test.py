"""Candidates that crash, hang, compute the wrong thing, or report no sensible time never become the
best, and never end a run.

usage: bad_candidates_test.py BIN_FOLDER

The tools are used from a folder in which the program that runs candidates is another: it spoils
most of them, each in a way that depends on its code alone.
"""

import pathlib
import shutil
import stat
import sys
import unittest

from tuned import Tuned

Tuned.BIN = pathlib.Path(sys.argv.pop(1)).resolve()

RUNNER = """#!{python}
import hashlib, json, os, subprocess, sys, time
arguments = sys.argv[1:]
real = [{runner!r}, *arguments]
if arguments[0] != "run":
    os.execv(real[0], real)
library = open(arguments[arguments.index("--library") + 1], "rb").read()
way = hashlib.sha256({salt!r}.encode() + library).digest()[0] % 14
timed = "--samples" not in arguments or arguments[arguments.index("--samples") + 1] != "0"
with open({seen!r}, "a") as log:
    log.write(f"{{way}}\\n")
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

    def spoil(self, salt):
        runner = self.tools / "pipeline_runner"
        runner.write_text(RUNNER.format(python=sys.executable, salt=str(salt), seen=str(self.seen),
                                        runner=str(self.BIN / "pipeline_runner")))
        runner.chmod(runner.stat().st_mode | stat.S_IXUSR)

    def tune_spoilt(self):
        """With the first way to spoil candidates that leaves the default schedule as it is."""
        apps = self.BIN.parent / "apps"
        folder = apps if (apps / "unsharp" / "app.json").exists() else self.BIN.parent.parent / "apps"
        for salt in range(20):
            self.spoil(salt)
            result = self.call("--mode", "autotune", "--batch", "40", "--iterations", "1", "--seed",
                               "3", "--sampler", "mixed", "--run-timeout", "6", "--apps-folder",
                               folder, tool=self.tools / "autotune")
            if "can't be measured" not in result.stderr:
                return result
            self.seen.write_text("")
            self.records.unlink(missing_ok=True)
        self.fail("every way spoils the default schedule")

    def test_never_win_and_never_end_a_run(self):
        result = self.tune_spoilt()
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        ways = {int(line) for line in self.seen.read_text().split()}
        self.assertGreaterEqual(len(ways), 6, ways)
        records = self.check_records()
        measured = [record for record in records if record.get("samples_ms")]
        failed = [record for record in records if not record.get("samples_ms")]
        self.assertGreater(len(measured), 0)
        self.assertGreater(len(failed), 3)
        for record in measured:
            self.assertTrue(all(ms > 0 for ms in record["samples_ms"]))
        self.assertGreater(self.summary()["best"]["median_ms"], 0)
        self.assertIn("crash", {record["failure"]["kind"] for record in failed})


if __name__ == "__main__":
    unittest.main(verbosity=2)
