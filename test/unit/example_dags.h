// Small pipelines as Dags, written by hand: what the tests of the Halide-free modules run on. All
// pass dag::check().
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dag/dag.h"

namespace autoschedule_gpu::example {

// One coordinate of an access, as a function of the consumer's loops (numbered as in its stage).
struct Index {
    enum class Form : uint8_t { affine, half, clamped, prefix, anywhere };
    Form form = Form::affine;
    // affine: sum of coefficient * loop + [lo, hi]; half: floor(loop / 2) + [lo, hi];
    // clamped: min(max(loop + [lo, hi], least), most); prefix: everything from lo to loop + hi;
    // anywhere: unknown, within [lo, hi].
    std::vector<std::pair<int, int>> terms;  // loop, coefficient
    int64_t lo = 0, hi = 0;
    int64_t least = 0, most = 0;
};

Index at(int loop, int64_t lo = 0, int64_t hi = 0);               // x + lo ... x + hi
Index times(int loop, int factor, int64_t lo = 0, int64_t hi = 0);  // 2 * x + lo ...
Index sum(int loop, int other, int64_t lo = 0, int64_t hi = 0);   // x + r + lo ...
Index half(int loop, int64_t lo = 0, int64_t hi = 0);             // x / 2 + lo ...
Index clamped(int loop, int64_t lo, int64_t hi, int64_t least, int64_t most);
Index prefix(int64_t first, int loop);                            // first ... x
Index anywhere(int64_t least, int64_t most);                      // read from memory
Index fixed(int64_t value);

struct Extent {
    const char *name;
    int64_t min, max;
};

// Collects Funcs in order, producers first. Only outputs have sizes; `build` finds all others,
// and the edges, from what is read. Later reads of a producer by the same stage widen its edge
// only if they are given to one call of `reads`.
class DagBuilder {
public:
    FuncId input(const std::string &name, const std::vector<std::string> &dims,
                 ScalarType type = {});
    FuncId func(const std::string &name, const std::vector<std::string> &dims,
                ScalarType type = {});
    FuncId output(const std::string &name, const std::vector<Extent> &dims, ScalarType type = {});

    // The pure definition is stage 0 of each Func from the start; this adds an update, with its
    // loops innermost first. Reduction loops have a range, pure ones a dimension.
    StageId update(FuncId func, std::vector<Loop> loops, std::vector<Index> store);
    static Loop over(int dim, const std::string &name);
    static Loop reduction(const std::string &name, int64_t min, int64_t max, bool parallel = false,
                          bool constant = true);

    StageId pure(FuncId func) const { return dag_.func(func).stages[0]; }
    DagBuilder &reads(StageId stage, FuncId producer, std::vector<Index> index, int count = 1);
    DagBuilder &reads(FuncId func, FuncId producer, std::vector<Index> index, int count = 1) {
        return reads(pure(func), producer, std::move(index), count);
    }
    DagBuilder &ops(StageId stage, OpKind kind, double count, OpType type = OpType::single);
    DagBuilder &ops(FuncId func, OpKind kind, double count, OpType type = OpType::single) {
        return ops(pure(func), kind, count, type);
    }
    // Whatever is required, the whole of `range` is computed of this dimension (scans).
    DagBuilder &computes_all(FuncId func, size_t dim, Interval range);
    // Storage order of a buffer, innermost first: {2, 0, 1} for interleaved pixels.
    DagBuilder &storage(FuncId func, std::vector<int> order);
    DagBuilder &on_host(FuncId func, const std::string &reason);
    DagBuilder &must_inline(FuncId func);

    // Throws std::logic_error if check() finds something.
    Dag build();

private:
    struct Whole {
        FuncId func;
        size_t dim;
        Interval range;
    };

    FuncId add(Func func);
    RegionDimension region(const Index &index, size_t loops,
                           std::vector<RegionInstruction> &code) const;
    AccessMatrix matrix(const std::vector<Index> &index, size_t loops) const;
    void compute_programs();
    void compute_estimates();
    void compute_strides();

    Dag dag_;
    std::vector<Whole> whole_;
    std::vector<std::vector<int>> storage_;  // by FuncId; empty: in order
};

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
// hist(i) = 0; hist(in(r.x, r.y)) += 1; out(x, y) = hist(in(x, y))
Dag histogram(int64_t width, int64_t height);
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
// copy, but `mid` between in and out must stay on the host
Dag host_in_the_middle(int64_t width, int64_t height);

struct NamedDag {
    std::string name;
    Dag dag;
};
// All of the above at moderate sizes, in a fixed order.
std::vector<NamedDag> all();

}  // namespace autoschedule_gpu::example
