"""Schedules from measurements, and reports for people: the tools as functions."""

import contextlib
import dataclasses
import json
import os
import pathlib
import re
import shlex
import sys
import tempfile

from autoschedule_gpu.plugin import plugin_path
from autoschedule_gpu.tools import ToolError, output_of, status_of


@dataclasses.dataclass(frozen=True)
class Tuned:
    """What tuning came to. The files are in the folder that was named as `export`."""

    result: dict  # times with confidence intervals, the finalists: NAME.json
    trace: dict  # the winner: what `autoscheduler.trace` takes, as a file
    trace_path: str
    header_path: str
    page_path: str


def as_program(generator, folder):
    """A generator as a program: itself, or a script that runs it where it is in Python."""
    path = pathlib.Path(generator).resolve(strict=True)
    if path.suffix != ".py":
        return path
    script = pathlib.Path(folder) / path.stem
    command = shlex.join([sys.executable, "-m", "autoschedule_gpu.run_generator", str(path)])
    script.write_text(f'#!/bin/sh\nexec {command} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return script


def as_arguments(options):
    """Options of a tool from their values in Python: True names one that has no value."""
    arguments = []
    for option, values in options.items():
        flag = f"--{option.replace('_', '-')}"
        for value in values if isinstance(values, (list, tuple)) else [values]:
            if value is True:
                arguments.append(flag)
            elif value is not None and value is not False:
                arguments += [flag, value]
    return arguments


def tune(generator, *, name, export, records, **options):
    """Tunes what a generator makes, on the device that is named (device="opencl", "cuda").

    `generator` is a program, or a file in Python that ends in `halide.main()`; `name` is that under
    which the generator is registered in it. `options` are those of `autotune` (budget="30m",
    strategy="coordinate_descent"; param=["a=1", "b=2"] for one that may be repeated; queue=True for
    one without a value; False and None leave an option out). Progress and results are printed.
    An earlier tuning with the same records goes on. After Ctrl-C, what runs is finished and written
    first; after a second one it is not. Raises ToolError with the tool's status: 1 for a failure,
    2 for an option that is wrong, 130 after Ctrl-C.
    """
    export = pathlib.Path(export)
    # Beside the results, for the command that is printed to go on with names it.
    export.mkdir(parents=True, exist_ok=True)
    arguments = ["--generator", as_program(generator, export), "--generator-name", name,
                 "--export", export, "--records", records,
                 "--plugins", pathlib.Path(plugin_path()).parent, *as_arguments(options)]
    status = status_of("autotune", *arguments)
    if status != 0:
        raise ToolError("autotune", status, f"autotune ended with status {status}; see its message")
    return read_tuned(export, name)


def read_tuned(export, name):
    # As autotune names files, whatever a generator is called.
    name = re.sub(r"[^A-Za-z0-9]", "_", name)

    def read(suffix):
        return json.loads((export / (name + suffix)).read_text(encoding="utf-8"))

    return Tuned(result=read(".json"), trace=read(".trace.json"),
                 trace_path=str(export / f"{name}.trace.json"),
                 header_path=str(export / f"{name}.schedule.h"),
                 page_path=str(export / f"{name}.html"))


def parameters():
    """All parameters of the plugin, their values, defaults and meanings: a table in Markdown."""
    return output_of("list_parameters")


def explain(report):
    """A report, as a dict or as the path of a file, as tables of text."""
    with contextlib.ExitStack() as stack:
        if not isinstance(report, (str, os.PathLike)):
            folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
            path = folder / "report.json"
            path.write_text(json.dumps(report), encoding="utf-8")
            report = path
        return output_of("explain_schedule", report)
