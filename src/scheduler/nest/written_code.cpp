#include "scheduler/nest/written_code.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {

namespace {

constexpr double kSecondsPerThousandNodes = 0.6, kGrowth = 1.6;

// The nodes of one evaluation of a stage, with those of the copies that it reads.
class Nodes {
public:
    Nodes(const Dag &dag, const Kernel &kernel, const std::vector<bool> &copies)
        : dag_(dag), kernel_(kernel), copies_(copies) {}

    double of(StageId id) const {
        const Stage &stage = dag_.stage(id);
        // An inlined wrapper changes nothing, and there are more of them as a search goes on.
        double nodes = dag_.func(stage.func).wraps.valid() ? 0 : stage.nodes;
        for (const Load &load : stage.loads) {
            if (!is_to_come(load.producer) || load.producer == stage.func) continue;
            nodes += load.count * of(dag_.func(load.producer).stages[0]);
        }
        return nodes;
    }

private:
    bool is_to_come(FuncId func) const {
        return copies_[func.index()] && !is_inlined(kernel_, func) &&
               !is_computed_in(dag_, kernel_, func);
    }

    const Dag &dag_;
    const Kernel &kernel_;
    const std::vector<bool> &copies_;
};

// By FuncId: what the stage reads at quotients of its coordinates, directly or through what is
// inlined. Compilers do not find that two points need the same of it: (x + 1) / 2 and x / 2 are two
// expressions.
std::vector<bool> read_at_quotients(const Dag &dag, StageId id,
                                    const std::vector<FuncId> &consumers_first) {
    std::vector<bool> divided(dag.funcs.size());
    const auto follow = [&](const Stage &stage, bool is_divided) {
        for (const Load &load : stage.loads) {
            const size_t read = load.producer.index();
            divided[read] = divided[read] || is_divided || load.access.divides();
        }
    };
    follow(dag.stage(id), false);
    for (const FuncId func : consumers_first) {
        follow(dag.stage(dag.func(func).stages[0]), divided[func.index()]);
    }
    return divided;
}

}  // namespace

void InlinedCalls::count(StageId stage) {
    std::ranges::fill(calls_, 0.0);
    add_reads(stage, 1);
    for (size_t i = inlined_.size(); i-- > 0;) {
        if (calls_[i] > 0) add_reads(dag_.func(inlined_[i]).stages[0], calls_[i]);
    }
}

void InlinedCalls::add_reads(StageId via, double evaluations) {
    for (const Load &load : dag_.stage(via).loads) {
        const auto at = std::ranges::lower_bound(inlined_, load.producer);
        if (at == inlined_.end() || *at != load.producer) continue;
        if (load.producer == dag_.stage(via).func) continue;
        calls_[static_cast<size_t>(at - inlined_.begin())] += evaluations * load.count;
    }
}

std::vector<double> calls_in_tile(const Dag &dag, const Kernel &kernel, const Band &inner,
                                  const InlinedCalls &calls) {
    const Stage &stage = dag.stage(inner.stage);
    const UnrolledLoops unrolled(dag, inner);
    std::vector<Interval> ranges;  // of a tile in the middle
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Interval &all = estimated_range(dag, stage, stage.loops[i]);
        const int64_t written = stage.loops[i].parallel ? unrolled[i] : 1;
        ranges.push_back(Interval::from_extent(all.min + all.extent() / 2, written));
    }
    const double points = unrolled_points(dag, inner).tile;
    const std::vector<FuncId> consumers_first(kernel.inlined.rbegin(), kernel.inlined.rend());
    RegionSet regions(dag);
    propagate(dag, inner.stage, ranges, consumers_first, regions);
    const std::vector<bool> divided = read_at_quotients(dag, inner.stage, consumers_first);
    std::vector<double> result;
    for (size_t i = 0; i < kernel.inlined.size(); ++i) {
        const FuncId func = kernel.inlined[i];
        const double distinct = regions.touched(func) ? regions.points(func) : 0;
        const double each = points * calls[i];
        result.push_back(divided[func.index()] ? each : std::min(each, distinct));
    }
    return result;
}

UnrolledPoints unrolled_points(const Dag &dag, const Band &inner) {
    const UnrolledLoops unrolled(dag, inner);
    UnrolledPoints points;
    for (size_t i = 0; i < inner.trips.size(); ++i) {
        const bool tile = dag.stage(inner.stage).loops[i].parallel;
        (tile ? points.tile : points.reduction) *= static_cast<double>(unrolled[i]);
    }
    return points;
}

double lowering_seconds(const Dag &dag, const Kernel &kernel, const std::vector<bool> &copies) {
    if (kernel.on_host) return 0;
    const Nodes nodes(dag, kernel, copies);
    InlinedCalls calls(dag, kernel);
    double seconds = 0;
    for (const BandPtr &threads : kernel.blocks->body) {
        for (const BandPtr &inner : threads->body) {
            calls.count(inner->stage);
            double at_a_point = nodes.of(inner->stage);
            for (size_t i = 0; i < kernel.inlined.size(); ++i) {
                if (calls[i] == 0) continue;
                at_a_point += calls[i] * nodes.of(dag.func(kernel.inlined[i]).stages[0]);
            }
            const UnrolledPoints points = unrolled_points(dag, *inner);
            // A second schedule, for where tiles are not full, has one point.
            const double written = (1 + std::sqrt(points.tile * points.reduction)) / 2;
            seconds += kSecondsPerThousandNodes * std::pow(at_a_point / 1000, kGrowth) * written;
        }
    }
    return seconds;
}

double lowering_seconds(const Dag &dag, const Kernel &kernel) {
    const std::vector<bool> no_copies_to_come(dag.funcs.size());
    return lowering_seconds(dag, kernel, no_copies_to_come);
}

double lowering_seconds(const Dag &dag, const Nest &nest) {
    double seconds = 0;
    for (const KernelPtr &kernel : nest.kernels) seconds += lowering_seconds(dag, *kernel);
    return seconds;
}

}  // namespace autoschedule_gpu
