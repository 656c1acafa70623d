"""The package as it is installed: what it finds, what it refuses, its tools.

usage: package_test.py    in an environment in which the wheel is installed
"""

import importlib.metadata
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from unittest import mock

import autoschedule_gpu
import halide as hl
from autoschedule_gpu import tools, tuning

TARGET = hl.Target("x86-64-linux-cuda-cuda_capability_80")


def negative():
    x, func, image = hl.Var("x"), hl.Func("negative"), hl.ImageParam(hl.UInt(8), 1, "image")
    func[x] = 255 - image[x]
    func.set_estimates([hl.Range(0, 65536)])
    image.set_estimates([hl.Range(0, 65536)])
    return func


def run(*arguments):
    return subprocess.run([sys.executable, "-m", "autoschedule_gpu", *arguments],
                          capture_output=True, text=True, check=False)


class Package(unittest.TestCase):
    def test_the_plugin_finds_halide_beside_it(self):
        # Without Halide's own package in the process.
        code = f"import ctypes; ctypes.CDLL({autoschedule_gpu.plugin_path()!r})"
        subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ})

    def test_the_tools_need_no_halide(self):
        code = ("import runpy, sys; sys.modules['halide'] = None; "
                "runpy.run_module('autoschedule_gpu', run_name='__main__')")

        def run_without(*arguments):
            return subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True,
                                  text=True, check=False)

        for arguments in ["plugin_path"], ["explain_schedule", "--version"]:
            done = run_without(*arguments)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotEqual(done.stdout, "")
        # Where torch is not installed, it says so.
        self.assertNotIn("Traceback", run_without("inductor").stderr)

    def test_links_of_the_description_lead_somewhere_from_an_index(self):
        text = importlib.metadata.metadata("autoschedule-gpu").get_payload()
        self.assertIn("autoschedule_gpu.schedule(", text)
        links = re.findall(r"\]\(([^)\s]*)\)|(?:src|href)=[\"']([^\"']*)", text)
        self.assertGreater(len(links), 0)
        for link in map("".join, links):
            self.assertRegex(link, r"^https://")

    def test_a_schedule_has_its_texts_and_its_report(self):
        made = autoschedule_gpu.schedule(negative(), TARGET, gpu="V100")
        self.assertIn("negative.gpu_blocks(", made.python)
        self.assertIn(".gpu_blocks(", made.cpp)
        self.assertEqual(made.report["gpu"], "V100")
        self.assertEqual(made.trace["format"], "autoschedule_gpu.trace")
        self.assertIn("V100", autoschedule_gpu.explain(made.report))

    def test_all_parameters_are_known_without_the_sources(self):
        table = autoschedule_gpu.parameters()
        self.assertIn("| `time_limit_s` | a number from 0 to 86400 |", table)
        self.assertEqual(run("list_parameters").stdout, table)
        self.assertIn("autoschedule_gpu.parameters()", autoschedule_gpu.schedule.__doc__)

    def test_files_that_the_user_names_are_written(self):
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            made = autoschedule_gpu.schedule(negative(), TARGET, gpu="A100", report=report)
            self.assertIn(made.report["pipeline"]["hash"], report.read_text(encoding="utf-8"))

    def test_parameters_may_be_values_of_python(self):
        made = autoschedule_gpu.schedule(negative(), TARGET, gpu="A100", sampling=True, report=None,
                                         memo=False, disable_decisions=["vectors", "steps"])
        parameters = made.report["parameters"]
        self.assertEqual(parameters["sampling"], "on")
        self.assertEqual(parameters["memo"], "off")
        self.assertEqual(parameters["disable_decisions"], "vectors,steps")

    def test_options_of_tools_may_be_values_of_python(self):
        given = {"queue": True, "fresh": False, "seed": None, "final_rounds": 3,
                 "param": ["a=1", "b=2"]}
        self.assertEqual(tuning.as_arguments(given), ["--queue", "--final-rounds", 3, "--param",
                                                      "a=1", "--param", "b=2"])

    def test_what_is_wrong_is_said(self):
        with self.assertRaisesRegex(hl.HalideError, "beam_sise.*beam_size"):
            autoschedule_gpu.schedule(negative(), TARGET, beam_sise=1)
        with self.assertRaises(autoschedule_gpu.ToolError) as caught:
            autoschedule_gpu.explain({"no": "report"})
        self.assertEqual(caught.exception.status, 1)

    def test_the_tools_run(self):
        for tool, said in [("records", "records best"), ("autotune", "--budget")]:
            helped = run(tool, "--help")
            self.assertEqual(helped.returncode, 0, helped.stderr)
            self.assertIn(said, helped.stdout)
        self.assertEqual(run("no_tool").returncode, 2)
        self.assertIn("autotune", run("no_tool").stderr)
        self.assertEqual(run("plugin_path").stdout.strip(), autoschedule_gpu.plugin_path())

    def test_ctrl_c_that_reaches_python_alone_is_handed_on_and_waited_for(self):
        with tempfile.TemporaryDirectory() as folder:
            tool = pathlib.Path(folder) / "slow_to_stop"
            tool.write_text("#!/bin/bash\ntrap 'sleep 1; exit 130' INT\n"
                            f"touch '{folder}/ready'\nwhile true; do sleep 0.05; done\n",
                            encoding="utf-8")
            tool.chmod(0o755)

            def interrupt():
                while not (pathlib.Path(folder) / "ready").exists():
                    time.sleep(0.05)
                os.kill(os.getpid(), signal.SIGINT)

            threading.Thread(target=interrupt).start()
            with mock.patch.object(tools, "BIN", pathlib.Path(folder)):
                self.assertEqual(tools.status_of("slow_to_stop"), 130)


if __name__ == "__main__":
    unittest.main()
