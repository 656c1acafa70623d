"""What the tests of autotune share: calling it, and looking at what it leaves."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import unittest


def interrupted(command, is_time, times=1):
    """What becomes of a program that gets Ctrl-C when it has written such a line on stderr."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    for line in process.stderr:
        if is_time(line):
            for _ in range(times):
                process.send_signal(signal.SIGINT)
            break
    out, err = process.communicate()
    return subprocess.CompletedProcess(command, process.returncode, out, err)


class Tuned(unittest.TestCase):
    BIN = pathlib.Path()

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.out, self.records = self.folder / "out", self.folder / "tuned.records"
        # What several calls of a test run is compiled once.
        self.addCleanup(os.environ.pop, "POCL_CACHE_DIR", None)
        os.environ["POCL_CACHE_DIR"] = str(self.folder / "pocl")

    def command(self, *options, app="unsharp", out=None, tool=None):
        defaults = {"--app": app, "--size": "tiny", "--device": "opencl", "--final-rounds": "3",
                    "--records": self.records, "--export": out or self.out}
        usual = [word for name, value in defaults.items() if name not in options
                 for word in (name, value)]
        return [tool or self.BIN / "autotune", *usual, *options]

    def call(self, *options, **where):
        return subprocess.run(self.command(*options, **where), capture_output=True, text=True)

    def tune(self, *options, **where):
        result = self.call(*options, **where)
        self.assertEqual(result.returncode, 0, result.stderr[-2000:])
        return result

    def listed(self):
        result = subprocess.run([self.BIN / "records", "list", "--json", "--records", self.records],
                                capture_output=True, text=True, check=True)
        return [json.loads(line) for line in result.stdout.splitlines()]

    def best_trace(self):
        """The bytes of the schedule that `records best` names."""
        trace = self.folder / "best.trace.json"
        subprocess.run([self.BIN / "records", "best", "--records", self.records, "--trace", trace],
                       capture_output=True, check=True)
        return trace.read_bytes()

    def check_records(self):
        """Sound, and of every code one."""
        result = subprocess.run([self.BIN / "records", "verify", "--records", self.records],
                                capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        records = self.listed()
        self.assertEqual(len({record["code_hash"] for record in records}), len(records))
        return records

    def journal(self, out=None, app="unsharp"):
        return ((out or self.out) / f"{app}.journal.jsonl").read_text()

    def events(self, kind, **where):
        events = [json.loads(line) for line in self.journal(**where).splitlines()]
        return [event for event in events if event["event"] == kind]

    def schedule(self, out=None, app="unsharp"):
        """The header without the line in which Halide prints the path of the trace, and the trace."""
        out = out or self.out
        header = (out / f"{app}.schedule.h").read_text().splitlines()
        return ([line for line in header if ".trace.json" not in line],
                (out / f"{app}.trace.json").read_bytes())

    def summary(self, out=None, app="unsharp"):
        return json.loads(((out or self.out) / f"{app}.json").read_text())
