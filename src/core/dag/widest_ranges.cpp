// How much is ever computed of each dimension: from the outputs, whose sizes are known if they are
// fixed, to what they read. What depends on the size of an image is not known; what depends on a
// parameter is, where the parameter has a range (RegionCode::widest).
#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

namespace {

using Ranges = std::vector<std::optional<Interval>>;

bool is_coordinate(const Interval &range) {
    using Coordinate = std::numeric_limits<int32_t>;
    return range.min >= Coordinate::min() && range.max <= Coordinate::max();
}

// What a program makes of ranges, whatever the values of parameters.
Ranges evaluate(const RegionCode &regions, RegionProgramId program, const Ranges &in) {
    const RegionProgramId widest = regions.widest(program);
    std::vector<Interval> ends, box(regions.outputs(widest));
    for (const std::optional<Interval> &range : in) ends.push_back(range.value_or(Interval()));
    regions.evaluate(widest, ends, box);
    Ranges out(box.size());
    for (size_t d = 0; d < box.size(); ++d) {
        const RegionDimension &dim = regions.dimension(widest, d);
        const bool known = dim.inputs_only && std::ranges::all_of(dim.reads, [&](uint16_t input) {
                               return in[input].has_value();
                           });
        if (known && is_coordinate(box[d])) out[d] = box[d];
    }
    return out;
}

Ranges loop_ranges(const Dag &dag, const Stage &stage) {
    Ranges ranges;
    for (const Loop &loop : stage.loops) {
        if (loop.dim >= 0) {
            ranges.push_back(dag.func(stage.func).dims[static_cast<size_t>(loop.dim)].widest);
        } else {
            ranges.push_back(loop.constant ? std::optional(loop.range) : std::nullopt);
        }
    }
    return ranges;
}

// Of what is not asked for by anyone nothing is known.
Ranges required(const Dag &dag, FuncId id) {
    const Func &func = dag.func(id);
    Ranges ranges(func.dims.size());
    std::vector<bool> unknown(func.dims.size(), dag.consumers[id.index()].empty());
    const auto include = [&](size_t d, const std::optional<Interval> &range) {
        unknown[d] = unknown[d] || !range;
        if (!range) return;
        if (!ranges[d]) ranges[d] = Interval();
        ranges[d]->include(*range);
    };
    for (const EdgeId edge_id : dag.consumers[id.index()]) {
        const Edge &edge = dag.edge(edge_id);
        const Ranges read =
            evaluate(dag.regions, edge.region, loop_ranges(dag, dag.stage(edge.consumer)));
        for (size_t d = 0; d < ranges.size(); ++d) {
            include(d, edge.fallback ? std::nullopt : read[d]);
        }
    }
    for (size_t d = 0; d < ranges.size(); ++d) {
        if (unknown[d]) ranges[d] = std::nullopt;
    }
    return ranges;
}

}  // namespace

void find_widest_ranges(Dag &dag) {
    for (size_t f = dag.funcs.size(); f-- > 0;) {  // consumers come before their producers
        Func &func = dag.funcs[f];
        if (func.is_input()) continue;
        const Ranges computed = evaluate(dag.regions, func.computed, required(dag, FuncId(f)));
        for (size_t d = 0; d < func.dims.size(); ++d) {
            Dimension &dim = func.dims[d];
            dim.widest = dim.constant ? std::optional(dim.estimate) : computed[d];
            // Users may round up what they schedule; callers ask for as much of an output as they
            // like; and a promise is forgotten where a Func is inlined.
            const bool any = func.ours != Func::Ours::all || func.is_output() || dim.promised;
            if (any && !dim.constant) dim.widest = std::nullopt;
        }
    }
}

}  // namespace autoschedule_gpu
