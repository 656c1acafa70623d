"""Applications at their reduced size, under these schedulers.

usage: reduced_size_test.py COMPARE_AUTOSCHEDULERS all|FEW SCHEDULER...

FEW are names with commas between.

Each must compile for CUDA, pass ptxas (where there is one), and compute on OpenCL what the
reference computes, at the size it is scheduled for and at an odd one.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

APPS = ["bgu", "bilateral_grid", "camera_pipe", "conv_layer", "depthwise_separable_conv", "harris",
        "hist_equalize", "iir_blur", "interpolate", "learned_demosaic", "lens_blur",
        "local_laplacian", "mat_mul", "max_filter", "nl_means", "stencil_chain", "unsharp"]


def complaints(row):
    """What is wrong with a row of results.json, as sentences."""
    if row["status"] != "ok":
        return [f"{row['reason']}\n    {row['reproduce']}"]
    wrong = []
    if row["verified"] is not True or len(row["verified_sizes"]) != 2:
        wrong.append(f"not verified at two sizes: {row['verified_sizes']}")
    if not row["kernels"]:
        wrong.append("no kernel on the GPU")
    if not any(kernel["float_operations"] or kernel["integer_operations"]
               for kernel in row["kernels"]):
        wrong.append("no operation was counted")
    for kernel in row["kernels"]:
        if kernel["footprint_store_bytes"] is None:
            wrong.append(f"the traffic of {kernel['name']} was not counted")
        if kernel["float_operations"] is None or kernel["integer_operations"] is None:
            wrong.append(f"the operations of {kernel['name']} were not counted")
        if kernel["registers"] is None:
            wrong.append(f"ptxas said nothing of {kernel['name']}")
    return wrong


def main(tool, apps, *schedulers):
    with tempfile.TemporaryDirectory() as folder:
        command = [tool, "--apps", apps, "--schedulers", ",".join(schedulers), "--device",
                   "opencl", "--size", "reduced", "--repeats", "1", "--jobs",
                   str(os.cpu_count()), "--out", folder]
        subprocess.run(command, check=True)
        rows = json.loads((pathlib.Path(folder) / "results.json").read_text())
    found = [(row["app"], row["scheduler"]) for row in rows]
    asked = APPS if apps == "all" else apps.split(",")
    expected = [(app, scheduler) for app in asked for scheduler in schedulers]
    wrong = [] if found == expected else [f"expected the rows {expected}, found {found}"]
    for row in rows:
        wrong += [f"{row['app']}, {row['scheduler']}: {text}" for text in complaints(row)]
    print(*wrong, sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
