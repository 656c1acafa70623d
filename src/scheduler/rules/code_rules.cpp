// How much code is written out.
#include <algorithm>

#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

namespace {

// Evaluations of inlined Funcs per point of a stage: their expressions are all written out.
constexpr double kMaxInlinedCalls = 64;
// The same per thread, in all points of its tile.
constexpr double kMaxUnrolledCalls = 128;

// Points of an innermost band that are written out one after the other, reductions apart.
double unrolled_points(const Dag &dag, const Band &inner) {
    const UnrolledLoops unrolled(dag, inner);
    double points = 1;
    for (size_t i = 0; i < inner.trips.size(); ++i) {
        if (unrolled[i] && dag.stage(inner.stage).loops[i].parallel) {
            points *= static_cast<double>(inner.trips[i]);
        }
    }
    return points;
}

// Calls of inlined Funcs at a point of a stage: of all, and of those that were decided to be.
// Copies cost nothing.
struct Calls {
    double all = 0, chosen = 0;
};

// `calls`: room for one number per inlined Func of the kernel.
Calls calls_at_a_point(const KernelCandidate &c, StageId stage, std::vector<double> &calls) {
    const std::vector<FuncId> &inlined = c.kernel.inlined;
    std::fill(calls.begin(), calls.end(), 0.0);
    const auto add = [&](StageId via, double evaluations) {
        for (const Load &load : c.dag.stage(via).loads) {
            const auto at = std::lower_bound(inlined.begin(), inlined.end(), load.producer);
            if (at == inlined.end() || *at != load.producer) continue;
            if (load.producer == c.dag.stage(via).func) continue;
            calls[static_cast<size_t>(at - inlined.begin())] += evaluations * load.count;
        }
    };
    add(stage, 1);
    Calls result;
    for (size_t i = inlined.size(); i-- > 0;) {
        const FuncId func = inlined[i];
        const double here = calls[i];
        if (here == 0) continue;
        add(c.dag.func(func).stages[0], here);
        if (c.copies[func.index()] || c.dag.func(func).wraps.valid()) continue;
        result.all += here;
        if (!c.always_inlined[func.index()]) result.chosen += here;
    }
    return result;
}

// Calls are all written out, once for every point of an unrolled tile. What is always inlined is no
// reason against a tile of one point.
Verdict too_much_code(const KernelCandidate &c) {
    if (c.kernel.inlined.empty()) return std::nullopt;
    std::vector<double> room(c.kernel.inlined.size());
    for (const BandPtr &threads : c.kernel.blocks->body) {
        for (const BandPtr &inner : threads->body) {
            const Calls calls = calls_at_a_point(c, inner->stage, room);
            if (calls.chosen > kMaxInlinedCalls) {
                return Finding{calls.chosen, kMaxInlinedCalls, "calls of inlined Funcs per point"};
            }
            const double points = unrolled_points(c.dag, *inner);
            if (points > 1 && points * calls.all > kMaxUnrolledCalls) {
                return Finding{points * calls.all, kMaxUnrolledCalls,
                               "calls of inlined Funcs per tile"};
            }
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<AnyRule> code_rules() {
    return {
        KernelRule{
            {"code_size", "inlining that makes the code of a point, or of a tile, too large"},
            KernelCandidate::Asked::complete,
            too_much_code},
    };
}

}  // namespace autoschedule_gpu
