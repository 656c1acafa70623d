#include "scheduler/factors/reduction.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/support/rounding.h"

namespace autoschedule_gpu {
namespace {

// Elements from one iteration to the next; infinite where that is not known.
double step_of(const Dag &dag, const Load &load, size_t loop) {
    double step = 0;
    const Func &func = dag.func(load.producer);
    for (size_t d = 0; d < load.access.dims(); ++d) {
        const Coefficient &c = load.access.at(d, loop);
        if (!c.known) return std::numeric_limits<double>::infinity();
        step += std::abs(c.value) * static_cast<double>(func.dims[d].stride);
    }
    return step;
}

bool is_own(const Stage &stage, const Load &load) {
    return load.producer == stage.func;
}

// The least step of a load that moves along the loop.
double least_step(const Dag &dag, const Stage &stage, size_t loop) {
    double least = std::numeric_limits<double>::infinity();
    for (const Load &load : stage.loads) {
        const double step = step_of(dag, load, loop);
        if (!is_own(stage, load) && step > 0) least = std::min(least, step);
    }
    return least;
}

// Loops of fewer iterations have no lanes.
constexpr int64_t kLeastLanes = 32;
// Lanes have several iterations of a loop that is as long as this, and no other loop beside it.
constexpr int64_t kLeastRow = 64;

size_t lane_loop(const Dag &dag, const Stage &stage, const std::vector<size_t> &loops) {
    const auto is_better = [&](size_t a, size_t b) {
        const bool a_long = stage.loops[a].range.extent() >= kLeastLanes;
        const bool b_long = stage.loops[b].range.extent() >= kLeastLanes;
        if (a_long != b_long) return a_long;
        return least_step(dag, stage, a) < least_step(dag, stage, b);
    };
    return *std::min_element(loops.begin(), loops.end(), is_better);
}

// Whether an iteration of `lane` reads on where all of `within` end.
bool goes_on(const Dag &dag, const Stage &stage, size_t lane, size_t within) {
    const Interval &range = stage.loops[within].range;
    return std::ranges::any_of(stage.loads, [&](const Load &load) {
        return !is_own(stage, load) && step_of(dag, load, within) == 1 &&
               step_of(dag, load, lane) == static_cast<double>(range.extent());
    });
}

std::optional<size_t> loop_within(const Dag &dag, const Stage &stage,
                                  const std::vector<size_t> &loops, size_t lane) {
    for (const size_t loop : loops) {
        const int64_t extent = stage.loops[loop].range.extent();
        const bool fits = loop != lane && 1 < extent && kLeastLanes % extent == 0;
        if (fits && goes_on(dag, stage, lane, loop)) return loop;
    }
    return std::nullopt;
}

// Those that are left when `taken` has its place.
std::vector<size_t> all_but(std::vector<size_t> loops, size_t taken) {
    std::erase(loops, taken);
    return loops;
}

size_t longest_of(const Stage &stage, const std::vector<size_t> &loops) {
    return *std::ranges::max_element(loops, {},
                                     [&](size_t loop) { return stage.loops[loop].range.extent(); });
}

// Sets the loops that lanes and chunks have.
void share_out(const Dag &dag, Reduction &of) {
    const Stage &stage = *of.stage;
    of.lane = lane_loop(dag, stage, of.loops);
    of.within = loop_within(dag, stage, of.loops, of.lane);
    std::vector<size_t> rest = all_but(of.loops, of.lane);
    if (of.within) {
        rest = all_but(std::move(rest), *of.within);
    } else if (of.extent(of.lane) < kLeastRow && !rest.empty()) {
        of.within = of.lane;
        of.lane = lane_loop(dag, stage, rest);
        rest = all_but(std::move(rest), of.lane);
    }
    of.chunk = rest.empty() ? of.lane : longest_of(stage, rest);
}

}  // namespace

int64_t Reduction::chunk_size(int64_t lanes, int64_t steps) const {
    int64_t rest = 1;  // iterations of a lane in each of `chunk`, or of as many of these as rows
    for (const size_t loop : loops) {
        if (loop == chunk || (loop == within && takes_all_within(lanes))) continue;
        rest *= loop == lane ? ceil_div(extent(loop), rows(lanes)) : extent(loop);
    }
    return std::max<int64_t>(1, steps / rest) * (has_own_chunk_loop() ? 1 : rows(lanes));
}

Reduction reduction_of(const Dag &dag, const Stage &stage) {
    Reduction result;
    result.stage = &stage;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        const Loop &loop = stage.loops[i];
        if (loop.kind == Loop::Kind::reduction) {
            result.loops.push_back(i);
            result.iterations *= std::max<int64_t>(1, loop.range.extent());
        } else {
            const Dimension &dim = dag.func(stage.func).dims[static_cast<size_t>(loop.dim)];
            result.points *= std::max<int64_t>(1, dim.estimate.extent());
        }
    }
    if (result.loops.empty()) return result;
    share_out(dag, result);
    return result;
}

bool is_read_across(const Dag &dag, const Stage &stage) {
    return std::ranges::any_of(stage.loads, [&](const Load &load) {
        if (is_own(stage, load)) return false;
        bool along = false, warps_are_fine = false;
        for (size_t i = 0; i < stage.loops.size(); ++i) {
            const double step = step_of(dag, load, i);
            if (stage.loops[i].kind == Loop::Kind::reduction) {
                along = along || step == 1;
            } else {
                warps_are_fine = warps_are_fine || step <= 1;
            }
        }
        return along && !warps_are_fine;
    });
}

}  // namespace autoschedule_gpu
