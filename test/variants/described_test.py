"""Tests of described.py.

usage: described_test.py
"""

import json
import pathlib
import tempfile
import unittest

from described import description, input_options, tolerance_options


class Described(unittest.TestCase):
    def test_all_that_is_said_is_passed_on(self):
        said = {"sizes": {}, "float_tolerance": 0, "integer_steps": 2,
                "inputs": {"a": {"least": -1, "greatest": 2.5},
                           "b": {"least": 0, "greatest": 3, "whole": True},
                           "c": {"least": -1, "greatest": 1, "clamp_below": 0}}}
        with tempfile.TemporaryDirectory() as folder:
            apps = pathlib.Path(folder)
            (apps / "blur").mkdir()
            (apps / "blur" / "app.json").write_text(json.dumps(said))
            described = description(apps, "blur")
        # A tolerance of 0 is not the default one.
        self.assertEqual(tolerance_options(described),
                         ["--tolerance", "0", "--integer-steps", "2"])
        self.assertEqual(input_options(described),
                         ["--input", "a=-1:2.5", "--input", "b=0:3:whole",
                          "--input", "c=-1:1:clamp_below=0"])

    def test_what_is_not_said_is_left_to_the_runner(self):
        self.assertEqual(tolerance_options({"sizes": {}}) + input_options({"sizes": {}}), [])


if __name__ == "__main__":
    unittest.main()
