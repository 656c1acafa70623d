"""What a generator gets when there is no time for a search.

usage: short_of_time.py libautoschedule_gpu.so harris.generator
"""

import json
import os
import pathlib
import subprocess
import sys

plugin, generator = sys.argv[1:]
work = pathlib.Path(os.environ["WORK"])
work.mkdir(parents=True, exist_ok=True)


def report_of(*parameters):
    report = work / "report.json"
    report.unlink(missing_ok=True)
    subprocess.run(
        [generator, "-g", "harris", "-n", "f", "-o", work, "-e", "schedule", "-p", plugin]
        + ["target=host-cuda-cuda_capability_80", "autoscheduler=GPU", "autoscheduler.gpu=A100"]
        + [f"autoscheduler.report={report}"]
        + [f"autoscheduler.{parameter}" for parameter in parameters],
        check=True,
    )
    return json.loads(report.read_text())


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


grouped = report_of("strategy=greedy_grouping")
hasty = report_of("time_limit_s=0.5")
check(hasty["nest"] == grouped["nest"], "auto groups when there is little time")
check(hasty["model"] == "analytical", "by the model of its paper")

whole = report_of()
check(whole["model"] == "roofline" and whole["search"]["passes"] > 1, "auto searches otherwise")
check(whole["search"]["draft_cost_us"] >= whole["predicted_us"] > 0, "no worse than its draft")

none = report_of("strategy=beam", "time_limit_s=0")
check(none["search"]["stop_reason"] == "time_limit", "beam obeys the limit")
check(none["predicted_us"] <= none["search"]["draft_cost_us"], "and returns its draft or better")
print("short of time: all as expected")
