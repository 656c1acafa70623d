"""No kernel of a schedule spills registers, whichever sizes it is for.

usage: spills_test.py GENERATOR NAME libautoschedule_gpu.so ptxas_report FOLDER
"""

import json
import pathlib
import subprocess
import sys

generator, name, plugin, ptxas_report, folder = sys.argv[1:]
work = pathlib.Path(folder)
work.mkdir(parents=True, exist_ok=True)
gpu = "A100"

subprocess.run(
    [generator, "-g", name, "-n", "f", "-o", work, "-e", "device_code", "-p", plugin]
    + ["target=host-cuda-cuda_capability_80", "autoscheduler=GPU", f"autoscheduler.gpu={gpu}"],
    check=True)
table = work / "ptxas.json"
code = work / "f.device_code"
subprocess.run([ptxas_report, "--gpu", gpu, "--json", table, code], check=True)
kernels = json.loads(table.read_text())["kernels"]
spilled = [k for k in kernels if k["spill_store_bytes"] or k["spill_load_bytes"]]
if not kernels or spilled:
    sys.exit(f"FAILED: of {len(kernels)} kernels these spill: {json.dumps(spilled, indent=1)}")
print(f"{len(kernels)} kernels, none of which spills")
