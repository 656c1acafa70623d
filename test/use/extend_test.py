"""A library of a user's own, built against the installed package: what it adds, and its refusal.

usage: extend_test.py TEST_USE_FOLDER GENERATOR NAME
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys

examples, generator, name = pathlib.Path(sys.argv[1]), *sys.argv[2:]
work = pathlib.Path(os.environ["WORK"])
prefix = work / "prefix"
plugin = prefix / "lib" / "libautoschedule_gpu.so"


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def schedule(libraries, *parameters):
    """Exit status, what was printed, and the report (None: none was written)."""
    report = work / "report.json"
    report.unlink(missing_ok=True)
    done = subprocess.run(
        [generator, "-g", name, "-o", work, "-e", "schedule", "-p", ",".join(map(str, libraries))]
        + ["target=host-cuda-cuda_capability_80", "autoscheduler=GPU", "autoscheduler.gpu=A100"]
        + [f"autoscheduler.report={report}"] + [f"autoscheduler.{p}" for p in parameters],
        capture_output=True, text=True, check=False)
    found = json.loads(report.read_text()) if report.exists() else None
    return done.returncode, done.stdout + done.stderr, found


shutil.rmtree(work, ignore_errors=True)
work.mkdir(parents=True)
subprocess.run([os.environ["CMAKE"], "--install", os.environ["BUILD"], "--prefix", prefix,
                "--component", "plugin"], check=True)
environment = os.environ | {
    "PATH": f"{pathlib.Path(os.environ['CMAKE']).parent}:{os.environ['PATH']}",
    "CMAKE_GENERATOR": "Ninja", "CXX": os.environ["CXX"]}
environment["PATH"] = f"{pathlib.Path(os.environ['NINJA']).parent}:{environment['PATH']}"

# The README's commands.
subprocess.run(["bash", examples / "extend.sh", prefix, examples / "my_rules", generator, name,
                work], check=True, env=environment)
mine = work / "build" / "libmy_rules.so"
report = json.loads((work / "report.json").read_text())
check(report["model"] == "bytes_moved", "the model ranks")
[extension] = report["extensions"]
check(extension["library"] == "my_rules", "the library is reported by its name")
check(os.path.samefile(extension["path"], mine), "and by its path")
check(extension["rules"] == ["flat_blocks"], "the rule is reported")
check(extension["models"] == ["bytes_moved"], "the model is reported")
check(extension["strategies"] == ["step_by_step"], "the strategy is reported")
check(extension["decision_kinds"] == ["row_padding"], "the kind of decisions is reported")
check(extension["tuner_strategies"] == ["random_walk"], "the tuner's strategy is reported")
check(extension["executors"] == ["by_command"], "the executor is reported")
version = extension["version"]

# Nothing is added where the library is not loaded, and its names are unknown.
status, printed, report = schedule([plugin])
check(status == 0 and report["extensions"] == [], "without the library nothing is added")
status, printed, report = schedule([plugin], "model=bytes_moved")
check(status != 0 and "bytes_moved" in printed, "a model that is not there is refused")
status, printed, report = schedule([plugin, mine], "model=bytes")
check(status != 0 and "network, bytes_moved" in printed, "known models are listed")

# The rule is counted, and its word is law until it is switched off.
LOW = ["model=roofline", "seed=1"]


def most_rows(report):
    return max(kernel["threads"][1] * kernel["threads"][2] for kernel in report["kernels"])


status, printed, report = schedule([plugin, mine], *LOW)
check(status == 0 and report["search"]["rejections"]["flat_blocks"] > 0, "the rule is counted")
check(most_rows(report) <= 8, "no block has more rows than the rule allows")
status, printed, report = schedule([plugin, mine], *LOW, "disable_rules=flat_blocks")
check(status == 0 and report["search"]["rejections"]["flat_blocks"] == 0, "it can be switched off")

# The strategy searches: what it finds costs no more than what is not searched for.
status, printed, report = schedule([plugin], "strategy=plain", "model=roofline")
plain_us = report["predicted_us"]
status, printed, report = schedule([plugin, mine], "strategy=step_by_step", "model=roofline")
check(status == 0 and report["chosen"] == "search", f"the strategy is used: {printed}")
check(report["search"]["states_scored"] > 0, "its states are counted")
check(report["predicted_us"] <= plain_us, "it is no worse than no search")
status, printed, report = schedule([plugin, mine], "strategy=stepwise")
check(status != 0 and "plain, step_by_step" in printed, "known strategies are listed")

# The kind of decisions is listed; another value changes the schedule, one that is none is refused.
# Everything at root gives Funcs memory of their own.
decisions, trace, header = work / "decisions.json", work / "trace.json", work / f"{name}.schedule.h"
status, printed, report = schedule([plugin, mine], "strategy=plain", f"decisions_out={decisions}")
check(status == 0, f"the plain schedule is listed: {printed}")
listed = json.loads(decisions.read_text())
paddings = [d for d in listed["decisions"] if d["kind"] == "row_padding"]
check(paddings and all(d["value"] == 0 and d["choices"] == [0, 32] for d in paddings),
      "row_padding is listed with its choices")
check("align_storage" not in header.read_text(), "the first choice changes nothing")
paddings[0]["value"] = 32
decisions.write_text(json.dumps(listed))
again = work / "again.json"
status, printed, report = schedule([plugin, mine], f"decisions={decisions}",
                                   f"decisions_out={again}", f"trace_out={trace}")
check(status == 0, f"a list with another value is followed: {printed}")
check(".align_storage(" in header.read_text(), "the header aligns the rows")
check('"op":"align_storage"' in trace.read_text(), "and so does the trace")
check(json.loads(again.read_text()) == listed, "the list that is written is the one that was read")
paddings[0]["value"] = 33
decisions.write_text(json.dumps(listed))
status, printed, report = schedule([plugin, mine], f"decisions={decisions}")
check(status != 0 and "one of 0, 32" in " ".join(printed.split()), "no other value is accepted")

# In any order.
status, printed, report = schedule([mine, plugin], "model=bytes_moved")
check(status == 0 and report["model"] == "bytes_moved", "the library may come first")

# The tuner's strategy tries schedules, and the executor runs them: the README's command.
autotune = pathlib.Path(os.environ["BUILD"]) / "bin" / "autotune"
runs = work / "runs"
script = work / "my_runs"
script.write_text(f'#!/bin/sh\necho "$2" >> "{runs}"\nexec "$@"\n')  # timeout SECONDS PROGRAM...
script.chmod(0o755)
subprocess.run(["bash", examples / "extend_tuning.sh", autotune, mine, name, work], check=True,
               env=environment | {"MY_RUNS": str(script)})
journal = [json.loads(line) for line in
           (work / "tuned" / f"{name}.journal.jsonl").read_text().splitlines()]
trials = [event for event in journal if event["event"] == "trial"]
check(len(trials) == 8 and any(t["outcome"] == "measured" for t in trials[1:]),
      f"the strategy's trials are measured: {trials}")
check(all(t["schedule"].startswith("decisions ") for t in trials[1:]), "they are neighbours")
# The first run of each, then the finals: all went through the executor.
check(len(runs.read_text().split()) > 8, "the executor ran them")
check("libmy_rules.so" in (work / "tuned" / f"{name}.command.txt").read_text(),
      "the command that makes the winner again loads the library")


def refused(*arguments):
    done = subprocess.run([autotune, "--app", name, "--export", work / "none", *arguments],
                          capture_output=True, text=True, check=False)
    check(done.returncode == 2 and not (work / "none").exists(), f"refused: {arguments}")
    return done.stderr


check("there are: by_command" in refused("--library", mine, "--executor", "nobody"),
      "known executors are listed")
check(" or random_walk, found" in refused("--library", mine, "--strategy", "walk"),
      "known strategies are listed")
check("cannot open shared object file" in refused("--library", work / "libnone.so"),
      "a library that is not there is refused")

# The same source against headers of another version.
other = work / "other_version"
shutil.copytree(prefix / "include", other)
header = other / "autoschedule_gpu" / "version.h"
text = header.read_text()
changed = text.replace(f"kApiVersion = {version};", "kApiVersion = 99;")
check(changed != text, "the version is in version.h")
header.write_text(changed)
old = work / "libold_rules.so"
subprocess.run([os.environ["CXX"], "-std=c++17", "-shared", "-fPIC", f"-I{other}",
                examples / "my_rules" / "my_rules.cpp", "-o", old], check=True)
status, printed, report = schedule([plugin, old])
check(status != 0, "a library of another version is refused")
message = " ".join(printed.split())
check(f"{old} was built against version 99" in message, f"the library is named: {message}")
check(f"expects version {version}" in message, "and what was expected")
