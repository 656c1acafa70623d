"""Windows of neighbours in volumes, films and images."""

import halide as hl

from parts import F32, U8, estimated, image, total

x, y, z, t = (hl.Var(name) for name in ("x", "y", "z", "t"))


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


def conduction():
    """In a volume, two steps: how much flows between neighbours depends on what is at both."""
    value, conducts = (hl.BoundaryConditions.repeat_edge(image(F32, 256, 256, 256, name=name))
                       for name in ("heat", "conducts"))
    for step in range(2):
        after = hl.Func(f"step{step}")
        around = [(x - 1, y, z), (x + 1, y, z), (x, y - 1, z), (x, y + 1, z), (x, y, z - 1),
                  (x, y, z + 1)]
        flow = total((value[at] - value[x, y, z]) * (conducts[at] + conducts[x, y, z])
                     for at in around)
        after[x, y, z] = value[x, y, z] + flow * hl.f32(0.05)
        value = after
    return estimated(value, 256, 256, 256)


def changes_in_film():
    """How much each point differs from what is around it and in the next frames, smoothed."""
    film = hl.BoundaryConditions.repeat_edge(image(F32, 960, 540, 64))
    change, out = hl.Func("change"), hl.Func("out")
    across, down = film[x + 1, y, t] - film[x - 1, y, t], film[x, y + 1, t] - film[x, y - 1, t]
    later = film[x, y, t + 1] - film[x, y, t - 1]
    change[x, y, t] = hl.sqrt(across * across + down * down + later * later)
    around = [change[x - 1, y, t], change[x + 1, y, t], change[x, y - 1, t], change[x, y + 1, t],
              change[x, y, t - 1], change[x, y, t + 1]]
    out[x, y, t] = change[x, y, t] * hl.f32(0.4) + total(around) * hl.f32(0.1)
    return estimated(out, 960, 540, 64)


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
