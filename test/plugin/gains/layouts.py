"""How values lie in memory, and what lies side by side."""

import halide as hl

from parts import F32, U8, along, estimated, image, total

x, y, c, i, j, k = (hl.Var(name) for name in ("x", "y", "c", "i", "j", "k"))


def product_of_rows():
    """Of the rows of two matrices, one of them of bytes."""
    a, b = image(F32, 1024, 1024, name="a"), image(U8, 1024, 1024, name="b")
    sums, out, r = hl.Func("sums"), hl.Func("out"), along(a)
    sums[x, y] += a[r, y] * (hl.f32(b[r, x]) - 128)
    out[x, y] = sums[x, y] + 1
    return estimated(out, 1024, 1024)


def products_of_all_rows():
    """Of a matrix with each other, as of samples that are to be compared."""
    a, sums, out = image(F32, 1024, 1024), hl.Func("sums"), hl.Func("out")
    r = along(a)
    sums[x, y] += a[r, x] * a[r, y]
    out[x, y] = sums[x, y] * 2
    return estimated(out, 1024, 1024)


def trilinear(func, at, extent, rest):
    """Between the eight points around a place in the cube [0, extent - 1]."""
    low = [hl.clamp(hl.i32(hl.floor(place)), 0, extent - 2) for place in at]

    def between(corner):
        dim = len(corner)
        if dim == len(at):
            return func[(*corner, *rest)]
        return hl.lerp(between((*corner, low[dim])), between((*corner, low[dim] + 1)),
                       at[dim] - low[dim])
    return between(())


def cube_of_colours():
    """Four inks for each colour: a table that is computed, and then looked up for each pixel."""
    extent, picture, curve = 33, image(F32, 1920, 1080, 3), image(F32, 4, name="curve")
    inks, at, out = (hl.Func(name) for name in ("inks", "at", "out"))
    light = hl.f32(i) * hl.f32(0.3) + hl.f32(j) * hl.f32(0.6) + hl.f32(k) * hl.f32(0.1)
    inks[i, j, k, c] = hl.pow((light + c) / extent, curve[c])
    at[x, y, c] = trilinear(inks, [picture[x, y, n] * (extent - 1) for n in range(3)], extent, [c])
    out[x, y] = total(at[x, y, n] * hl.f32(0.25) for n in range(4))
    return estimated(out, 1920, 1080)


def warped():
    """Pixels of a picture with alpha, made linear, at places that another image gives: four points
    each way count for each."""
    width, height = 1536, 1024
    picture, shift = image(U8, width, height, 4), image(F32, width, height, 2, name="shift")
    linear, at, out = (hl.Func(name) for name in ("linear", "at", "out"))
    share = lambda n: hl.f32(picture[x, y, n]) * hl.f32(1 / 255)
    alpha = share(3)
    linear[x, y, c] = hl.mux(c, [hl.pow(share(n), hl.f32(2.2)) * alpha for n in range(3)] + [alpha])
    place = hl.f32(x) + shift[x, y, 0], hl.f32(y) + shift[x, y, 1]
    column, row = (hl.clamp(hl.i32(hl.floor(at)), 1, extent - 3)
                   for at, extent in zip(place, (width, height)))
    at[x, y, c] = cubic([cubic([linear[column + dx, row + dy, c] for dx in range(-1, 3)],
                               place[0] - column) for dy in range(-1, 3)], place[1] - row)
    light = at[x, y, 0] * hl.f32(0.3) + at[x, y, 1] * hl.f32(0.6) + at[x, y, 2] * hl.f32(0.1)
    out[x, y] = light / hl.max(at[x, y, 3], hl.f32(0.001))
    return estimated(out, width, height)


def cubic(values, t):
    """Through the second and third of four values that are 1 apart."""
    a, b, c, d = values
    bend = t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a))
    return b + hl.f32(0.5) * t * (c - a + bend)


def side_by_side(buffer, channels):
    """A buffer of pixels or samples with their channels, at an address that is aligned."""
    buffer.dim(0).set_bounds(0, channels)
    buffer.dim(1).set_stride(channels)
    buffer.set_host_alignment(16)


def planes_of_pixels():
    """From red, green and blue side by side to a plane for each."""
    pixels, out = image(U8, 3, 4096, 4096), hl.Func("out")
    out[x, y, c] = pixels[c, x, y]
    side_by_side(pixels, 3)
    out.output_buffer().dim(2).set_bounds(0, 3)
    out.output_buffer().set_host_alignment(16)
    out.bound(c, 0, 3)
    return estimated(out, 4096, 4096, 3)


def samples_of_tracks():
    """Two tracks of sound become one whose samples take turns."""
    tracks, out = image(hl.Int(16), 1 << 24, 2), hl.Func("out")
    out[c, x] = tracks[x, c]
    tracks.dim(1).set_bounds(0, 2)
    tracks.set_host_alignment(16)
    side_by_side(out.output_buffer(), 2)
    out.bound(c, 0, 2)
    return estimated(out, 2, 1 << 24)


def all_pairs(combined, start, updated, length):
    """Of the rows of one matrix and the columns of another, turned over."""
    a, b = image(F32, 1024, length, name="a"), image(F32, length, 1024, name="b")
    found, r = hl.Func("found"), along(b)
    found[x, y] = hl.f32(start)
    found[x, y] = updated(found[x, y], combined(a[y, r], b[r, x]))
    return found


def best_ways():
    """By way of each place, from each place to each: a step towards the shortest of all."""
    out, best = hl.Func("out"), all_pairs(lambda a, b: a + b, 1e30, hl.min, 1024)
    out[x, y] = best[x, y]
    return estimated(out, 1024, 1024)


def distances():
    """Of points with 256 coordinates."""
    out = hl.Func("out")
    squares = all_pairs(lambda a, b: (a - b) * (a - b), 0, lambda sums, value: sums + value, 256)
    out[x, y] = hl.sqrt(squares[x, y])
    return estimated(out, 1024, 1024)
