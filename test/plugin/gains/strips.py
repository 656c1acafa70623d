"""Algorithms that are blocked themselves: what goes along a row starts anew in each tile."""

import halide as hl

from parts import F32, U8, estimated, image

x, y, i, j, s, t = (hl.Var(name) for name in ("x", "y", "i", "j", "s", "t"))
TILE = 32


def from_zero(func, *extents):
    """An output whose first tile begins at its first point."""
    for dim in range(func.dimensions()):
        func.output_buffer().dim(dim).set_min(0)
    return estimated(func, *extents)


def filtered_strips():
    """A recursive filter along rows and back again, in strips."""
    source, strip, out = image(F32, 2048, 2048), hl.Func("strip"), hl.Func("out")
    width = source.dim(0).extent()
    step, back = hl.RDom([(1, TILE - 1)], "step"), hl.RDom([(1, TILE - 1)], "back")
    inside = source[hl.clamp(s * TILE + i, 0, width - 1), y]
    strip[i, y, s] = hl.select(s * TILE + i < width, inside, 0)

    def take(at, before):
        strip[at, y, s] = strip[at, y, s] * hl.f32(0.3) + strip[before, y, s] * hl.f32(0.7)

    take(step.x, step.x - 1)
    take(TILE - 1 - back.x, TILE - back.x)
    out[x, y] = strip[x % TILE, y, x // TILE]
    return from_zero(out, 2048, 2048)


def tables_of_tiles():
    """In each tile, the sum of all to the left and above."""
    source, table, out = image(U8, 2048, 2048), hl.Func("table"), hl.Func("out")
    width, height = source.dim(0).extent(), source.dim(1).extent()
    column, row = hl.RDom([(1, TILE - 1)], "column"), hl.RDom([(1, TILE - 1)], "row")
    table[i, j, s, t] = hl.i32(source[hl.clamp(s * TILE + i, 0, width - 1),
                                      hl.clamp(t * TILE + j, 0, height - 1)])
    table[column, j, s, t] += table[column - 1, j, s, t]
    table[i, row, s, t] += table[i, row - 1, s, t]
    out[x, y] = table[x % TILE, y % TILE, x // TILE, y // TILE]
    return from_zero(out, 2048, 2048)


def running_maxima():
    """Of 16 pixels in a row: the best to the end of a strip, and from the beginning of the next."""
    window = 16
    inside = hl.BoundaryConditions.repeat_edge(image(F32, 2048, 2048))
    onward, back, out = (hl.Func(name) for name in ("onward", "back", "out"))
    step = hl.RDom([(1, window - 1)], "step")
    at = window - 1 - step
    onward[i, s, y] = inside[s * window + i, y]
    onward[step, s, y] = hl.max(onward[step - 1, s, y], onward[step, s, y])
    back[i, s, y] = inside[s * window + i, y]
    back[at, s, y] = hl.max(back[at + 1, s, y], back[at, s, y])
    last = x + window - 1
    out[x, y] = hl.max(back[x % window, x // window, y], onward[last % window, last // window, y])
    return from_zero(out, 2048, 2048)
