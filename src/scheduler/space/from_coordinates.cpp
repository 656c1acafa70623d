#include "scheduler/space/from_coordinates.h"

#include <numeric>
#include <optional>
#include <set>

namespace autoschedule_gpu {
namespace {

// A condition that a point lies within an image of two dimensions takes 15.
constexpr double kMostOperations = 16;

// What is evaluated for a point, each Func once: compilers find what several share.
using Evaluated = std::set<FuncId>;

// Of kinds that take about as long as a load from where the result would be kept.
bool are_fast(const OpHistogram &ops) {
    using enum OpKind;
    for (const OpKind slow : {div, sqrt, transcendental}) {
        for (size_t type = 0; type < kOpTypeCount; ++type) {
            if (ops.at(slow, static_cast<OpType>(type)) > 0) return false;
        }
    }
    return true;
}

// Of one that depends on no coordinate, compilers know the value.
double operations(const Dag &dag, FuncId func) {
    const Stage &stage = dag.stage(dag.func(func).stages[0]);
    return stage.loops.empty() ? 0 : stage.ops.total();
}

// Nothing: it reads memory, or takes too many operations.
std::optional<Evaluated> evaluated(const Dag &dag, FuncId id,
                                   const std::vector<std::optional<Evaluated>> &before) {
    const Func &func = dag.func(id);
    if (func.is_input() || func.stages.size() != 1) return std::nullopt;
    const Stage &stage = dag.stage(func.stages[0]);
    if (!are_fast(stage.ops)) return std::nullopt;
    Evaluated result{id};
    for (const Load &load : stage.loads) {
        const std::optional<Evaluated> &read = before[load.producer.index()];
        if (!read) return std::nullopt;
        result.insert(read->begin(), read->end());
    }
    const double all =
        std::accumulate(result.begin(), result.end(), 0.0,
                        [&](double sum, FuncId each) { return sum + operations(dag, each); });
    return all <= kMostOperations ? std::optional(std::move(result)) : std::nullopt;
}

}  // namespace

std::vector<bool> cheap_from_coordinates(const Dag &dag) {
    std::vector<std::optional<Evaluated>> of(dag.funcs.size());
    std::vector<bool> result(dag.funcs.size());
    for (size_t i = 0; i < of.size(); ++i) {
        of[i] = evaluated(dag, FuncId(i), of);
        result[i] = of[i].has_value();
    }
    return result;
}

}  // namespace autoschedule_gpu
