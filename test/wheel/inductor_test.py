"""`python -m autoschedule_gpu inductor`, with packages that stand in for PyTorch's and Halide's.

usage: inductor_test.py    in an environment in which the wheel is installed
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import autoschedule_gpu


class Inductor(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.packages = pathlib.Path(folder.name)
        self.link = self.make("halide/lib64/libHalide.so").parent / "libautoschedule_gpu.so"
        # The package names types of Halide when it is imported.
        self.make("halide/__init__.py").write_text("def __getattr__(name):\n    return object\n",
                                                   encoding="utf-8")
        self.backend = self.make("torch/_inductor/codegen/halide.py")
        self.make("torch/__init__.py")

    def make(self, name):
        path = self.packages / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        return path

    def run_it(self, *arguments):
        return subprocess.run([sys.executable, "-m", "autoschedule_gpu", "inductor", *arguments],
                              capture_output=True, text=True, check=False,
                              env={**os.environ, "PYTHONPATH": str(self.packages)})

    def test_the_lines_name_the_scheduler_and_the_plugins_folder(self):
        done = self.run_it()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('config.halide.scheduler_cuda = "GPU"', done.stdout)
        folder = pathlib.Path(autoschedule_gpu.plugin_path()).parent
        self.assertIn(f"HALIDE_LIB={folder}", done.stdout)
        self.assertFalse(os.path.lexists(self.link))
        compile(done.stdout, "printed", "exec")

    def test_install_puts_a_link_once(self):
        for _ in range(2):
            done = self.run_it("--install")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(os.readlink(self.link), autoschedule_gpu.plugin_path())
        self.assertNotIn("HALIDE_LIB", self.run_it().stdout)
        self.assertEqual(sorted(os.listdir(self.link.parent)), ["libHalide.so", self.link.name])

    def test_a_stale_link_is_replaced(self):
        self.link.symlink_to("/nowhere/libautoschedule_gpu.so")
        self.assertIn("HALIDE_LIB", self.run_it().stdout)
        self.assertEqual(self.run_it("--install").returncode, 0)
        self.assertEqual(os.readlink(self.link), autoschedule_gpu.plugin_path())

    def test_a_file_in_its_place_stays(self):
        self.link.write_text("someone's", encoding="utf-8")
        done = self.run_it("--install")
        self.assertEqual(done.returncode, 1)
        self.assertIn(str(self.link), done.stderr)
        self.assertEqual(self.link.read_text(encoding="utf-8"), "someone's")

    def test_what_is_missing_is_named(self):
        self.backend.unlink()
        self.assertIn("no Halide backend", self.run_it("--install").stderr)
        self.link.parent.joinpath("libHalide.so").unlink()
        self.backend.touch()
        self.assertIn("no libHalide.so", self.run_it("--install").stderr)

    def test_arguments_that_it_does_not_know_are_refused(self):
        done = self.run_it("--instal")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--instal", done.stderr)


if __name__ == "__main__":
    unittest.main()
