"""Several schedules of one pipeline, each for its sizes: what schedules as Python text call.

The binding copies no Funcs; the plugin does (src/halide/apply/sizes_by_binding.h). It is given
several pipelines as the outputs of one.
"""

import halide as hl

from autoschedule_gpu import conditions
from autoschedule_gpu.plugin import load


def _ask_plugin(name, funcs, **parameters):
    load()
    asked = hl.AutoschedulerParams(name, parameters)
    hl.Pipeline(funcs).apply_autoscheduler(hl.get_host_target(), asked)


def _value(expression):
    func = hl.Func("value")
    func[()] = expression
    return func


def copy_for_sizes(pipeline, number):
    """A copy of the pipeline with Funcs of its own, in the same order; each has another number."""
    copies = [_value(0) for _ in pipeline.outputs()]
    _ask_plugin("GPU_copy_for_sizes", pipeline.outputs() + copies, number=str(number))
    return hl.Pipeline(copies)


def compute_as_in(copy, pipeline, extents):
    """Outputs are computed as in the copy where buffers extend so far.

    `extents`: those of conditions.extents_are_at_least. The last step but for `conditions.settle`; of
    several copies that which is asked for first comes last.
    """
    condition = _value(conditions.extents_are_at_least(extents))
    _ask_plugin("GPU_compute_as_in", [condition, *pipeline.outputs(), *copy.outputs()])
