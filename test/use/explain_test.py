"""What the page about a schedule says is what the report has, and what the report has is true: bytes
add up to the features that the cost model sees, the limiter is the resource that is busy longest, and
what a second choice would cost is what it costs when it is decided.

usage: explain_test.py EXPLAIN_SH CHECK_PAGE_PY BIN PLUGIN [--all] NAME=GENERATOR...
       --all: every application's page is looked at for its size and its time; else the first's for
       all that it says
"""

import importlib.util
import json
import os
import pathlib
import resource
import subprocess
import sys

script, check_page, tools, plugin = sys.argv[1:5]
every = sys.argv[5] == "--all"
applications = dict(word.split("=", 1) for word in sys.argv[6 if every else 5:])
assert applications, "no application is named"
work = pathlib.Path(os.environ["WORK"])
work.mkdir(parents=True, exist_ok=True)
explain_schedule = pathlib.Path(tools) / "explain_schedule"
MOST_BYTES, MOST_SECONDS = 1_000_000, 1.0

specification = importlib.util.spec_from_file_location("check_page", check_page)
checker = importlib.util.module_from_spec(specification)
specification.loader.exec_module(checker)


def run(generator, name, folder, *parameters):
    ended = run_to_its_end(generator, name, folder, *parameters)
    assert ended.returncode == 0, ended.stderr


def run_to_its_end(generator, name, folder, *parameters):
    folder.mkdir(exist_ok=True)
    return subprocess.run(
        [generator, "-g", name, "-o", folder, "-e", "schedule", "-p", plugin,
         "target=host-cuda-cuda_capability_80", "autoscheduler=GPU", "autoscheduler.gpu=A100",
         *parameters], capture_output=True, text=True)


def seconds_of_children():
    """Of the processor, whatever else the machine does."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def look_at_page(path, report):
    before = seconds_of_children()
    subprocess.run([explain_schedule, "--html", path, report], check=True)
    seconds = seconds_of_children() - before
    text = path.read_text(encoding="utf-8")
    assert seconds < MOST_SECONDS, f"{path}: {seconds} s"
    assert len(text.encode()) < MOST_BYTES, f"{path}: {len(text.encode())} bytes"
    assert not checker.faults_of(text), (path, checker.faults_of(text))
    print(f"{path}: {1000 * seconds:.0f} ms, {len(text.encode())} bytes")
    return text


def digits(value):
    size = abs(value)
    return f"{value:.{0 if size >= 99.95 else 1 if size >= 9.995 else 2}f}"


def bytes_text(value):
    units = [" B", " kB", " MB", " GB"]
    while value >= 999.5 and len(units) > 1:
        value /= 1000
        units.pop(0)
    return (f"{value:.0f}" if units[0] == " B" else digits(value)) + units[0]


def time_text(us):
    return digits(us) + " us" if abs(us) < 999.5 else digits(us / 1000) + " ms"


def check_kernels(report, page):
    """The limiter, the bytes and the predicted time of each kernel."""
    for kernel in report["predictions"]:
        terms = kernel["terms_us"]
        assert kernel["bound_by"] == max(terms, key=terms.get), kernel
        reads = [buffer for buffer in kernel["buffers"] if buffer["access"] == "read"]
        # What a launch reads is at most what its warps ask for.
        for key, among in [("global_bytes_read", reads),
                           ("dram_bytes_read", [buffer for buffer in reads if buffer["dram"]])]:
            added = sum(buffer["bytes"] for buffer in among)
            assert kernel[key] == min(added, kernel["transaction_load_bytes"]), (key, kernel)
        shared = sum(buffer["bytes"] for buffer in kernel["buffers"] if buffer["memory"] == "shared")
        assert shared == kernel["shared_bytes_per_block"], kernel
        for text in [time_text(kernel["predicted_us"]), *map(time_text, terms.values()),
                     *(bytes_text(buffer["bytes"]) for buffer in kernel["buffers"]),
                     f"{kernel['occupancy']['warps_per_sm']} of "]:
            assert text in page, text
    total = sum(kernel["predicted_us"] for kernel in report["predictions"])
    assert abs(total - report["predicted_us"]) < 1e-6 * total


def check_choices(report, generator, name, folder, page):
    """Each other choice costs what it costs when it is decided (the parameter `candidates`)."""
    decisions = folder / "decisions.json"
    run(generator, name, folder, f"autoscheduler.decisions_out={decisions}")
    listed = json.loads(decisions.read_text())
    of_name = {(one["kind"], one["name"]): one for one in listed["decisions"]}
    lines, wanted = [], []
    for decision in report["alternatives"]["decisions"]:
        own = of_name[decision["kind"], decision["name"]]
        assert own["value"] == decision["value"]
        assert len(own["choices"]) == len(decision["others"]) + 1
        for other in decision["others"]:
            own["value"] = other["value"]
            lines.append(json.dumps(listed))
            wanted.append(other)
            own["value"] = decision["value"]
    (folder / "candidates").write_text("\n".join(lines) + "\n")
    priced = run_to_its_end(generator, name, folder,
                            f"autoscheduler.candidates={folder / 'candidates'}",
                            f"autoscheduler.candidates_out={folder / 'prices'}")
    assert "nothing is scheduled" in priced.stderr, priced
    prices = [json.loads(line) for line in (folder / "prices").read_text().splitlines()]
    assert len(prices) == len(wanted) > 10
    for price, other in zip(prices, wanted):
        if other["predicted_us"] is None:
            assert price["refused"], (price, other)
        else:
            assert abs(price["cost_ns"] / 1000 - other["predicted_us"]) < 1e-6, (price, other)
    for decision in report["alternatives"]["decisions"]:
        costs = [other["predicted_us"] for other in decision["others"] if other["predicted_us"]]
        if costs:
            more = min(costs) - report["alternatives"]["predicted_us"]
            assert ("+" if more >= 0 else "") + time_text(more) in page, decision


def check_trace(generator, name, folder):
    """A schedule that is given as directives has loops, and the code that Halide makes of it."""
    trace, report = folder / "trace.json", folder / "traced.json"
    run(generator, name, folder, f"autoscheduler.trace_out={trace}", "autoscheduler.strategy=plain")
    run(generator, name, folder, f"autoscheduler.trace={trace}", f"autoscheduler.report={report}",
        f"autoscheduler.explain={folder / 'traced.html'}")
    page = look_at_page(folder / "traced_again.html", report)
    assert page == (folder / "traced.html").read_text(encoding="utf-8")
    for text in ["No time is predicted", 'class="loops threads"', "Other choices were not priced"]:
        assert text in page, text


if every:
    for name, generator in applications.items():
        folder = work / name
        run(generator, name, folder, f"autoscheduler.report={folder / 'report.json'}",
            f"autoscheduler.explain={folder / 'page.html'}")
        look_at_page(folder / "again.html", folder / "report.json")
    sys.exit(0)

name, generator = next(iter(applications.items()))
told = subprocess.run(["bash", script, tools, plugin, generator, name, work], check=True,
                      capture_output=True, text=True).stdout
assert "A takes" in told and "kernel" in told, told
report = json.loads((work / "report.json").read_text())
page = look_at_page(work / "again.html", work / "report.json")
assert page == (work / "explained.html").read_text(encoding="utf-8")
assert not checker.faults_of((work / "difference.html").read_text(encoding="utf-8"))
check_kernels(report, page)
check_choices(report, generator, name, work / "choices", page)
check_trace(generator, name, work / "trace")
