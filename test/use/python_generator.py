"""A generator in Python: a blur of rows."""

import halide as hl

x, y = hl.Var("x"), hl.Var("y")


@hl.generator(name="soften")
class Soften:
    image = hl.InputBuffer(hl.Float(32), 2)
    out = hl.OutputBuffer(hl.Float(32), 2)

    def generate(self):
        g = self
        edged = hl.BoundaryConditions.repeat_edge(g.image)
        g.out[x, y] = (edged[x - 1, y] + edged[x, y] + edged[x + 1, y]) / 3.0
        for buffer in (g.image, g.out):
            buffer.set_estimates([hl.Range(0, 512), hl.Range(0, 256)])


if __name__ == "__main__":
    hl.main()
