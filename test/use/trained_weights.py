"""What a generator does with weights of a cost model.

usage: trained_weights.py libautoschedule_gpu.so unsharp.generator make_untrained_weights
"""

import json
import os
import pathlib
import subprocess
import sys

plugin, generator, make_untrained_weights = sys.argv[1:]
work = pathlib.Path(os.environ["WORK"])
work.mkdir(parents=True, exist_ok=True)
weights = work / "a100.weights"
subprocess.run([make_untrained_weights, "A100", weights], check=True)


def run(*parameters):
    """The report, or the error."""
    report = work / "report.json"
    report.unlink(missing_ok=True)
    ran = subprocess.run(
        [generator, "-g", "unsharp", "-n", "f", "-o", work, "-e", "schedule", "-p", plugin]
        + ["target=host-cuda-cuda_capability_80", "autoscheduler=GPU"]
        + ["autoscheduler.beam_size=2", "autoscheduler.num_passes=1"]
        + [f"autoscheduler.report={report}"]
        + [f"autoscheduler.{parameter}" for parameter in parameters],
        capture_output=True,
        text=True,
    )
    return json.loads(report.read_text()) if ran.returncode == 0 else ran.stderr


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


ours = f"weights_path={weights}"
ranked = run("gpu=A100", ours, "threads=1")
check(ranked["model"] == "network", "weights are a network's")
check(ranked["weights"]["gpu"] == "A100", "the report names their device")
check(ranked["weights"]["date"] == "2026-01-31", "and their date")
for threads in (2, 3):
    again = run("gpu=A100", ours, f"threads={threads}")
    check(again["nest"] == ranked["nest"], "any number of threads finds the same schedule")
    check(again["predicted_us"] == ranked["predicted_us"], "at the same cost")
grouped = run("gpu=A100", ours, "strategy=greedy_grouping")
check(grouped["model"] == "network", "greedy grouping goes by them, too")
check(run("gpu=A100", "model=roofline")["weights"] is None, "other models have none")

check("expected weights for H100, found some for A100" in run("gpu=H100", ours), "another device")
check("retrain_cost_model" in run("gpu=A100", "model=network"), "no weights")
check("has no weights" in run("gpu=A100", "model=roofline", ours), "a model without weights")
weights.write_bytes(weights.read_bytes()[:-1])
check("cut short" in run("gpu=A100", ours), "a damaged file")
print("trained weights: all as expected")
