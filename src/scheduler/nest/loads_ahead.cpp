#include "scheduler/nest/loads_ahead.h"

#include <algorithm>

#include "core/dag/scans.h"
#include "scheduler/nest/channel_vectors.h"
#include "scheduler/nest/multiples.h"
#include "scheduler/nest/pixel_vectors.h"
#include "scheduler/nest/unwrapped.h"
#include "scheduler/nest/vectors.h"

namespace autoschedule_gpu {
namespace {

// A thread has one point of each step, so that what it copies is a line. Other schedules for
// certain sizes would have to be made for each of the two.
bool has_plain_threads(const Dag &dag, const Kernel &kernel, const Band &inner) {
    const Stage &stage = dag.stage(inner.stage);
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        if (stage.loops[i].parallel && inner.trips[i] != 1) return false;
    }
    const bool has_threads =
        std::ranges::any_of(root_threads(kernel)->trips, [](int64_t trips) { return trips > 1; });
    return has_threads && !walks_rows(inner) && !vector_loop(dag, kernel, inner.stage) &&
           !channel_vector(dag, kernel, inner.stage) && !pixel_vectors(dag, kernel) &&
           multiples(dag, kernel).empty();
}

// What the update reads instead of a wrapper that nobody makes; none where it can't be copied once
// more: what is in the block already, a copy, or what its user has scheduled.
std::optional<FuncId> copied(const Dag &dag, const Kernel &kernel, FuncId func) {
    func = unwrapped(dag, kernel, func);
    const Func &read = dag.func(func);
    const bool is_member =
        std::ranges::find(kernel.members, func, &Member::func) != kernel.members.end();
    if (is_member || read.wraps.valid() || read.is_input() || !read.user_directives.empty()) {
        return std::nullopt;
    }
    return func;
}

std::optional<LoadsAhead> possible_loads_ahead(const Dag &dag, const Kernel &kernel, StageId id) {
    if (id != kernel.stage || kernel.on_host || kernel.with.valid()) return std::nullopt;
    const Band &inner = *find_innermost(kernel, id);
    const UnrolledLoops unrolled(dag, inner);
    const std::optional<size_t> at = unrolled.stepped();
    if (!at || inner.steps == 1) return std::nullopt;
    const Stage &stage = dag.stage(id);
    const Loop &loop = stage.loops[*at];
    const bool is_whole = estimated_range(dag, stage, loop).extent() % inner.steps == 0;
    if (!loop.reads_ahead || !is_whole || unrolled.points() != inner.steps) return std::nullopt;
    if (!has_plain_threads(dag, kernel, inner)) return std::nullopt;
    LoadsAhead found{.loop = *at, .steps = inner.steps, .reads = {}};
    for (const FuncId func : read_along(stage, *at)) {
        const std::optional<FuncId> read = copied(dag, kernel, func);
        if (!read) return std::nullopt;
        found.reads.push_back(*read);
    }
    return found;
}

}  // namespace

std::optional<LoadsAhead> loads_ahead(const Dag &dag, const Kernel &kernel, StageId stage) {
    return kernel.loads_ahead ? possible_loads_ahead(dag, kernel, stage) : std::nullopt;
}

bool may_load_ahead(const Dag &dag, const Kernel &kernel) {
    return possible_loads_ahead(dag, kernel, kernel.stage).has_value();
}

}  // namespace autoschedule_gpu
