"""Every strategy of autotune on a device: its budget, its records, replay and kills.

usage: strategies_test.py BIN_FOLDER
"""

import pathlib
import random
import subprocess
import sys
import unittest

from tuned import Tuned

Tuned.BIN = pathlib.Path(sys.argv.pop(1))

APP, TRIALS = "mat_mul", 12


class Strategies(Tuned):
    def killed(self, rng, options):
        """What is in the records after a call that was killed; it may also have come to its end."""
        process = subprocess.Popen(self.command(*options, app=APP), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        try:
            process.wait(timeout=rng.uniform(4, 12))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        return self.times() if self.records.exists() else {}

    def times(self):
        return {record["code_hash"]: record.get("samples_ms") for record in self.check_records()}

    def check(self, strategy, *more):
        options = ("--strategy", strategy, *more, "--seed", "1", "--size", "reduced", "--budget",
                   f"{TRIALS}t")
        rng = random.Random(strategy)
        known = [self.killed(rng, options) for _ in range(2)]
        self.tune(*options, app=APP)
        times = self.times()
        for earlier in known:
            self.assertEqual(earlier, {code: times.get(code) for code in earlier})
        records, journal = self.listed(), self.journal(app=APP)
        summary = self.summary(app=APP)
        # A round of annealing is whole or is not begun.
        self.assertLessEqual(summary["trials"], TRIALS)
        self.assertGreater(summary["measured"], TRIALS // 2)

        # Without the device, from the records.
        again = self.folder / "again"
        self.tune(*options, "--device", f"replay:{self.records}", "--records",
                  self.folder / "none", app=APP, out=again)
        self.assertEqual(self.journal(again, app=APP), journal)
        self.assertEqual(self.schedule(again, app=APP), self.schedule(app=APP))

        # With it: nothing is measured again.
        self.tune(*options, app=APP)
        self.assertEqual(self.listed(), records)
        self.assertEqual(self.journal(app=APP), journal)

    def test_random(self):
        self.check("random", "--batch", "8")

    def test_grid(self):
        self.check("grid", "--batch", "8")

    def test_annealing(self):
        self.check("annealing")

    def test_evolutionary(self):
        # As many as are trained on are measured before the second round.
        self.check("evolutionary", "--batch", "8")
        self.assertEqual(len(self.events("evolved", app=APP)), 2)
        self.assertEqual(len(self.events("retrained", app=APP)), 1)

    def test_coordinate_descent_from_the_plain_schedule(self):
        self.check("coordinate_descent", "--origin", "plain", "--confidence", "0.75")
        self.assertEqual(self.events("descent", app=APP)[0]["schedule"], "strategy=plain")

    def test_genetic(self):
        self.check("genetic", "--batch", "6")
        generations = self.events("generation", app=APP)
        self.assertEqual(generations[0]["random"], 6)
        self.assertEqual(len(generations), 2)


if __name__ == "__main__":
    unittest.main(verbosity=2)
