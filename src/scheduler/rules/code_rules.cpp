// How much code is written out.
#include <algorithm>

#include "scheduler/nest/written_code.h"
#include "scheduler/rules/families.h"

namespace autoschedule_gpu {

namespace {

// Evaluations of inlined Funcs per point of a stage: their expressions are all written out.
constexpr double kMaxInlinedCalls = 64;
// The same per thread, in all points of its tile; what several points need, once.
constexpr double kMaxUnrolledCalls = 256;

// Calls of inlined Funcs: of all, and of those that were decided to be. Copies cost nothing.
struct Calls {
    double all = 0, chosen = 0;
};

// `calls`: by position in the kernel's list.
template <typename ByPosition>
Calls sum_of(const KernelCandidate &c, const ByPosition &calls) {
    Calls result;
    for (size_t i = 0; i < c.kernel.inlined.size(); ++i) {
        const FuncId func = c.kernel.inlined[i];
        if (c.copies[func.index()] || c.dag.func(func).wraps.valid()) continue;
        result.all += calls[i];
        if (!c.always_inlined[func.index()]) result.chosen += calls[i];
    }
    return result;
}

Verdict too_much_in_tile(const KernelCandidate &c, const Band &inner, const InlinedCalls &calls,
                         double at_a_point) {
    const double points = unrolled_points(c.dag, inner).tile;
    // What is always inlined is no reason against a tile of one point.
    if (points == 1 || points * at_a_point <= kMaxUnrolledCalls) return std::nullopt;
    const double found = sum_of(c, calls_in_tile(c.dag, c.kernel, inner, calls)).all;
    if (found <= kMaxUnrolledCalls) return std::nullopt;
    return Finding{found, kMaxUnrolledCalls, "calls of inlined Funcs per tile"};
}

// Calls are all written out, once for every point of an unrolled tile.
Verdict too_much_code(const KernelCandidate &c) {
    if (c.kernel.inlined.empty()) return std::nullopt;
    InlinedCalls inlined(c.dag, c.kernel);
    for (const BandPtr &threads : c.kernel.blocks->body) {
        for (const BandPtr &inner : threads->body) {
            inlined.count(inner->stage);
            const Calls calls = sum_of(c, inlined);
            if (calls.chosen > kMaxInlinedCalls) {
                return Finding{calls.chosen, kMaxInlinedCalls, "calls of inlined Funcs per point"};
            }
            const Verdict verdict = too_much_in_tile(c, *inner, inlined, calls.all);
            if (verdict) return verdict;
        }
    }
    return std::nullopt;
}

// Seconds that Halide may take to lower the kernels of a pipeline, all of them together. A kernel
// has a share of it by the stages that it computes, but may always take kLeast, and never more than
// kMost.
constexpr double kSecondsForAll = 25, kLeastSeconds = 0.15, kMostSeconds = 2.5;

// Whether something could have been left out of the kernel, or its tile be smaller.
bool is_chosen(const KernelCandidate &c) {
    return !is_alone(c.kernel) || std::ranges::any_of(c.kernel.inlined, [&](FuncId func) {
        return !c.copies[func.index()] && !c.always_inlined[func.index()];
    });
}

// Without wrappers: more are made as a search goes on, and what it has found legal is to stay so.
double stages_of_pipeline(const Dag &dag) {
    return static_cast<double>(std::ranges::count_if(
        dag.stages, [&](const Stage &stage) { return !dag.func(stage.func).wraps.valid(); }));
}

Verdict too_long_to_lower(const KernelCandidate &c) {
    if (c.kernel.inlined.empty() || !is_chosen(c)) return std::nullopt;
    const double most = most_lowering_seconds(c.dag, c.kernel, c.copies);
    if (most <= kLeastSeconds) return std::nullopt;
    // As in `most`, so that what is found legal stays so when the copies come.
    const auto stages = static_cast<double>(stages_at_last(c.dag, c.kernel, c.copies));
    const double share = stages / stages_of_pipeline(c.dag);
    const double limit = std::clamp(kSecondsForAll * share, kLeastSeconds, kMostSeconds);
    if (most <= limit) return std::nullopt;
    const double seconds = lowering_seconds(c.dag, c.kernel, c.copies);
    if (seconds <= limit) return std::nullopt;
    return Finding{seconds, limit, "seconds that Halide takes to lower the kernel"};
}

}  // namespace

std::vector<AnyRule> code_rules() {
    return {
        KernelRule{
            {"code_size", "inlining that makes the code of a point, or of a tile, too large"},
            KernelCandidate::Asked::complete,
            too_much_code},
        KernelRule{{"lowering_time", "inlining that Halide takes too long to lower"},
                   KernelCandidate::Asked::complete,
                   too_long_to_lower},
    };
}

}  // namespace autoschedule_gpu
