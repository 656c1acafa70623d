"""Every strategy of autotune on a device: its budget, its records, replay and kills.

usage: strategies_test.py BIN_FOLDER
"""

import pathlib
import sys
import unittest

from strategy_runs import APP, StrategyRuns

StrategyRuns.BIN = pathlib.Path(sys.argv.pop(1))


class Strategies(StrategyRuns):
    def test_random(self):
        self.check("random", "--batch", "8")

    def test_grid(self):
        self.check("grid", "--batch", "8")

    def test_annealing(self):
        self.check("annealing")

    def test_evolutionary(self):
        # As many as are trained on are measured before the second round.
        self.check("evolutionary", "--batch", "8")
        chosen = [event["chosen"] for event in self.events("evolved", app=APP)]
        self.assertEqual(chosen[0], 4, "half of what nothing was learned for")
        self.assertEqual(chosen[1:], [1, 1, 1], "then by members, while trials last")
        self.assertEqual([e["members"] for e in self.events("retrained", app=APP)], [4])

    def test_coordinate_descent_from_the_plain_schedule(self):
        self.check("coordinate_descent", "--origin", "plain", "--confidence", "0.75")
        self.assertEqual(self.events("descent", app=APP)[0]["schedule"], "strategy=plain")

    def test_genetic(self):
        self.check("genetic", "--batch", "6")
        generations = self.events("generation", app=APP)
        self.assertEqual(generations[0]["random"], 5, "beside the default schedule")
        self.assertEqual(len(generations), 3, "of 5, 5, and what is left of the budget")


if __name__ == "__main__":
    unittest.main(verbosity=2)
