"""A schedule for a pipeline, and what the search says of it."""

import contextlib
import dataclasses
import json
import pathlib
import tempfile

import halide as hl

from autoschedule_gpu.plugin import load


@dataclasses.dataclass(frozen=True)
class Scheduled:
    """What was applied to a pipeline."""

    cpp: str  # the body of a function that applies it, in C++ (Halide's schedule header)
    python: str  # a module with apply_schedule(pipeline), which does the same
    report: dict  # of the search: what `autoscheduler.report` writes
    trace: dict  # the directives: what `autoscheduler.trace_out` writes


def as_text(value):
    """A parameter's value as the plugin reads it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (list, tuple)):
        return ",".join(map(str, value))
    return str(value)


def schedule(pipeline, target, **parameters):
    """Finds a schedule for a pipeline, or for a Func, and applies it.

    `parameters` are those of the plugin (gpu="A100", time_limit_s=30;
    print(autoschedule_gpu.parameters()) shows them all). A list is given as its parts with commas
    between, True and False as "on" and "off"; None leaves a parameter at its default.
    Sizes are the estimates that the pipeline has. Raises halide.HalideError for a parameter that is
    wrong, for estimates that are missing, and for whatever Halide refuses; nothing is applied then.
    """
    load()
    if isinstance(pipeline, hl.Func):
        pipeline = hl.Pipeline(pipeline)
    with contextlib.ExitStack() as stack:
        folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        wanted = {"report": folder / "report.json", "trace_out": folder / "trace.json",
                  "python_out": folder / "schedule.py"}
        wanted |= {name: value for name, value in parameters.items() if value is not None}
        chosen = hl.AutoschedulerParams("GPU", {name: as_text(value)
                                                for name, value in wanted.items()})
        applied = pipeline.apply_autoscheduler(target, chosen)
        return Scheduled(cpp=applied.schedule_source,
                         python=pathlib.Path(wanted["python_out"]).read_text(encoding="utf-8"),
                         report=json.loads(pathlib.Path(wanted["report"]).read_bytes()),
                         trace=json.loads(pathlib.Path(wanted["trace_out"]).read_bytes()))
