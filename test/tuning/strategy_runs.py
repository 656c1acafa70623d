"""What the tests of autotune's strategies share: a run that is killed, goes on and is repeated."""

import random
import subprocess

from tuned import Tuned

APP, TRIALS = "mat_mul", 12


class StrategyRuns(Tuned):
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

    def check(self, strategy, *more, trials=TRIALS, kills=2):
        options = ("--strategy", strategy, *more, "--seed", "1", "--size", "reduced", "--budget",
                   f"{trials}t")
        rng = random.Random(strategy)
        known = [self.killed(rng, options) for _ in range(kills)]
        self.tune(*options, app=APP)
        times = self.times()
        for earlier in known:
            self.assertEqual(earlier, {code: times.get(code) for code in earlier})
        records, journal = self.listed(), self.journal(app=APP)
        summary = self.summary(app=APP)
        # Annealing may be cold before, where most moves lead to what is known.
        self.assertLessEqual(summary["trials"], trials)
        self.assertGreater(summary["measured"], trials // 2)

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
