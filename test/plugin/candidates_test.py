"""Checks what the plugin says of lists of decisions that are candidates: that their costs and their
schedules are those that the lists have when they are scheduled, whatever the model, what is refused,
and that nothing depends on threads.

usage: candidates_test.py GENERATOR NAME PLUGIN SIZES_JSON FOLDER
"""

import json
import pathlib
import random
import shutil
import subprocess
import sys

GENERATOR, NAME, PLUGIN, SIZES, FOLDER = sys.argv[1:]
FOLDER = pathlib.Path(FOLDER)
SIZE = json.loads(pathlib.Path(SIZES).read_text())["sizes"]["reduced"]


def call(**parameters):
    return subprocess.run(
        [GENERATOR, "-g", NAME, "-f", NAME, "-o", FOLDER, "-e", "schedule", "-p", PLUGIN,
         "target=host-opencl", *(f"{name}={value}" for name, value in SIZE.items()),
         "autoscheduler=GPU",
         *(f"autoscheduler.{name}={value}" for name, value in parameters.items())],
        capture_output=True, text=True, check=False)


def run(**parameters):
    done = call(**parameters)
    assert done.returncode == 0, done.stderr


def prices(lists, **parameters):
    given, found = FOLDER / "candidates", FOLDER / "prices"
    (FOLDER / f"{NAME}.schedule.h").unlink(missing_ok=True)
    given.write_text("".join(json.dumps(one) + "\n" for one in lists))
    found.unlink(missing_ok=True)
    done = call(candidates=given, candidates_out=found, **parameters)
    # Nothing is scheduled, and nobody is to think so.
    assert done.returncode != 0 and "asks for prices alone" in done.stderr, done.stderr
    assert not (FOLDER / f"{NAME}.schedule.h").exists()
    return [json.loads(line) for line in found.read_text().splitlines()]


def changed(decisions, rng, count):
    result = json.loads(json.dumps(decisions))
    for one in rng.sample([d for d in result["decisions"] if len(d["choices"]) > 1], count):
        one["value"] = rng.choice([c for c in one["choices"] if c != one["value"]])
    return result


def scheduled(decisions):
    """What the report says of a list that is scheduled, or why it is refused."""
    given, report, trace = FOLDER / "given", FOLDER / "report", FOLDER / "trace"
    given.write_text(json.dumps(decisions))
    done = call(decisions=given, report=report, trace_out=trace)
    if done.returncode != 0:
        return None, done.stderr
    return json.loads(report.read_text()), trace.read_text()


def main():
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    run(decisions_out=FOLDER / "decisions")
    decisions = json.loads((FOLDER / "decisions").read_text())
    rng = random.Random(1)
    lists = [decisions] + [changed(decisions, rng, 1 + i % 5) for i in range(40)]
    found = prices(lists)
    assert len(found) == len(lists)
    assert found == prices(lists, threads=1) == prices(lists, threads=2)

    # Another model has other costs, of the same schedules: who prices by one may build by another.
    by_another = prices(lists, model="analytical")
    assert by_another != found
    assert [one.get("schedule") for one in by_another] == [one.get("schedule") for one in found]

    # Of equal schedules, and of others.
    traces = {}
    for one, price in list(zip(lists, found))[:8]:
        report, text = scheduled(one)
        if "refused" in price:
            assert report is None and price["refused"] in text, (price, text)
            continue
        assert report is not None, text
        cost = 1e3 * report["predicted_us"]
        assert abs(cost - price["cost_ns"]) < 1e-6 * cost, (cost, price)
        assert traces.setdefault(price["schedule"], text) == text
    assert len(set(traces.values())) == len(traces) > 3

    other = {**decisions, "pipeline": "00c0ffee00c0ffee"}
    refused = prices([{"no": "list"}, other, decisions])
    assert "refused" in refused[0] and "of another pipeline" in refused[1]["refused"], refused
    assert refused[2] == found[0]
    assert prices([]) == []

    alone = call(candidates=FOLDER / "candidates")
    assert alone.returncode != 0 and "belong together" in alone.stderr, alone.stderr


main()
