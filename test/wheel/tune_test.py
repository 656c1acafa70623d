"""Tuning from Python, on the CPU through PoCL.

usage: tune_test.py    in an environment in which the wheel is installed
"""

import pathlib
import tempfile
import unittest

import autoschedule_gpu

GENERATOR = pathlib.Path(__file__).parent.with_name("use") / "python_generator.py"


class Tuning(unittest.TestCase):
    def tune(self, folder, **options):
        return autoschedule_gpu.tune(GENERATOR, name="soften", export=folder / "tuned",
                                     records=folder / "my.records", device="opencl", **options)

    def test_of_a_generator_in_python(self):
        with tempfile.TemporaryDirectory() as name:
            tuned = self.tune(pathlib.Path(name), budget="6t", mode="top5", batch=4)
            self.assertLessEqual(tuned.result["best"]["median_ms"],
                                 tuned.result["default"]["median_ms"])
            self.assertEqual(tuned.trace["format"], "autoschedule_gpu.trace")
            self.assertTrue(pathlib.Path(tuned.header_path).exists())
            self.assertTrue(pathlib.Path(tuned.page_path).exists())

    def test_of_what_is_not_there_is_an_error(self):
        with tempfile.TemporaryDirectory() as name:
            with self.assertRaises(autoschedule_gpu.ToolError) as caught:
                self.tune(pathlib.Path(name), budget="soon")
            self.assertEqual(caught.exception.status, 2)
            with self.assertRaises(FileNotFoundError):
                autoschedule_gpu.tune("none.py", name="none", export=name, records=name + "/r")


if __name__ == "__main__":
    unittest.main()
