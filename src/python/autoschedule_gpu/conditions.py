"""Conditions of schedules that Halide's Python binding can't say: what schedules as Python text call.

The binding takes conditions on parameters only. So parameters of certain names stand for the others,
and `settle` has the plugin put these in their places (src/halide/apply/settle.h).
"""

import halide as hl

from autoschedule_gpu.plugin import load

_PREFIX = "autoschedule_gpu:"


def _known(name):
    """A number that lowered code has under this name."""
    return hl.Expr(hl.Param(hl.Int(32), _PREFIX + name))


def _has_aligned_address(buffer):
    """Whether a buffer of CUDA's begins at whole 16 bytes (src/halide/apply/device_address.h)."""
    return hl.Expr(hl.Param(hl.Bool(), f"{_PREFIX}address:{buffer}"))


def _all(conditions):
    met = hl.Expr(True)
    for i, condition in enumerate(conditions):
        met = condition if i == 0 else met & condition
    return met


def for_full_tiles(stage, whole, least, most, number=0, reductions=()):
    """A second schedule of a stage, for where so much is computed of the Func `whole`.

    `least`, `most`: points along each of its dimensions, then iterations of each of `reductions`,
    loops of the stage, if it is an update of that Func, of that `number` from 1 on; 0: any number.
    Returns that schedule, a Stage.
    """
    loops = [f"{whole.name()}.s0.{dim.name()}" for dim in whole.args()]
    loops += [f"{whole.name()}.s{number}.{loop.name()}" for loop in reductions]
    conditions = []
    for loop, lowest, highest in zip(loops, least, most):
        extent = _known(loop + ".max") - _known(loop + ".min") + 1
        if lowest > 0:
            conditions.append(extent >= lowest)
        if highest > 0:
            # In 64 bits: of x / 2^18 Halide would multiply what it is at most by 2^18.
            conditions.append(hl.cast(hl.Int(64), extent) <= hl.i64(highest))
    return stage.specialize(_all(conditions))


def where_rows_are_aligned(stage, output, inputs, fours=None):
    """A second schedule of a stage, as it is so far, for rows that begin at multiples of 16 bytes.

    They are those of the Func `output`, unless that is None, and of `inputs`, each a name and a
    number of dimensions, whose buffers begin at such addresses. `fours`: a loop of the stage's
    reduction that must have whole fours of iterations.
    """
    conditions, buffers = [], list(inputs)
    if output is not None:
        conditions.append(_known(output.name() + ".extent.0") % 4 == 0)
        buffers.append((output.name(), output.dimensions()))
    for name, dimensions in buffers:
        conditions.append(_known(name + ".min.0") == 0)
        conditions += [_known(f"{name}.stride.{d}") % 4 == 0 for d in range(1, dimensions)]
        conditions.append(_has_aligned_address(name))
    aligned = _all(conditions)
    if fours is not None:
        aligned = hl.Expr(hl.Param(hl.Bool(), f"{_PREFIX}fours:{fours.name()}")) & aligned
    return stage.specialize(aligned)


def where_steps_are_whole(stage, loop, steps):
    """A second schedule of a stage, as it is so far, for where a loop of its reduction has a multiple
    of so many iterations."""
    return stage.specialize(hl.Expr(hl.Param(hl.Bool(), f"{_PREFIX}steps:{steps}:{loop.name()}")))


def where_pixels_are_aligned(stage, equal, multiples, buffers=()):
    """A second schedule of a stage, as it is so far, for aligned and whole vectors of pixels.

    `equal`, `multiples`: names of numbers of buffers, each with what it must be, or a multiple of
    what. `buffers`: names of those that must begin at multiples of 16 bytes; schedules of earlier
    versions name none.
    """
    conditions = [_known(name) == number for name, number in equal]
    conditions += [_known(name) % number == 0 for name, number in multiples]
    conditions += [_has_aligned_address(name) for name in buffers]
    return stage.specialize(_all(conditions))


def repeat_for_multiples(stage, output, multiples):
    """A second schedule of a stage, as it is so far, for an output that begins and ends at these.

    `multiples`: a number for each dimension; 0: anywhere.
    """
    return stage.specialize(_all(
        _known(f"{output.name()}.{field}.{d}") % multiple == 0
        for d, multiple in enumerate(multiples) if multiple > 0 for field in ("extent", "min")))


def extents_are_at_least(extents):
    """Whether buffers extend so far: each a name, a dimension and a number, which is met by more."""
    return _all(_known(f"{name}.extent.{dimension}") >= least for name, dimension, least in extents)


def settle(pipeline):
    """Puts the conditions of all the schedules above into their places: the last step."""
    load()
    pipeline.apply_autoscheduler(hl.get_host_target(), hl.AutoschedulerParams("GPU_conditions"))
