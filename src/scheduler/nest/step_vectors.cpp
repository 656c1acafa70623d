#include "scheduler/nest/step_vectors.h"

#include <algorithm>
#include <cmath>

#include "scheduler/nest/full_tiles.h"
#include "scheduler/nest/regions.h"
#include "scheduler/nest/unwrapped.h"

namespace autoschedule_gpu {

namespace {

// The input with aligned rows of which a Func has the elements at the same places.
std::optional<FuncId> aligned_input(const Dag &dag, const Kernel &kernel, FuncId id) {
    const Func &func = dag.func(id);
    if (!is_inlined(kernel, id) || !is_copy(dag, id) || !func.user_directives.empty()) return {};
    const std::vector<EdgeId> &edges = dag.stage(func.stages[0]).edges;
    if (edges.size() != 1 || !dag.edge(edges[0]).pointwise) return {};
    const Func &input = dag.func(dag.edge(edges[0]).producer);
    if (!input.is_input() || !input.aligned_rows) return {};
    return dag.edge(edges[0]).producer;
}

int reads_of(const Dag &dag, FuncId reader, FuncId producer) {
    int reads = 0;
    for (const StageId stage : dag.func(reader).stages) {
        for (const Load &load : dag.stage(stage).loads) {
            if (load.producer == producer) reads += load.count;
        }
    }
    return reads;
}

// Whether the index of a read is known, and steps of a loop go along rows; by how much other loops
// move it along these is a multiple of four.
bool goes_along_rows(const AccessMatrix &access, size_t loop) {
    for (size_t i = 0; i < access.loops(); ++i) {
        for (size_t d = 0; d < access.dims(); ++d) {
            const Coefficient &c = access.at(d, i);
            if (!c.known) return false;
            if (i == loop && c.value != (d == 0 ? 1 : 0)) return false;
            if (i != loop && d == 0 && std::fmod(c.value, kVectorElements) != 0) return false;
        }
    }
    return true;
}

// Whether what four steps read beside the row is a box without holes: of the iterations that are
// written out, at most one loop moves along each dimension, and each along one only.
bool reads_a_box(const UnrolledLoops &unrolled, const AccessMatrix &access, size_t loop) {
    std::vector<int> loops_along(access.dims());
    for (size_t i = 0; i < access.loops(); ++i) {
        if (i == loop || unrolled[i] == 1) continue;
        int dims = 0;
        for (size_t d = 0; d < access.dims(); ++d) {
            if (!access.moves(d, i)) continue;
            if (d == 0 || access.at(d, i).value != 1 || ++loops_along[d] > 1) return false;
            ++dims;
        }
        if (dims > 1) return false;
    }
    return true;
}

// Whether a row begins where the first step of the first point reads.
bool begins_at_four(const Dag &dag, const Kernel &kernel, StageId stage, FuncId input) {
    std::vector<Interval> ranges;
    for (const Loop &loop : dag.stage(stage).loops) {
        ranges.push_back(Interval::from_extent(loop.dim < 0 ? loop.range.min : 0, 1));
    }
    const std::vector<FuncId> consumers_first(kernel.inlined.rbegin(), kernel.inlined.rend());
    RegionSet read(dag);
    propagate(dag, stage, ranges, consumers_first, read);
    const Interval &row = read.box(input)[0];
    return row.extent() == 1 && row.min % kVectorElements == 0;
}

// Halide knows how much the copies of a thread hold, at all sizes.
bool has_constant_tiles(const Dag &dag, const Kernel &kernel) {
    if (kernel.on_host || kernel.with.valid() || is_guarded(dag, kernel)) return false;
    return !full_tiles(dag, kernel) || at_other_sizes(dag, kernel) == OtherSizes::points;
}

// The loop of an update in the kernel's threads that may make four steps at once, whatever it
// reads.
std::optional<size_t> loop_of_fours(const Dag &dag, const Kernel &kernel, StageId id) {
    const Stage &stage = dag.stage(id);
    if (id == kernel.stage || stage.index == 0 || stage.has_predicate) return std::nullopt;
    const std::vector<BandPtr> &in_threads = root_threads(kernel)->body;
    const auto inner = std::ranges::find(in_threads, id, &Band::stage);
    if (inner == in_threads.end() || (*inner)->level != Level::serial) return std::nullopt;
    const UnrolledLoops unrolled(dag, **inner);
    const std::optional<size_t> loop = unrolled.stepped();
    if (!loop || !stage.loops[*loop].fours) return std::nullopt;
    for (size_t i = 0; i < stage.loops.size(); ++i) {
        if (stage.loops[i].parallel && !unrolled.is_whole(i)) return std::nullopt;
    }
    const int64_t points = unrolled.points() / unrolled[*loop];
    return points <= kReductionUnrollLimit ? loop : std::nullopt;
}

std::optional<StepVectors> possible_step_vectors(const Dag &dag, const Kernel &kernel, StageId id) {
    const Stage &stage = dag.stage(id);
    const std::optional<size_t> loop = loop_of_fours(dag, kernel, id);
    if (!loop || !has_constant_tiles(dag, kernel)) return std::nullopt;
    const UnrolledLoops unrolled(dag, *find_innermost(kernel, id));
    StepVectors found{.loop = *loop, .reads = {}};
    for (const Load &load : stage.loads) {
        if (load.producer == stage.func || reads_of(dag, stage.func, load.producer) != 1) continue;
        const FuncId read = unwrapped(dag, kernel, load.producer);
        const std::optional<FuncId> input = aligned_input(dag, kernel, read);
        if (input && goes_along_rows(load.access, *loop) &&
            reads_a_box(unrolled, load.access, *loop) && begins_at_four(dag, kernel, id, *input)) {
            found.reads.push_back({read, *input});
        }
    }
    return found.reads.empty() ? std::nullopt : std::optional(std::move(found));
}

}  // namespace

std::optional<StepVectors> step_vectors(const Dag &dag, const Kernel &kernel, StageId stage) {
    return kernel.step_vectors ? possible_step_vectors(dag, kernel, stage) : std::nullopt;
}

bool may_have_step_vectors(const Dag &dag, const Kernel &kernel) {
    return !kernel.on_host &&
           std::ranges::any_of(innermost_bands(*kernel.blocks), [&](const Band *inner) {
               return possible_step_vectors(dag, kernel, inner->stage).has_value();
           });
}

}  // namespace autoschedule_gpu
