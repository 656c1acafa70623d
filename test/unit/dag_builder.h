// Builds a Dag by hand, for tests.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/dag/dag.h"

namespace autoschedule_gpu::example {

// One coordinate of an access, as a function of the consumer's loops (numbered as in its stage).
struct Index {
    enum class Form : uint8_t { affine, half, clamped, limited, promised, prefix, anywhere };
    Form form = Form::affine;
    // affine: sum of coefficient * loop + [lo, hi]; half: floor(loop / 2) + [lo, hi];
    // clamped: min(max(loop + [lo, hi], least), most), the ends of an input; limited: the same, but
    // these are two numbers whatever the input's size; promised: what of the loop is within least
    // and most, which are no constants; prefix: everything from lo to loop + hi;
    // anywhere: unknown, within [lo, hi].
    std::vector<std::pair<int, int>> terms;  // loop, coefficient
    int64_t lo = 0, hi = 0;
    int64_t least = 0, most = 0;
};

Index at(int loop, int64_t lo = 0, int64_t hi = 0);                 // x + lo ... x + hi
Index times(int loop, int factor, int64_t lo = 0, int64_t hi = 0);  // 2 * x + lo ...
Index sum(int loop, int other, int64_t lo = 0, int64_t hi = 0);     // x + r + lo ...
Index half(int loop, int64_t lo = 0, int64_t hi = 0);               // x / 2 + lo ...
Index clamped(int loop, int64_t lo, int64_t hi, int64_t least, int64_t most);
Index limited(int loop, int64_t lo, int64_t hi, int64_t least, int64_t most);
Index promised(int loop, int64_t least, int64_t most);
Index prefix(int64_t first, int loop);        // first ... x
Index anywhere(int64_t least, int64_t most);  // read from memory
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
    // What the last load of the stage reads is where the stage then stores.
    DagBuilder &in_place(StageId stage);
    DagBuilder &ops(StageId stage, OpKind kind, double count, OpType type = OpType::single);
    DagBuilder &ops(FuncId func, OpKind kind, double count, OpType type = OpType::single) {
        return ops(pure(func), kind, count, type);
    }
    DagBuilder &nodes(FuncId func, int count);
    // Whatever is required, the whole of `range` is computed of this dimension (scans).
    DagBuilder &computes_all(FuncId func, size_t dim, Interval range);
    // Likewise, but parameters decide how much: `range` at the estimates and, if their ranges are
    // declared, nothing beyond `widest` ever.
    DagBuilder &computes_by_parameters(FuncId func, size_t dim, Interval range,
                                       std::optional<Interval> widest);
    // Storage order of a buffer, innermost first: {2, 0, 1} for interleaved pixels.
    DagBuilder &storage(FuncId func, std::vector<int> order);
    DagBuilder &on_host(FuncId func, const std::string &reason);
    DagBuilder &must_inline(FuncId func);
    DagBuilder &atomics(StageId stage, Atomics atomics = Atomics::exact);
    DagBuilder &partials(StageId stage, Partials partials = Partials::any_order);

    // Throws std::logic_error if check() finds something.
    Dag build();

private:
    struct Whole {
        FuncId func;
        size_t dim;
        Interval range;
        bool by_parameters = false;
        std::optional<Interval> widest = std::nullopt;
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

}  // namespace autoschedule_gpu::example
