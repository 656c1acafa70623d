// Small pipelines as Dags, written by hand: what the tests of the Halide-free modules run on. All
// pass dag::check().
#pragma once

#include <string>
#include <vector>

#include "unit/dag_builder.h"

namespace autoschedule_gpu::example {

FuncId find_func(const Dag &dag, const std::string &name);
StageId find_stage(const Dag &dag, const std::string &name);  // "hist.update(0)"

// out(x, y) = in(x, y)
Dag copy(int64_t width, int64_t height);
// out(x, y) = in(y, x)
Dag transpose(int64_t width, int64_t height);
// in and out have three channels, interleaved (c innermost in memory)
Dag interleaved(int64_t width, int64_t height);
// in -> blur (3x3) -> out (3x3)
Dag two_stencils(int64_t width, int64_t height);
// f0 reads in, each further f reads 3x3 of the one before; the last one is the output f<n-1>
Dag stencil_chain(int stages, int64_t width, int64_t height);
// prod(x, y) = 0; prod(x, y) += a(k, y) * b(x, k); out = prod
Dag matmul(int64_t n);
// out(x, y) = 0; out(x, y) += a(k, y) * b(x, k): the update is a kernel of its own
Dag matmul_output(int64_t n);

// prod(x, y) += left(k + beside, y) * right(x, k), of so many steps, where left and right are
// inputs under other names; their rows are aligned.   out(x, y) = prod(x, y), of 512 x 512.
Dag matmul_of_copies(int64_t depth, int64_t beside = 0);
// Beside it mid(x, y), and blurred(x, y), which reads it 3 x 1.
Dag matmul_of_copies_beside_a_stencil(int64_t depth);
// hist(i) = 0; hist(in(r.x, r.y)) += 1; out(x, y) = hist(in(x, y))
Dag histogram(int64_t width, int64_t height);
// Of 16 values each counts in the bin that it says, of cell x; out reads each bin of two cells:
//     bins(x, in(r, x)) += 1   out(x, z) = bins(x, z) + bins(x + 1, z)
// How many bins there are a parameter decides.
Dag scattered_bins(Interval at_estimates, std::optional<Interval> widest);
// A histogram of every row, then their sum, both by updates that take atomics:
//     rows(in(c, y), y) += 1   hist(i) += rows(i, r)   out(x, y) = hist(in(x, y))
Dag row_histograms(int64_t width, int64_t height, Atomics atomics = Atomics::exact);
// rows(y) += in(c, y) by an update that takes atomics, and out(y) = rows(y).
Dag row_sums(int64_t width, int64_t height);
// down(x, y) = 2x2 of in; out(x, y) = down(x / 2, y / 2) + in(x, y)
Dag down_and_up(int64_t width, int64_t height);
// base -> left (3 wide), right (3 high) -> out
Dag diamond(int64_t width, int64_t height);
// scan(x, y) = in; scan(r, y) += a * scan(r - 1, y) for r in 1..width-1; out = scan
Dag iir(int64_t width, int64_t height);
// sum() += in(r): no dimension
Dag zero_dim(int64_t width);
// a is an output that b, another output, reads
Dag two_outputs(int64_t width, int64_t height);
// edge(x, y) = in(clamp(x), clamp(y)); out = 3x3 of blur, which is 3x3 of edge
Dag clamped_stencil(int64_t width, int64_t height);
// out(x, y) = table(in(x, y))
Dag gather(int64_t width, int64_t height);
// total(x, y) += in(x + r, y) for r in -1..1; out = three points of total
Dag reduced_stencil(int64_t width, int64_t height);
// Patches of shifted views: diff(x, y, i) reads left(x, y) and right(x + i, y), patch(x, y, i)
// three points of diff in a row, total(x, y) += patch(x, y, s) for s in -2..2; out = total
Dag shifted_patches(int64_t width, int64_t height);
// The same with shifts in two directions: diff(x, y, i, j) reads left(x, y) and right(x + i, y +
// j), total(x, y) += patch(x, y, s, t) for s in -2..2 and, outermost, t in -1..1
Dag patches_of_all_shifts(int64_t width, int64_t height);
// The pipeline of figures 3 and 4 of Sioutas et al. 2020: a point of W needs one of H and three of
// K, whose channels are its third dimension, and Z five rows of W.
Dag kwz(int64_t width, int64_t height);
// copy, but `mid` between in and out must stay on the host
Dag host_in_the_middle(int64_t width, int64_t height);

struct NamedDag {
    std::string name;
    Dag dag;
};
// All of the above at moderate sizes, in a fixed order.
std::vector<NamedDag> all();

// dx(x, y) and dy(x, y) read three neighbours of in(x, y) each; out(x, y) reads five of dx along x
// and of dy along y.
Dag siblings(int64_t width, int64_t height);
// dx and dy alone, as outputs.
Dag derivatives(int64_t width, int64_t height);
// Siblings, but that out reads dy at (x / 2, y / 2), which has a quarter of the points.
Dag siblings_of_two_sizes(int64_t width, int64_t height);
// Siblings, but that dy has three channels, all of which out reads.
Dag siblings_of_channels(int64_t width, int64_t height);

// near(x, y) = in at clamped coordinates; dx reads neighbours of near, dy of in at such; out as
// above.
Dag clamped_siblings(int64_t width, int64_t height);

// mid(x, y) = in(y, x), and more than a copy; out(x, y) = mid(y, x). As mid is declared,
// neighbouring threads read the one or the other across rows.
Dag there_and_back(int64_t width, int64_t height);

// Two filters of five rows, and an output of so many points that reads five rows of the second,
// from `along` times its own on.
Dag filters_along_columns(int64_t width, int64_t height, int64_t along = 1);

// Steps of a cross of seven points in a cube, of so many points each way, of a clamped input.
Dag crosses_in_a_cube(int steps, int64_t size);

}  // namespace autoschedule_gpu::example
