"""Checks that a trace gives the schedule back that it was written for, and what is refused.

usage: replay_test.py GENERATOR NAME PLUGIN SIZES_JSON FOLDER
"""

import json
import pathlib
import shutil
import subprocess
import sys

TARGETS = ["host-opencl", "host-cuda-cuda_capability_80"]
# How the schedules are found that are replayed.
SEARCHES = {
    "beam": ["strategy=beam", "beam_size=8", "num_passes=2"],
    "dropout": ["strategy=beam", "beam_size=4", "random_dropout=60", "random_dropout_seed=3"],
    "grouping": ["strategy=greedy_grouping"],
    "plain": ["strategy=plain"],
}


class App:
    def __init__(self, generator, name, plugin, sizes_json, folder):
        self.generator, self.name, self.plugin = generator, name, plugin
        self.sizes = json.loads(pathlib.Path(sizes_json).read_text())["sizes"]
        self.folder = pathlib.Path(folder)
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, work, target, size, parameters):
        """Into the folder `work`; what it printed if it was refused, else None."""
        work.mkdir(parents=True)
        done = subprocess.run(
            [self.generator, "-g", self.name, "-f", self.name, "-o", work]
            + ["-e", "schedule,stmt,device_code", "-p", self.plugin, f"target={target}"]
            + [f"{name}={value}" for name, value in self.sizes[size].items()]
            + ["autoscheduler=GPU", f"autoscheduler.trace_out={work / 'trace.json'}"]
            + [f"autoscheduler.report={work / 'report.json'}"]
            + [f"autoscheduler.{parameter}" for parameter in parameters],
            capture_output=True, text=True, check=False,
        )
        return None if done.returncode == 0 else done.stdout + done.stderr

    def outputs(self, work):
        """What depends on the schedule; the header names the parameters."""
        found = {path.name: path.read_text() for path in work.iterdir()
                 if path.name != "report.json"}
        header = f"{self.name}.schedule.h"
        found[header] = "".join(line for line in found[header].splitlines(keepends=True)
                                if "autoscheduler_params=" not in line)
        return found


def check_replay(app, target, search, parameters):
    work = app.folder / f"{target}_{search}"
    refused = app.run(work / "searched", target, "reduced", parameters)
    assert refused is None, refused
    trace = work / "searched" / "trace.json"
    refused = app.run(work / "replayed", target, "reduced", [f"trace={trace}"])
    assert refused is None, refused
    searched, replayed = (app.outputs(work / folder) for folder in ("searched", "replayed"))
    assert searched.keys() == replayed.keys()
    for name, text in searched.items():
        assert text == replayed[name], f"{work}: {name} differs"
    before, report = (json.loads((work / folder / "report.json").read_text())
                      for folder in ("searched", "replayed"))
    assert report["chosen"] == "trace"
    for field in ("name", "blocks", "threads", "shared_bytes"):
        assert [k[field] for k in report["kernels"]] == [k[field] for k in before["kernels"]]
    for absent in ("search", "model", "predicted_us", "predictions", "nest"):
        assert report[absent] is None, absent
    return trace


def check_refusals(app, target, trace):
    def refusal(what, text, size="reduced"):
        work = app.folder / "refused" / what
        work.parent.mkdir(exist_ok=True)
        path = work.parent / f"{what}.json"
        if text is not None:
            path.write_text(text)
        message = app.run(work, target, size, [f"trace={path}"])
        assert message is not None, f"{what} was accepted"
        assert f"autoscheduler.trace={path}: " in message, message
        assert not (work / "trace.json").exists()
        return message

    text = trace.read_text()
    expected = json.loads(text)["pipeline"]
    message = refusal("of_another_pipeline", text.replace(expected, "0123456789abcdef"))
    assert f"expected the hash {expected}, found 0123456789abcdef" in message, message
    assert f"found {expected}" in refusal("of_another_size", text, "tiny")
    assert "bad schedule trace: line " in refusal("damaged", text[: len(text) // 2])
    refusal("missing", None)

    whole = json.loads(text)
    whole["directives"][0]["func"] = 60000
    assert "directive 1, " in refusal("that_does_not_fit", json.dumps(whole))

    # It makes sense, but no GPU runs an output's serial loops in threads alone.
    whole = json.loads(text)
    root = next(d for d in whole["directives"] if d["op"] == "gpu_blocks")
    root["op"] = "gpu_threads"
    refusal("that_halide_refuses", json.dumps(whole))


def main(*arguments):
    app = App(*arguments)
    for target in TARGETS:
        for search, parameters in SEARCHES.items():
            trace = check_replay(app, target, search, parameters)
    check_refusals(app, TARGETS[0], trace)
    print(f"{len(TARGETS) * len(SEARCHES)} schedules replayed")


if __name__ == "__main__":
    main(*sys.argv[1:])
