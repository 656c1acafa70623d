"""autotune, its workers and its candidates killed at random moments: nothing is lost, doubled or
measured twice, and the next start goes on.

usage: kills_test.py BIN_FOLDER KILLS BATCH
"""

import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import time
import unittest

from tuned import Tuned

Tuned.BIN, KILLS, BATCH = pathlib.Path(sys.argv.pop(1)), int(sys.argv.pop(1)), sys.argv.pop(1)

OPTIONS = ("--mode", "autotune", "--batch", BATCH, "--iterations", "1", "--sampler", "mixed")


def children_of(process, name):
    """Processes of that program below `process`, by /proc."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            text = status.read_text()
        except OSError:
            continue
        parent = int(text[text.rindex(")") + 2:].split()[1])
        if parent == process.pid and name in text:
            found.append(int(status.parent.name))
    return found


def running_in(folder):
    """Processes whose command names the folder, by /proc."""
    found = []
    for command in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            text = command.read_text(errors="replace")
        except OSError:
            continue
        if str(folder) in text:
            found.append(text.replace("\0", " "))
    return found


class Kills(Tuned):
    def check(self, earlier):
        """What was there before is there now, as it was."""
        now = {record["code_hash"]: record for record in self.check_records()}
        for code, record in earlier.items():
            self.assertEqual(now[code]["samples_ms"], record["samples_ms"])
        return now

    def killed(self, rng):
        """How many had been measured by what a call said that was killed a moment later."""
        process = subprocess.Popen(self.command(*OPTIONS), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        said = 0
        for line in process.stderr:
            measured = re.search(r"\((\d+) measured", line)
            said = int(measured[1]) if measured else said
            if said > 0:
                break
        time.sleep(rng.uniform(0, 4))
        process.kill()
        process.communicate()
        self.check_nothing_runs_on()
        return said

    def check_nothing_runs_on(self):
        until = time.monotonic() + 10
        while running_in(self.folder) and time.monotonic() < until:
            time.sleep(0.05)
        self.assertEqual(running_in(self.folder), [])

    def test_of_the_tuner(self):
        rng, records = random.Random(1), {}
        for _ in range(KILLS):
            said = self.killed(rng)
            records = self.check(records)
            measured = [record for record in records.values() if record.get("samples_ms")]
            self.assertGreaterEqual(len(measured), max(1, said))
        self.tune(*OPTIONS)
        self.check(records)
        self.compare_with_an_undisturbed_run()

    def test_of_candidates(self):
        rng, kills, seed, records = random.Random(2), 0, 0, {}
        while kills < KILLS:
            seed += 1
            options = (*OPTIONS, "--seed", str(seed))
            process = subprocess.Popen(self.command(*options), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.PIPE, text=True)
            kills += self.kill_candidates_of(process, rng, KILLS - kills)
            _, err = process.communicate()
            self.assertEqual(process.returncode, 0, err[-2000:])
            records = self.check(records)
            # What was killed too often is tried again.
            self.tune(*options)
            records = self.check(records)
            self.assertNotIn("lost", {record.get("failure", {}).get("kind")
                                      for record in records.values()})

    def kill_candidates_of(self, process, rng, most):
        """A moment apart, so that a step is not killed as often as it is tried."""
        kills = 0
        while process.poll() is None and kills < most:
            time.sleep(rng.uniform(1, 3))
            for candidate in children_of(process, "pipeline_runner")[:1]:
                try:
                    os.kill(candidate, signal.SIGKILL)
                    kills += 1
                except ProcessLookupError:
                    pass
        return kills

    def test_of_workers(self):
        rng = random.Random(3)
        tuner = subprocess.Popen(self.command(*OPTIONS, "--queue"), stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        while not self.records.exists():
            time.sleep(0.05)
        command = [self.BIN / "autotune", "worker", "--records", self.records, "--idle", "5",
                   "--quiet"]
        records = {}
        for _ in range(KILLS):
            worker = subprocess.Popen(command, stdout=subprocess.DEVNULL,
                                      stderr=subprocess.DEVNULL)
            try:
                worker.wait(timeout=rng.uniform(0.5, 12))
            except subprocess.TimeoutExpired:
                worker.kill()
                worker.wait()
            records = self.check(records)
            if tuner.poll() is not None:
                break
        while tuner.poll() is None:
            subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertEqual(tuner.returncode, 0)
        self.check(records)
        # A job that was lost three times is given up; another call tries it again.
        self.tune(*OPTIONS)
        self.compare_with_an_undisturbed_run()

    def compare_with_an_undisturbed_run(self):
        disturbed = {record["code_hash"] for record in self.listed()}
        self.records = self.folder / "quiet.records"
        self.tune(*OPTIONS, out=self.folder / "quiet")
        self.assertEqual({record["code_hash"] for record in self.listed()}, disturbed)


if __name__ == "__main__":
    unittest.main(verbosity=2)
