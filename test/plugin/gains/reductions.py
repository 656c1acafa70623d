"""Sums, scans and products: what is computed of whole rows, columns or windows."""

import halide as hl

from parts import F32, I32, along, estimated, image

x, y, i, k, c, n = (hl.Var(name) for name in ("x", "y", "i", "k", "c", "n"))


def matrix_by_vector():
    matrix, vector, out = image(F32, 4096, 1024), image(F32, 4096, name="vector"), hl.Func("out")
    r = along(matrix)
    out[y] = hl.f32(0)
    out[y] += matrix[r, y] * vector[r]
    return estimated(out, 1024)


def norms_of_columns():
    source, squares, out = image(F32, 512, 20000), hl.Func("squares"), hl.Func("out")
    r = along(source, 1)
    squares[x] = hl.f32(0)
    squares[x] += source[x, r] * source[x, r]
    out[x] = hl.sqrt(squares[x])
    return estimated(out, 512)


def product():
    """Of two matrices."""
    a, b = image(F32, 1024, 1024, name="a"), image(F32, 1024, 1024, name="b")
    sums, out, r = hl.Func("sums"), hl.Func("out"), along(a)
    sums[x, y] = hl.f32(0)
    sums[x, y] += a[r, y] * b[x, r]
    out[x, y] = sums[x, y]
    return estimated(out, 1024, 1024)


def convolution():
    """Of 3 x 3 points and 64 channels, which lie side by side."""
    source, weights = image(F32, 64, 130, 130, 4), image(F32, 64, 3, 3, 64, name="weights")
    sums, out = hl.Func("sums"), hl.Func("out")
    r = hl.RDom([(0, 64), (0, 3), (0, 3)], "r")
    sums[c, x, y, n] = hl.f32(0)
    sums[c, x, y, n] += weights[c, r.y, r.z, r.x] * source[r.x, x + r.y, y + r.z, n]
    out[c, x, y, n] = hl.max(0, sums[c, x, y, n])
    return estimated(out, 64, 128, 128, 4)


def median():
    """Of 3 x 3 pixels, by a network of swaps in place; the last place is for swaps."""
    inside = hl.BoundaryConditions.repeat_edge(image(F32, 1536, 2560))
    window, out = hl.Func("window"), hl.Func("out")
    window[x, y, k] = hl.select(k < 9, inside[x + k % 3 - 1, y + k // 3 - 1], 0)
    for turn in range(9):
        for at in range(turn % 2, 8, 2):
            window[x, y, 9] = hl.min(window[x, y, at], window[x, y, at + 1])
            window[x, y, at + 1] = hl.max(window[x, y, at], window[x, y, at + 1])
            window[x, y, at] = window[x, y, 9]
    out[x, y] = window[x, y, 4]
    return estimated(out, 1536, 2560)


def rows_below_their_greatest():
    source, greatest, out = image(F32, 2048, 2048), hl.Func("greatest"), hl.Func("out")
    r = along(source)
    greatest[y] = F32.min()
    greatest[y] = hl.max(greatest[y], source[r, y])
    out[x, y] = source[x, y] - greatest[y]
    return estimated(out, 2048, 2048)


def running_sums():
    """Of a long row, in lines of 16 values, rows of 16 lines and chunks of 16 rows."""
    way, source, out = 16, image(I32, 10_000_000), hl.Func("out")
    count = source.dim(0).extent()

    def scan(name, value):
        sums, r = hl.Func(name), hl.RDom([(1, way)], name + "_r")
        sums[i, c] = 0
        sums[r, c] = sums[r - 1, c] + value((r - 1) + c * way)
        return sums

    lines = scan("lines", lambda at: hl.select(at < count, source[hl.clamp(at, 0, count - 1)], 0))
    rows = scan("rows", lambda line: lines[way, line])
    chunks = scan("chunks", lambda row: rows[way, row])
    out[x] = (lines[x % way + 1, x // way] + rows[x // way % way, x // way**2]
              + chunks[x // way**2 % way, x // way**3])
    source.dim(0).set_min(0)
    out.output_buffer().dim(0).set_min(0)
    return estimated(out, 10_000_000)


def smoothed_logarithms():
    """A recursive filter along the rows of what is computed of an image, and back again."""
    source = image(F32, 2048, 1536)
    light, smooth, out = (hl.Func(name) for name in ("light", "smooth", "out"))
    column = hl.RDom([(1, source.dim(0).extent() - 1)], "column")
    light[x, y] = hl.log(source[x, y] + 1)
    smooth[x, y] = light[x, y]
    smooth[column, y] = smooth[column - 1, y] * hl.f32(0.8) + light[column, y] * hl.f32(0.2)
    out[x, y] = hl.exp(smooth[x, y])
    return estimated(out, 2048, 1536)


def averages_down():
    """An exponential average down the columns, from nothing."""
    source, down, out = image(F32, 2048, 1536), hl.Func("down"), hl.Func("out")
    row = hl.RDom([(0, source.dim(1).extent())], "row")
    down[x, y] = hl.f32(0)
    down[x, row] = down[x, row - 1] * hl.f32(0.8) + source[x, row] * hl.f32(0.2)
    out[x, y] = hl.exp(down[x, y])
    return estimated(out, 2048, 1536)


def light_from_above():
    """What falls through rows of glass, each of which keeps a part that the pixels tell."""
    glass, light, out = image(F32, 1024, 2048), hl.Func("light"), hl.Func("out")
    row = hl.RDom([(0, glass.dim(1).extent())], "row")
    light[x, y] = hl.f32(1)
    light[x, row] = light[x, row - 1] * (1 - glass[x, row] * glass[x + 1, row])
    out[x, y] = hl.log(light[x, y] + 1)
    return estimated(out, 1023, 2048)


def smoothed_down_and_along():
    """By a recursive filter down the columns, then by one along the rows."""
    source, down, out = image(F32, 2048, 1536), hl.Func("down"), hl.Func("out")
    row = hl.RDom([(1, source.dim(1).extent() - 1)], "row")
    column = hl.RDom([(1, source.dim(0).extent() - 1)], "column")
    down[x, y] = source[x, y]
    down[x, row] = down[x, row - 1] * hl.f32(0.8) + source[x, row] * hl.f32(0.2)
    out[x, y] = down[x, y]
    out[column, y] = out[column - 1, y] * hl.f32(0.8) + down[column, y] * hl.f32(0.2)
    return estimated(out, 2048, 1536)
