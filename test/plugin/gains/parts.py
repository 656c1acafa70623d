"""What the pipelines of gains_test.py are made with."""

import halide as hl

F32, I32, U8, U16 = hl.Float(32), hl.Int(32), hl.UInt(8), hl.UInt(16)


def estimated(func, *extents):
    """An input or output that is expected to be of this size."""
    func.set_estimates([hl.Range(0, extent) for extent in extents])
    return func


def image(kind, *extents, name="image"):
    return estimated(hl.ImageParam(kind, len(extents), name), *extents)


def along(source, dim=0, name="r"):
    """All of one dimension of a buffer, whatever size it has at run time."""
    return hl.RDom([(0, source.dim(dim).extent())], name)


def total(terms):
    """The sum of expressions; Python's own begins with a number."""
    first, *others = terms
    for term in others:
        first = first + term
    return first
