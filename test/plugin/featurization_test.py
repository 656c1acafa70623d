"""Checks what a generator writes with `-e featurization` against the report of the same run.

usage: featurization_test.py FEATURIZATION_SH GENERATOR NAME PLUGIN SAMPLES_INFO FOLDER
"""

import json
import math
import pathlib
import shutil
import subprocess
import sys

# Feature of a kernel -> its field in the report.
IN_REPORT = {
    "num_blocks": "blocks",
    "threads_per_block": "threads_per_block",
    "shared_bytes_per_block": "shared_bytes_per_block",
    "registers_per_thread": "registers_estimated",
    "global_bytes_read": "global_bytes_read",
}
# Features are float32: 24 bits.
TOLERANCE = 2**-23


def main(script, generator, name, plugin, samples_info, folder):
    work = pathlib.Path(folder)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    command = ["bash", script, generator, name, plugin, samples_info, folder]
    shown = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    kernels = json.loads((work / f"{name}.features.json").read_text())[0]["kernels"]
    report = json.loads((work / "report.json").read_text())["predictions"]
    assert len(kernels) == len(report), f"{len(kernels)} tables, {len(report)} kernels"
    for number, (kernel, predicted) in enumerate(zip(kernels, report)):
        assert f"Kernel {number}\n" in shown
        assert len(kernel["stages"]) == len(predicted["stages"]), f"stages of kernel {number}"
        assert kernel["features"]["on_host"] == predicted["on_host"], f"host of kernel {number}"
        for feature, field in IN_REPORT.items():
            found, expected = kernel["features"][feature], predicted[field]
            assert math.isclose(found, expected, rel_tol=TOLERANCE), (
                f"{feature} of kernel {number}: {found}, in the report {expected}"
            )
    print(f"{len(kernels)} kernels, as in the report")


if __name__ == "__main__":
    main(*sys.argv[1:])
