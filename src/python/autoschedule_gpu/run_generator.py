"""Runs a file of generators in Python, with the parameters of an autoscheduler.

usage: python -m autoschedule_gpu.run_generator FILE ARGUMENTS...

In Halide 21 parameters autoscheduler.NAME=VALUE of such a generator are put into a copy of the map
that they are meant for, and never reach the autoscheduler. Here they are in it from the start.
"""

import os
import runpy
import sys

import halide as hl

_MARK = "autoscheduler."


def main(path, *arguments):
    extra = dict(text[len(_MARK):].split("=", 1) for text in arguments
                 if text.startswith(_MARK) and "=" in text)
    # The name comes later: Halide's binding does set that.
    hl.GeneratorContext.autoscheduler_params = lambda context: hl.AutoschedulerParams("", extra)
    sys.argv = [path, *(text for text in arguments if not text.startswith(_MARK))]
    # What lies beside the file may be imported, as where Python runs it.
    sys.path.insert(0, os.path.dirname(os.path.abspath(path)))
    runpy.run_path(path, run_name="__main__")


if __name__ == "__main__":
    main(*sys.argv[1:])
