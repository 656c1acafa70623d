"""Outputs by which a wrong schedule is seen: the references of all applications at a small size.

usage: references_test.py BUILD_FOLDER [NAME...]

A reference of which an output is constant, or for the most part one value, hides errors. Outputs of
one element are left out.
"""

import array
import collections
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

from described import description, input_options

SIZE = "tiny"
MOST_OF_ONE_VALUE = 0.75
# By element type, the code of Python's arrays of as many bytes.
CODES = {"uint8": "B", "int8": "b", "uint16": "H", "int16": "h", "uint32": "I", "int32": "i",
         "uint64": "Q", "int64": "q", "float32": "f", "float64": "d"}


def run(command):
    """The standard output of a command that must end well."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stderr[-1000:]}")
    return done.stdout


def make_reference(build, apps, app, folder):
    """The runner's report; files are in folder/expected."""
    described = description(apps, app)
    run([build / "bin" / f"{app}.generator", "-g", app, "-f", app, "-n", app, "-o", folder, "-e",
         "object", "target=host",
         *(f"{name}={value}" for name, value in described["sizes"][SIZE].items())])
    library = folder / f"{app}.so"
    run([os.environ.get("CC", "cc"), "-shared", "-o", library, folder / f"{app}.o", "-lpthread",
         "-ldl", "-lm"])
    out = run([build / "bin" / "pipeline_runner", "reference", "--library", library, "--name", app,
               "--out", folder / "expected", *input_options(described)])
    return json.loads(out.splitlines()[-1])


def outputs(folder):
    """Names and elements of what a reference's folder holds."""
    reference = json.loads((folder / "reference.json").read_text())
    for argument in reference["arguments"]:
        if argument["kind"] == "output":
            elements = array.array(CODES[argument["type"]])
            elements.frombytes((folder / f"{argument['name']}.raw").read_bytes())
            yield argument["name"], elements


def complaints(build, apps, app):
    """What hides errors in an application's reference, as sentences."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        try:
            report = make_reference(build, apps, app, folder)
        except RuntimeError as error:
            return [f"{app}: {error}"]
        wrong = [f"{app}: {name} is constant" for name in report["constant_outputs"]]
        for name, elements in outputs(folder / "expected"):
            counts = collections.Counter(elements)
            # Each NaN counts by itself.
            counts[math.nan] = sum(value != value for value in elements)
            value, times = counts.most_common(1)[0]
            if len(elements) > 1 and times > MOST_OF_ONE_VALUE * len(elements):
                wrong.append(f"{app}: {times} of {len(elements)} elements of {name} are {value}")
    return wrong


def main(build, *names):
    build = pathlib.Path(build).resolve()
    wrong, found = [], 0
    for apps in (build / "apps", build / "apps" / "kernels"):
        for path in sorted(apps.glob("*/app.json")):
            if not names or path.parent.name in names:
                found += 1
                wrong += complaints(build, apps, path.parent.name)
    if found == 0:
        wrong.append(f"there are no applications in {build / 'apps'}")
    print(*wrong, f"{found} applications", sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
