#include "scheduler/nest/written_code.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "scheduler/nest/regions.h"

namespace autoschedule_gpu {

namespace {

constexpr double kSecondsPerThousandNodes = 0.6, kGrowth = 1.6;

// What is inlined in the kernel and the copies that will be; ascending.
class InlinedAtLast {
public:
    InlinedAtLast(const Dag &dag, const Kernel &kernel, const std::vector<bool> &copies)
        : dag_(dag), kernel_(kernel), copies_(copies), funcs_(kernel.inlined) {
        if (kernel.on_host) return;
        for (const BandPtr &threads : kernel.blocks->body) {
            for (const BandPtr &inner : threads->body) add_copies_read_by(inner->stage);
        }
        for (const FuncId func : kernel.inlined) add_copies_read_by(dag.func(func).stages[0]);
        std::ranges::sort(funcs_);
    }

    const std::vector<FuncId> &funcs() const { return funcs_; }

private:
    void add_copies_read_by(StageId reader) {
        for (const Load &load : dag_.stage(reader).loads) {
            if (!is_to_come(load.producer)) continue;
            funcs_.push_back(load.producer);
            add_copies_read_by(dag_.func(load.producer).stages[0]);
        }
    }

    bool is_to_come(FuncId func) const {
        return copies_[func.index()] && !is_computed_in(dag_, kernel_, func) &&
               std::ranges::find(funcs_, func) == funcs_.end();
    }

    const Dag &dag_;
    const Kernel &kernel_;
    const std::vector<bool> &copies_;
    std::vector<FuncId> funcs_;
};

// An inlined wrapper changes nothing, and there are more of them as a search goes on.
double nodes_of(const Dag &dag, StageId id) {
    const Stage &stage = dag.stage(id);
    return dag.func(stage.func).wraps.valid() ? 0 : stage.nodes;
}

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

// How often each of what is inlined is evaluated for a tile of so many points along each loop, in
// the middle of what the stage computes: what several points need, once.
std::vector<double> distinct_calls(const Dag &dag, const std::vector<FuncId> &inlined, StageId id,
                                   const std::vector<int64_t> &tile, const InlinedCalls &calls) {
    const Stage &stage = dag.stage(id);
    std::vector<Interval> ranges;
    double points = 1;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Interval &all = estimated_range(dag, stage, stage.loops[i]);
        ranges.push_back(Interval::from_extent(all.min + all.extent() / 2, tile[i]));
        points *= static_cast<double>(tile[i]);
    }
    const std::vector<FuncId> consumers_first(inlined.rbegin(), inlined.rend());
    RegionSet regions(dag);
    propagate(dag, id, ranges, consumers_first, regions);
    const std::vector<bool> divided = read_at_quotients(dag, id, consumers_first);
    std::vector<double> result;
    for (size_t i = 0; i < inlined.size(); ++i) {
        const FuncId func = inlined[i];
        const double distinct = regions.touched(func) ? regions.points(func) : 0;
        const double each = points * calls[i];
        result.push_back(divided[func.index()] ? each : std::min(each, distinct));
    }
    return result;
}

std::vector<int64_t> one_point(const Stage &stage) {
    return std::vector<int64_t>(stage.loops.size(), 1);
}

// calls_of(stage, calls): how often each of `inlined` is evaluated at a point of the stage.
template <typename CallsOf>
double lowering_seconds(const Dag &dag, const Kernel &kernel, const std::vector<FuncId> &inlined,
                        const CallsOf &calls_of) {
    if (kernel.on_host) return 0;
    InlinedCalls calls(dag, inlined);
    double seconds = 0;
    for (const BandPtr &threads : kernel.blocks->body) {
        for (const BandPtr &inner : threads->body) {
            calls.count(inner->stage);
            double at_a_point = nodes_of(dag, inner->stage);
            const auto &at_it = calls_of(inner->stage, calls);
            for (size_t i = 0; i < inlined.size(); ++i) {
                at_a_point += at_it[i] * nodes_of(dag, dag.func(inlined[i]).stages[0]);
            }
            const UnrolledPoints points = unrolled_points(dag, *inner);
            // A second schedule, for where tiles are not full, has one point.
            const double written = (1 + std::sqrt(points.tile * points.reduction)) / 2;
            seconds += kSecondsPerThousandNodes * std::pow(at_a_point / 1000, kGrowth) * written;
        }
    }
    return seconds;
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
        const bool is_own = load.producer == dag_.stage(via).func;
        if (!is_own) add(load.producer, evaluations * load.evaluations());
    }
}

void InlinedCalls::add(FuncId func, double evaluations) {
    const auto at = std::ranges::lower_bound(inlined_, func);
    if (at == inlined_.end() || *at != func) return;
    calls_[static_cast<size_t>(at - inlined_.begin())] += evaluations;
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

std::vector<double> calls_in_tile(const Dag &dag, const Kernel &kernel, const Band &inner,
                                  const InlinedCalls &calls) {
    const Stage &stage = dag.stage(inner.stage);
    const UnrolledLoops unrolled(dag, inner);
    std::vector<int64_t> tile;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        tile.push_back(stage.loops[i].parallel ? unrolled[i] : 1);
    }
    return distinct_calls(dag, kernel.inlined, inner.stage, tile, calls);
}

double lowering_seconds(const Dag &dag, const Kernel &kernel, const std::vector<bool> &copies) {
    const InlinedAtLast inlined(dag, kernel, copies);
    return lowering_seconds(
        dag, kernel, inlined.funcs(), [&](StageId stage, const InlinedCalls &calls) {
            return distinct_calls(dag, inlined.funcs(), stage, one_point(dag.stage(stage)), calls);
        });
}

double most_lowering_seconds(const Dag &dag, const Kernel &kernel,
                             const std::vector<bool> &copies) {
    const InlinedAtLast inlined(dag, kernel, copies);
    return lowering_seconds(dag, kernel, inlined.funcs(),
                            [](StageId, const InlinedCalls &calls) -> const std::vector<double> & {
                                return calls.all();
                            });
}

double lowering_seconds(const Dag &dag, const Kernel &kernel) {
    const std::vector<bool> no_copies_to_come(dag.funcs.size());
    return lowering_seconds(dag, kernel, no_copies_to_come);
}

size_t stages_at_last(const Dag &dag, const Kernel &kernel, const std::vector<bool> &copies) {
    const size_t to_come =
        InlinedAtLast(dag, kernel, copies).funcs().size() - kernel.inlined.size();
    return count_stages(kernel) + to_come;
}

double lowering_seconds(const Dag &dag, const Nest &nest) {
    double seconds = 0;
    for (const KernelPtr &kernel : nest.kernels) seconds += lowering_seconds(dag, *kernel);
    return seconds;
}

}  // namespace autoschedule_gpu
