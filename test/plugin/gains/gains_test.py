"""What a kind of decision is worth where it is worth much: small pipelines, each of which is
predicted to take at least 1.3 times as long without the kind.

The times are the model's. Other tests look at whether what is scheduled so computes what it should.

usage: gains_test.py libautoschedule_gpu.so [unittest arguments]
       gains_test.py libautoschedule_gpu.so --table [kinds]     prints what is gained
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import halide as hl

from layouts import (best_ways, cube_of_colours, distances, planes_of_pixels, product_of_rows,
                     products_of_all_rows, samples_of_tracks, warped)
from mosaics import colours_of_mosaic, deinterlaced
from reductions import (averages_down, convolution, light_from_above, matrix_by_vector, median,
                        norms_of_columns, product, rows_below_their_greatest, running_sums,
                        smoothed_down_and_along, smoothed_logarithms)
from siblings import derivatives, vectors_of_two
from stencils import corners, diffusion, opened, twice_smoothed
from strips import filtered_strips, running_maxima, tables_of_tiles

PLUGIN = str(pathlib.Path(sys.argv.pop(1)).resolve()) if len(sys.argv) > 1 else ""
CUDA = hl.Target("x86-64-linux-cuda-cuda_capability_70")
ENOUGH = 1.3

# The device matters: the more of its time memory takes, the less is gained by fewer instructions.
GAINS = {
    "aligned_tiles": [(running_sums, "A100"), (running_maxima, "A100"), (tables_of_tiles, "A100")],
    "channel_vectors": [(cube_of_colours, "A100"), (warped, "A100")],
    "compute_with": [(derivatives, "A100"), (vectors_of_two, "A100")],
    "loads_ahead": [(averages_down, "A100"), (light_from_above, "A100")],
    "multiples": [(colours_of_mosaic, "A100"), (deinterlaced, "A100")],
    "padding": [(filtered_strips, "A100"), (tables_of_tiles, "A100")],
    "pixel_vectors": [(planes_of_pixels, "H200"), (samples_of_tracks, "H200")],
    "rfactor": [(matrix_by_vector, "A100"), (norms_of_columns, "A100")],
    "rows": [(rows_below_their_greatest, "A100"), (running_sums, "A100")],
    "sliding": [(diffusion, "V100"), (opened, "H200")],
    "step_vectors": [(convolution, "A100"), (product, "A100")],
    "steps": [(smoothed_down_and_along, "A100"), (smoothed_logarithms, "A100")],
    "storage": [(product_of_rows, "A100"), (products_of_all_rows, "A100")],
    "updates_in_registers": [(median, "A100"), (product, "A100")],
    "vectors": [(convolution, "A100"), (product, "A100")],
}

# The most that was found of the others. Threads along one dimension alone, or a copy in another
# order, do nearly as well as an exchange. What is unrolled is for lists and tuners to change: no
# search leaves anything rolled up that it might unroll.
LESS = {
    "along_stores": [(best_ways, "H200"), (distances, "H200")],
    "fitted_blocks": [(twice_smoothed, "A100"), (corners, "A100")],
    "unroll": [(product, "A100")],
}


def predicted_us(make, gpu, **parameters):
    """Busy or not, with ptxas or without: all machines find the same in so many seconds."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "report.json")
        hl.Pipeline(make()).apply_autoscheduler(CUDA, hl.AutoschedulerParams("GPU", {
            "gpu": gpu, "report": str(report), "verbose": "0", "time_limit_s": "600",
            "ptxas": "off", **parameters}))
        return json.loads(report.read_text())["predicted_us"]


def gain(make, gpu, kind):
    return predicted_us(make, gpu, disable_decisions=kind) / predicted_us(make, gpu)


class Gains(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        hl.load_plugin(PLUGIN)

    def check(self, kind):
        for make, gpu in GAINS[kind]:
            with self.subTest(make.__name__):
                self.assertGreaterEqual(gain(make, gpu, kind), ENOUGH)

    def test_are_looked_for_of_every_kind(self):
        with self.assertRaises(hl.HalideError) as refused:
            predicted_us(product, "A100", disable_decisions="nothing")
        kinds = re.search(r"Kinds that can be switched off:([\w ]*)", str(refused.exception))[1]
        self.assertEqual(sorted(kinds.split()), sorted(GAINS | LESS))

    def test_are_of_two_pipelines_at_least(self):
        for kind, pipelines in GAINS.items():
            self.assertGreaterEqual(len(pipelines), 2, kind)

    def test_are_printed_as_a_table(self):
        printed = subprocess.run([sys.executable, "-B", __file__, PLUGIN, "--table", "rfactor"],
                                 check=True, capture_output=True, text=True).stdout
        self.assertRegex(printed, r"\| `rfactor` \| [\d.]+ `matrix_by_vector`; [\d.]+ `\w+` \|\n$")

    def test_of_aligned_tiles(self):
        self.check("aligned_tiles")

    def test_of_channel_vectors(self):
        self.check("channel_vectors")

    def test_of_compute_with(self):
        self.check("compute_with")

    def test_of_loads_ahead(self):
        self.check("loads_ahead")

    def test_of_multiples(self):
        self.check("multiples")

    def test_of_padding(self):
        self.check("padding")

    def test_of_pixel_vectors(self):
        self.check("pixel_vectors")

    def test_of_rfactor(self):
        self.check("rfactor")

    def test_of_rows(self):
        self.check("rows")

    def test_of_sliding(self):
        self.check("sliding")

    def test_of_step_vectors(self):
        self.check("step_vectors")

    def test_of_steps(self):
        self.check("steps")

    def test_of_storage(self):
        self.check("storage")

    def test_of_updates_in_registers(self):
        self.check("updates_in_registers")

    def test_of_vectors(self):
        self.check("vectors")


def print_table(kinds):
    """As Markdown, a row for each kind."""
    hl.load_plugin(PLUGIN)
    print("| kind | gains |\n|---|---|")
    every = GAINS | LESS
    for kind in kinds or sorted(every):
        gains = (f"{gain(make, gpu, kind):,.2f} `{make.__name__}`" + f", {gpu}" * (gpu != "A100")
                 for make, gpu in every[kind])
        print(f"| `{kind}` | {'; '.join(gains)} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--table"]:
        print_table(sys.argv[2:])
    else:
        unittest.main()
