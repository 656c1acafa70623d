"""Schedules Halide pipelines for GPUs.

    import halide as hl
    import autoschedule_gpu

    made = autoschedule_gpu.schedule(pipeline, hl.Target("host-cuda"), gpu="A100")
    print(made.python)

The package holds the plugin and the tools; Halide is that of the wheel `halide`, of the version that
the plugin was built for. `python -m autoschedule_gpu` runs the tools.
"""

from autoschedule_gpu.plugin import load, plugin_path
from autoschedule_gpu.tools import ToolError
from autoschedule_gpu.tuning import Tuned, explain, parameters, tune


def __getattr__(name):
    """What needs Halide is loaded with its first use: the tools run without it."""
    if name not in ("Scheduled", "schedule"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from autoschedule_gpu import scheduling

    return getattr(scheduling, name)


def __dir__():
    """help() and completion show what is loaded with its first use, too."""
    return sorted({*globals(), *__all__})


__all__ = ["Scheduled", "ToolError", "Tuned", "explain", "load", "parameters", "plugin_path",
           "schedule", "tune"]
