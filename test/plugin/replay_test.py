"""Checks that a trace and a list of decisions give the schedule back that they were written for,
that other decisions give other schedules, and what is refused.

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
            + [f"autoscheduler.decisions_out={work / 'decisions.json'}"]
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


def report_of(work):
    return json.loads((work / "report.json").read_text())


def check_replay(app, target, search, parameters):
    """The folder of what was searched for."""
    work = app.folder / f"{target}_{search}"
    searched = work / "searched"
    refused = app.run(searched, target, "reduced", parameters)
    assert refused is None, refused
    given = {"trace": searched / "trace.json", "decisions": searched / "decisions.json"}
    before = report_of(searched)
    for kind, path in given.items():
        replayed = work / kind
        refused = app.run(replayed, target, "reduced", [f"{kind}={path}"])
        assert refused is None, refused
        wanted, found = app.outputs(searched), app.outputs(replayed)
        if kind == "trace":
            del wanted["decisions.json"]
        assert wanted.keys() == found.keys()
        for name, text in wanted.items():
            assert text == found[name], f"{replayed}: {name} differs"
        report = report_of(replayed)
        assert report["chosen"] == kind and report["search"] is None
        for field in ("name", "blocks", "threads", "shared_bytes"):
            assert [k[field] for k in report["kernels"]] == [k[field] for k in before["kernels"]]
        for needs_nest in ("model", "predicted_us", "predictions", "nest"):
            assert (report[needs_nest] is None) == (kind == "trace"), needs_nest
    return searched


def check_neighbours(app, target, searched, most=6):
    """Each makes another schedule, or is refused by its name."""
    text = (searched / "decisions.json").read_text()
    changes = [(i, choice) for i, decision in enumerate(json.loads(text)["decisions"])
               for choice in decision["choices"] if choice != decision["value"]]
    accepted = 0
    for i, choice in changes[:: max(1, len(changes) // most)]:
        work = searched.parent / f"decision_{i}_{choice}"
        changed = json.loads(text)
        changed["decisions"][i]["value"] = choice
        path = searched.parent / "changed.json"
        path.write_text(json.dumps(changed))
        refused = app.run(work, target, "reduced", [f"decisions={path}"])
        if refused is None:
            accepted += 1
        else:
            assert f"autoscheduler.decisions={path}: " in refused, refused
    assert accepted > 0


def check_refusals(app, target, searched):
    def refusal(kind, what, text, size="reduced"):
        work = app.folder / "refused" / what
        work.parent.mkdir(exist_ok=True)
        path = work.parent / f"{what}.json"
        if text is not None:
            path.write_text(text)
        message = app.run(work, target, size, [f"{kind}={path}"])
        assert message is not None, f"{what} was accepted"
        assert f"autoscheduler.{kind}={path}: " in message, message
        assert not list(work.iterdir()), f"{what} was refused, and yet files were written"
        return message

    for kind in ("trace", "decisions"):
        text = (searched / f"{kind}.json").read_text()
        expected = json.loads(text)["pipeline"]
        foreign = text.replace(expected, "0123456789abcdef")
        message = refusal(kind, f"{kind}_of_another_pipeline", foreign)
        assert f"expected the hash {expected}, found 0123456789abcdef" in message, message
        message = refusal(kind, f"{kind}_of_another_size", text, "tiny")
        assert f"found {expected}" in message, message
        assert ": line " in refusal(kind, f"{kind}_damaged", text[: len(text) // 2])
        refusal(kind, f"{kind}_missing", None)

    trace = json.loads((searched / "trace.json").read_text())
    trace["directives"][0]["func"] = 60000
    assert "directive 1, " in refusal("trace", "trace_that_does_not_fit", json.dumps(trace))

    # It makes sense, but no block has threads without a block loop around them.
    trace = json.loads((searched / "trace.json").read_text())
    next(d for d in trace["directives"] if d["op"] == "gpu_blocks")["op"] = "gpu_threads"
    refusal("trace", "trace_that_halide_refuses", json.dumps(trace))

    decisions = json.loads((searched / "decisions.json").read_text())
    first = next(i for i, d in enumerate(decisions["decisions"]) if d["kind"] == "place")
    decisions["decisions"][first]["value"] = "inline"
    message = refusal("decisions", "decisions_that_a_rule_rejects", json.dumps(decisions))
    assert f"decision {first + 1}, place of " in message, message
    assert "the rule halide_nesting rejects" in message, message


def main(*arguments):
    app = App(*arguments)
    for target in TARGETS:
        for search, parameters in SEARCHES.items():
            searched = check_replay(app, target, search, parameters)
            if search == "beam":
                check_neighbours(app, target, searched)
    check_refusals(app, target, searched)
    print(f"{len(TARGETS) * len(SEARCHES)} schedules replayed")


if __name__ == "__main__":
    main(*sys.argv[1:])
