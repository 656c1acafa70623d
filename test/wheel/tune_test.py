"""Tuning from Python, on the CPU through PoCL.

usage: tune_test.py    in an environment in which the wheel is installed
"""

import pathlib
import tempfile
import unittest

import autoschedule_gpu

GENERATOR = pathlib.Path(__file__).parent.with_name("use") / "python_generator.py"


class Tuning(unittest.TestCase):
    def tune(self, folder, generator=GENERATOR, name="soften", **options):
        return autoschedule_gpu.tune(generator, name=name, export=folder / "tuned",
                                     records=folder / "my.records", device="opencl", **options)

    def copy_that_imports(self, folder):
        """The generator under a name that is none of a file, with a file of its own beside it."""
        (folder / "sizes_beside_it.py").write_text("")
        text = GENERATOR.read_text().replace('name="soften"', 'name="soften-3x1"')
        copy = folder / "generator.py"
        copy.write_text(text.replace("import halide", "import sizes_beside_it\nimport halide"))
        return copy

    def test_of_a_generator_in_python(self):
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            tuned = self.tune(folder, self.copy_that_imports(folder), "soften-3x1", budget="6t",
                              mode="top5", batch=4)
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
