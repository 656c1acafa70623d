"""The strategies of autotune that learn and breed, killed at many moments: nothing is lost, and the run
that goes on is the one that it would have been.

usage: strategy_kills_test.py BIN_FOLDER KILLS
"""

import pathlib
import sys
import unittest

from strategy_runs import StrategyRuns

StrategyRuns.BIN, KILLS = pathlib.Path(sys.argv.pop(1)), int(sys.argv.pop(1))

# More than are measured between two kills, so that these come at all stages of a run.
TRIALS = 3 * KILLS


class StrategyKills(StrategyRuns):
    def test_of_the_evolutionary_one(self):
        self.check("evolutionary", "--batch", "16", trials=TRIALS, kills=KILLS)

    def test_of_the_genetic_one(self):
        self.check("genetic", "--batch", "16", trials=TRIALS, kills=KILLS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
