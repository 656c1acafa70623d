"""Checks that lists of decisions with another unrolling give other code, which computes the right
thing on PoCL, and which their own list and trace give again.

usage: unrolls_test.py GENERATOR NAME PLUGIN SIZES_JSON FOLDER AUTOTUNE
"""

import json
import subprocess
import sys

from replay_test import App

TARGET, SIZE = "host-opencl", "reduced"
SEARCH = ["strategy=beam", "beam_size=8", "num_passes=2"]


def changes_of(decisions):
    """Of each `unroll`, with each other choice: its index in the list, and the choice."""
    return [(i, choice) for i, decision in enumerate(decisions["decisions"])
            if decision["kind"] == "unroll"
            for choice in decision["choices"] if choice != decision["value"]]


def run(app, work, parameters):
    refused = app.run(work, TARGET, SIZE, parameters)
    assert refused is None, refused
    return app.outputs(work)


def device_code(outputs):
    [code] = [text for name, text in outputs.items() if "device_code" in name]
    return code


def check_change(app, autotune, searched, index, choice):
    work = app.folder / f"decision_{index}_{choice}"
    work.mkdir()
    decisions = json.loads(searched["decisions.json"])
    decisions["decisions"][index]["value"] = choice
    path = work / "changed.json"
    path.write_text(json.dumps(decisions))
    changed = run(app, work / "changed", [f"decisions={path}"])
    assert device_code(changed) != device_code(searched), f"{work}: the code is the same"
    name = decisions["decisions"][index]["name"]
    [decided] = [decision["value"] for decision in json.loads(changed["decisions.json"])["decisions"]
                 if (decision["kind"], decision["name"]) == ("unroll", name)]
    assert decided == choice, f"{work}: {name} is {decided}"

    again = run(app, work / "again", [f"decisions={work / 'changed' / 'decisions.json'}"])
    assert again == changed, f"{work}: the list gives something else"
    trace = work / "changed" / "trace.json"
    verified = subprocess.run(
        [autotune, "--app", app.name, "--size", SIZE, "--device", "opencl", "--trace", trace,
         "--records", work / "none.records", "--export", work / "verified"],
        capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stdout + verified.stderr
    exported = json.loads((work / "verified" / f"{app.name}.trace.json").read_text())
    assert exported == json.loads(trace.read_text())


def main(*arguments):
    *of_app, autotune = arguments
    app = App(*of_app)
    searched = run(app, app.folder / "searched", SEARCH)
    changes = changes_of(json.loads(searched["decisions.json"]))
    assert changes, "there is nothing to choose"
    for index, choice in changes:
        check_change(app, autotune, searched, index, choice)
    print(f"{len(changes)} other unrollings")


if __name__ == "__main__":
    main(*sys.argv[1:])
