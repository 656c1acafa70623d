// Whose rows begin and end where those of an output do. A schedule can ask of an output's buffer
// how long its rows are, and so learns it of what is computed for the output as well.
#include <algorithm>

#include "core/dag/dag.h"

namespace autoschedule_gpu {

namespace {

bool is_register(const AffineBound &bound, size_t reg) {
    return bound.add == 0 && bound.terms.size() == 1 && bound.terms[0].reg == reg &&
           bound.terms[0].coefficient == 1;
}

// Whether the first dimension that a program returns is that input, as it is.
bool returns_input(const Dag &dag, RegionProgramId program, size_t input) {
    const RegionDimension &row = dag.regions.dimension(program, 0);
    return row.lo_affine && row.hi_affine && is_register(row.lo_form, 2 * input) &&
           is_register(row.hi_form, 2 * input + 1);
}

bool reads_own_row(const Dag &dag, const Edge &edge) {
    const std::vector<Loop> &loops = dag.stage(edge.consumer).loops;
    const auto row = std::ranges::find(loops, 0, &Loop::dim);
    return row != loops.end() && !edge.fallback &&
           returns_input(dag, edge.region, static_cast<size_t>(row - loops.begin()));
}

FuncId output_of_readers(const Dag &dag, FuncId id) {
    FuncId output;
    for (const EdgeId reader : dag.consumers[id.index()]) {
        const Edge &edge = dag.edge(reader);
        const FuncId other = dag.func_of(edge.consumer).rows_of;
        if (!other.valid() || !reads_own_row(dag, edge)) return {};
        if (output.valid() && output != other) return {};
        output = other;
    }
    return output;
}

}  // namespace

void find_rows_of_outputs(Dag &dag) {
    for (size_t f = dag.funcs.size(); f-- > 0;) {  // consumers come before their producers
        Func &func = dag.funcs[f];
        func.rows_of = {};
        if (func.is_input() || func.dims.empty()) continue;
        if (func.is_output()) {
            func.rows_of = FuncId(f);
        } else if (!func.dims[0].promised && returns_input(dag, func.computed, 0)) {
            func.rows_of = output_of_readers(dag, FuncId(f));
        }
    }
}

}  // namespace autoschedule_gpu
