"""Windows of neighbours in volumes and images."""

import halide as hl

from parts import F32, U8, estimated, image, total

x, y, z = (hl.Var(name) for name in ("x", "y", "z"))


def diffusion():
    """In a volume, three steps: each point takes a share of its six neighbours."""
    value = hl.BoundaryConditions.repeat_edge(image(F32, 256, 256, 256))
    for step in range(3):
        after = hl.Func(f"step{step}")
        around = [value[x - 1, y, z], value[x + 1, y, z], value[x, y - 1, z], value[x, y + 1, z],
                  value[x, y, z - 1], value[x, y, z + 1]]
        after[x, y, z] = total([value[x, y, z] * hl.f32(0.5)]
                               + [neighbour * hl.f32(1 / 12) for neighbour in around])
        value = after
    return estimated(value, 256, 256, 256)


def opened():
    """A volume, opened: twice the least of each point and its neighbours, then twice the greatest."""
    value = hl.BoundaryConditions.repeat_edge(image(F32, 256, 256, 256))
    for step, chosen in enumerate((hl.min, hl.min, hl.max, hl.max)):
        after, best = hl.Func(f"step{step}"), value[x, y, z]
        for at in [(x - 1, y, z), (x + 1, y, z), (x, y - 1, z), (x, y + 1, z), (x, y, z - 1),
                   (x, y, z + 1)]:
            best = chosen(best, value[at])
        after[x, y, z] = best
        value = after
    return estimated(value, 256, 256, 256)


def corners():
    """By the products of both derivatives, added up in windows of 7 x 7."""
    inside = hl.BoundaryConditions.repeat_edge(image(U8, 2048, 1536))
    at = lambda dx, dy: hl.i32(inside[x + dx, y + dy])
    weighted = ((-1, 1), (0, 2), (1, 1))
    across = total(weight * (at(1, n) - at(-1, n)) for n, weight in weighted)
    down = total(weight * (at(n, 1) - at(n, -1)) for n, weight in weighted)
    products, out = hl.Func("products"), hl.Func("out")
    products[x, y] = (across * across, across * down, down * down)
    xx, xy, yy = (total(products[x + dx, y + dy][n] for dy in range(-3, 4) for dx in range(-3, 4))
                  for n in range(3))
    out[x, y] = hl.f32(xx) * yy - hl.f32(xy) * xy
    return estimated(out, 2048, 1536)


def twice_smoothed():
    """By windows of 5 x 5 in which near points count more, in whole numbers."""
    inside = hl.BoundaryConditions.repeat_edge(image(U8, 1536, 1024))
    near, out = hl.Func("near"), hl.Func("out")
    reach = range(-2, 3)
    smoothed = lambda read: total((abs(dx) + 2 * abs(dy) + 1) * hl.i32(read[x + dx, y + dy])
                                  for dx in reach for dy in reach) % 251
    near[x, y] = smoothed(inside)
    out[x, y] = smoothed(near)
    return estimated(out, 1536, 1024)
