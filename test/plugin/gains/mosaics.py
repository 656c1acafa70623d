"""Points that are told apart by whether their place is even."""

import halide as hl

from parts import U8, U16, estimated, image

x, y, c = (hl.Var(name) for name in ("x", "y", "c"))


def colours_of_mosaic():
    """Of a sensor with red at even places, blue at odd ones and green between: linear filters of
    5 x 5 pixels, as Malvar, He and Cutler have them."""
    inside = hl.BoundaryConditions.repeat_edge(image(U16, 4096, 3072))
    at = lambda dx, dy: hl.i32(inside[x + dx, y + dy])
    here, out = at(0, 0), hl.Func("out")
    beside, far_beside = at(-1, 0) + at(1, 0), at(-2, 0) + at(2, 0)
    above, far_above = at(0, -1) + at(0, 1), at(0, -2) + at(0, 2)
    corners = at(-1, -1) + at(1, -1) + at(-1, 1) + at(1, 1)
    green = (4 * here + 2 * (beside + above) - far_beside - far_above) / 8
    along_row = (10 * here + 8 * beside - 2 * (corners + far_beside) + far_above) / 16
    along_column = (10 * here + 8 * above - 2 * (corners + far_above) + far_beside) / 16
    opposite = (12 * here + 4 * corners - 3 * (far_beside + far_above)) / 16
    even_x, even_y = x % 2 == 0, y % 2 == 0
    red = hl.select(even_y, hl.select(even_x, here, along_row),
                    hl.select(even_x, along_column, opposite))
    blue = hl.select(even_y, hl.select(even_x, opposite, along_column),
                     hl.select(even_x, along_row, here))
    out[x, y, c] = hl.u16_sat(hl.mux(c, [red, hl.select(even_x == even_y, green, here), blue]))
    out.bound(c, 0, 3)
    return estimated(out, 4096, 3072, 3)


def deinterlaced():
    """Odd rows are made of those around them, along the direction that differs least."""
    inside, out = hl.BoundaryConditions.repeat_edge(image(U8, 1920, 1080, 3)), hl.Func("out")
    at = lambda dx, dy: hl.i16(inside[x + dx, y + dy, c])
    least, best = hl.abs(at(0, -1) - at(0, 1)), (at(0, -1) + at(0, 1)) / 2
    for lean in (-1, 1, -2, 2):
        above, below = at(lean, -1), at(-lean, 1)
        best = hl.select(hl.abs(above - below) < least, (above + below) / 2, best)
        least = hl.min(least, hl.abs(above - below))
    out[x, y, c] = hl.u8(hl.select(y % 2 == 0, at(0, 0), best))
    return estimated(out, 1920, 1080, 3)
