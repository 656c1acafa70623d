"""What a kind of decision is worth where it is worth much: small pipelines, of which each is predicted
to take 1.3 times as long without the kind at least.

The times are the model's, of an A100. Other tests look at whether what is scheduled so computes what it
should.

usage: gains_test.py libautoschedule_gpu.so [unittest arguments]
       gains_test.py libautoschedule_gpu.so --table [kinds]     prints what is gained
"""

import json
import pathlib
import sys
import tempfile
import unittest

import halide as hl

import reductions

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
CUDA = hl.Target("x86-64-linux-cuda-cuda_capability_80")
ENOUGH = 1.3
GAINS = {
    "rfactor": [reductions.matrix_by_vector, reductions.norms_of_columns],
    "rows": [reductions.rows_below_their_greatest, reductions.running_sums],
    "steps": [reductions.smoothed_down_and_along, reductions.smoothed_logarithms],
    "updates_in_registers": [reductions.median, reductions.product],
}


def predicted_us(make, **parameters):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        hl.Pipeline(make()).apply_autoscheduler(CUDA, hl.AutoschedulerParams("GPU", {
            "gpu": "A100", "report": str(report), "verbose": "0", **parameters}))
        return json.loads(report.read_text())["predicted_us"]


def gain(make, kind):
    return predicted_us(make, disable_decisions=kind) / predicted_us(make)


class Gains(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        hl.load_plugin(PLUGIN)

    def check(self, kind):
        for make in GAINS[kind]:
            with self.subTest(make.__name__):
                self.assertGreaterEqual(gain(make, kind), ENOUGH)

    def test_of_rfactor(self):
        self.check("rfactor")

    def test_of_rows(self):
        self.check("rows")

    def test_of_steps(self):
        self.check("steps")

    def test_of_updates_in_registers(self):
        self.check("updates_in_registers")


def print_table(kinds):
    """As Markdown, a row for each kind."""
    hl.load_plugin(PLUGIN)
    print("| kind | gains |\n|---|---|")
    for kind in kinds or sorted(GAINS):
        gains = (f"{gain(make, kind):,.2f} `{make.__name__}`" for make in GAINS[kind])
        print(f"| `{kind}` | {', '.join(gains)} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--table"]:
        print_table(sys.argv[2:])
    else:
        unittest.main()
