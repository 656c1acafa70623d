"""Several results of the same inputs."""

import halide as hl

from parts import F32, U8, estimated, image

x, y = hl.Var("x"), hl.Var("y")


def derivatives():
    """Of a picture: along both dimensions and a diagonal, and the second."""
    source = image(U8, 512, 512)
    inside = hl.BoundaryConditions.repeat_edge(source)
    at = lambda dx, dy: hl.i32(inside[x + dx, y + dy])
    across, down, diagonal, second = (hl.Func(name) for name in
                                      ("across", "down", "diagonal", "second"))
    across[x, y] = at(1, 0) - at(-1, 0)
    down[x, y] = at(0, 1) - at(0, -1)
    diagonal[x, y] = at(1, 1) - at(-1, -1)
    second[x, y] = at(1, 0) + at(-1, 0) + at(0, 1) + at(0, -1) - 4 * at(0, 0)
    return [estimated(func, 512, 512) for func in (across, down, diagonal, second)]


def vectors_of_two():
    """Sums, differences, products and lengths of the values of two short vectors."""
    count = 1 << 16
    a, b = image(F32, count, name="a"), image(F32, count, name="b")
    sums, differences, products, lengths = (hl.Func(name) for name in
                                            ("sums", "differences", "products", "lengths"))
    sums[x] = a[x] + b[x]
    differences[x] = a[x] - b[x]
    products[x] = a[x] * b[x]
    lengths[x] = hl.sqrt(a[x] * a[x] + b[x] * b[x])
    return [estimated(func, count) for func in (sums, differences, products, lengths)]
