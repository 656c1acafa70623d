#include "scheduler/nest/nest.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "core/support/hash.h"
#include "scheduler/nest/sliding.h"

namespace autoschedule_gpu {

static constexpr std::array<std::string_view, kUnrolls> kUnrollNames = {"none", "tile", "all"};
static_assert(static_cast<int>(Unroll::all) + 1 == kUnrolls);

std::string_view to_string(Unroll unroll) {
    return kUnrollNames[static_cast<size_t>(unroll)];
}

std::optional<Unroll> parse_unroll(std::string_view name) {
    const auto found = std::ranges::find(kUnrollNames, name);
    if (found == kUnrollNames.end()) return std::nullopt;
    return static_cast<Unroll>(found - kUnrollNames.begin());
}

uint64_t hash_share(const Kernel &kernel) {
    return mix64(kernel.hash);
}

uint64_t hash_share(FuncId func, Place place) {
    const Place told = is_in_kernel(place) ? Place::block : place;
    return Hasher().add(func.index()).add(static_cast<uint64_t>(told)).value();
}

uint64_t Nest::hash() const {
    uint64_t sum = 0;
    for (const KernelPtr &kernel : kernels) sum += hash_share(*kernel);
    for (size_t i = 0; i < places.size(); ++i) sum += hash_share(FuncId(i), places[i]);
    return sum;
}

Nest empty_nest(const Dag &dag) {
    Nest nest;
    nest.places.assign(dag.funcs.size(), Place::undecided);
    for (size_t i = 0; i < dag.funcs.size(); ++i) {
        if (dag.funcs[i].is_input()) nest.places[i] = Place::root;
    }
    return nest;
}

const Band *root_threads(const Kernel &kernel) {
    return kernel.blocks ? kernel.blocks->body.back().get() : nullptr;
}

static void collect_innermost(const Band &band, std::vector<const Band *> &out) {
    if (band.body.empty()) {
        out.push_back(&band);
        return;
    }
    for (const BandPtr &child : band.body) collect_innermost(*child, out);
}

std::vector<const Band *> innermost_bands(const Band &band) {
    std::vector<const Band *> bands;
    collect_innermost(band, bands);
    return bands;
}

int64_t iterations(const Band &band) {
    int64_t product = 1;
    for (int64_t trip : band.trips) product *= trip;
    return product;
}

bool is_outside_threads(const Dag &dag, const Band &threads, size_t i) {
    return has_own_loop(threads) && is_outside(dag, threads.loop, i);
}

BlockLoop own_loop(const Dag &dag, FuncId func, Place place) {
    if (place != Place::block_loop && place != Place::block_outer_loop) return {};
    const Outside outside = place == Place::block_loop ? Outside::all : Outside::outermost;
    for (const StageId stage : dag.func(func).stages) {
        if (may_have_loop(dag, {stage, outside})) return {stage, outside};
    }
    return {};
}

BlockLoop loop_around(const Dag &dag, const Kernel &kernel, FuncId func) {
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            if (dag.stage(inner->stage).func == func) return threads->loop;
        }
    }
    return {};
}

Place place_in_block(const Dag &dag, FuncId func, BlockLoop loop) {
    if (!loop.valid()) return Place::block;
    if (dag.stage(loop.update).func != func) return Place::loop;
    return loop.outside == Outside::all ? Place::block_loop : Place::block_outer_loop;
}

BlockLoop loop_around(const Dag &dag, FuncId func, BlockLoop loop) {
    return loop.valid() && dag.stage(loop.update).func == func ? BlockLoop() : loop;
}

std::span<const int64_t> serial_of(const Dag &dag, const Kernel &kernel, const Member &member) {
    return find_threads(kernel, dag.func(member.func).stages[0])->body.back()->trips;
}

std::vector<BlockLoop> loops_of(const Kernel &kernel) {
    std::vector<BlockLoop> loops;
    for (const Band *threads : thread_bands(kernel)) {
        if (has_own_loop(*threads)) loops.push_back(threads->loop);
    }
    return loops;
}

const Band *find_threads(const Kernel &kernel, StageId stage) {
    if (!kernel.blocks) return nullptr;
    for (const BandPtr &threads : kernel.blocks->body) {
        if (threads->stage == stage) return threads.get();
    }
    return nullptr;
}

const Band *find_innermost(const Kernel &kernel, StageId stage) {
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            if (inner->stage == stage) return inner.get();
        }
    }
    return nullptr;
}

bool reads(const Dag &dag, const Kernel &kernel, StageId stage, FuncId func) {
    std::vector<StageId> work{stage};
    for (size_t next = 0; next < work.size(); ++next) {
        for (const EdgeId edge : dag.stage(work[next]).edges) {
            const FuncId producer = dag.edge(edge).producer;
            if (producer == func) return true;
            if (producer < func || !is_inlined(kernel, producer)) continue;
            const StageId inlined = dag.func(producer).stages[0];
            if (std::ranges::find(work, inlined) == work.end()) work.push_back(inlined);
        }
    }
    return false;
}

bool is_inlined(const Kernel &kernel, FuncId func) {
    return std::binary_search(kernel.inlined.begin(), kernel.inlined.end(), func);
}

bool has_whole_rows(std::span<const LoopTile> tiling) {
    return std::ranges::find(tiling, Rest::threads, &LoopTile::rest) != tiling.end();
}

bool has_points_beside_rows(const Stage &stage, std::span<const LoopTile> tiling, size_t loop) {
    return has_whole_rows(tiling) && is_split(stage.loops[loop], tiling[loop]) &&
           tiling[loop].serial > 1;
}

bool has_points_beside_rows(const Stage &stage, std::span<const LoopTile> tiling) {
    for (size_t i = 0; i < tiling.size(); ++i) {
        if (has_points_beside_rows(stage, tiling, i)) return true;
    }
    return false;
}

bool has_spread_points(std::span<const LoopTile> tiling) {
    return std::ranges::find(tiling, Rest::spread, &LoopTile::rest) != tiling.end();
}

bool is_shared_reduction(const Dag &dag, const Kernel &kernel, const Band &threads, size_t loop) {
    if (dag.stage(threads.stage).loops[loop].parallel) return false;
    // Blocks that could share it have a loop over it, be there but one.
    const bool by_blocks = threads.stage == kernel.stage && kernel.tiling[loop].atomic;
    return by_blocks || threads.trips[loop] > 1;
}

bool uses_atomics(const Dag &dag, const Kernel &kernel, const Band &threads) {
    for (size_t i = 0; i < threads.trips.size(); ++i) {
        if (is_shared_reduction(dag, kernel, threads, i)) return true;
    }
    return false;
}

bool may_hold_more(const Dag &dag, const Kernel &kernel, const Band &threads) {
    return !threads.axes.empty() && threads.body.back()->level == Level::serial &&
           !uses_atomics(dag, kernel, threads);
}

bool is_computed_in(const Dag &dag, const Kernel &kernel, FuncId func) {
    for (const Band *threads : thread_bands(kernel)) {
        for (const BandPtr &inner : threads->body) {
            if (dag.stage(inner->stage).func == func) return true;
        }
    }
    return false;
}

ThreadExtents trips_of_axes(const Band &band) {
    ThreadExtents extents;
    int64_t *slots[] = {&extents.x, &extents.y, &extents.z};
    for (size_t i = 0; i < band.axes.size(); ++i) *slots[i] = band.trips[band.axes[i]];
    return extents;
}

ThreadExtents thread_extents(const Band &band) {
    return band.flat ? band.shape : trips_of_axes(band);
}

int64_t block_in_the_middle(const Kernel &kernel, size_t loop) {
    return (kernel.blocks->trips[loop] - 1) / 2;
}

ThreadExtents block_size(const Kernel &kernel) {
    ThreadExtents size;
    if (!kernel.blocks) return size;
    for (const BandPtr &band : kernel.blocks->body) {
        const ThreadExtents extents = thread_extents(*band);
        size.x = std::max(size.x, extents.x);
        size.y = std::max(size.y, extents.y);
        size.z = std::max(size.z, extents.z);
    }
    return size;
}

std::vector<size_t> serial_order(const Dag &dag, const Band &innermost) {
    const Stage &stage = dag.stage(innermost.stage);
    const UnrolledLoops unrolled(dag, innermost);
    const auto rank = [&](size_t i) {
        if (stage.loops[i].parallel) return 1;
        return innermost.memory == MemoryKind::global && unrolled.is_whole(i) ? 0 : 2;
    };
    std::vector<size_t> order(stage.loops.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::ranges::stable_sort(order, {}, rank);
    return order;
}

bool walks_rows(const Band &innermost) {
    return innermost.level == Level::strided && innermost.memory == MemoryKind::global;
}

bool is_set_by_parameters(const Dag &dag, const Band &innermost, size_t loop) {
    const int dim = dag.stage(innermost.stage).loops[loop].dim;
    if (innermost.memory != MemoryKind::shared || dim < 0) return false;
    const Func &func = dag.func_of(innermost.stage);
    return func.dims[static_cast<size_t>(dim)].is_set_by_parameters(innermost.trips[loop]);
}

namespace {

// Whether a loop that is written out as a whole has a condition around each of many terms, such as
// the end of what is summed: then each load waits for the sum before it (28.8 us for the sum of
// 10^7 values on an H200, 14.4 in steps of 8). Around a loop of some steps Halide makes a copy
// without conditions; one that reads data allows no steps (possible_steps).
bool loads_wait_for_guards(const Stage &stage, size_t loop, int64_t iterations) {
    constexpr int64_t kFew = 8;
    return iterations > kFew && !stage.predicate_reads && !stage.predicate_loops.empty() &&
           stage.predicate_loops[loop];
}

}  // namespace

UnrolledLoops::UnrolledLoops(const Dag &dag, const Band &innermost)
    : stage_(dag.stage(innermost.stage)), band_(innermost) {
    const std::vector<Loop> &loops = stage_.loops;
    int64_t product = 1;
    if (walks_rows(innermost)) {  // whose length is known at run time only
        const auto longest = std::ranges::max_element(innermost.trips);
        stepped_ = static_cast<size_t>(longest - innermost.trips.begin());
        return;
    }
    if (innermost.unroll != Unroll::none) {
        for (; end_of_tile_ < loops.size(); ++end_of_tile_) {
            if (!loops[end_of_tile_].parallel) continue;
            if (is_set_by_parameters(dag, innermost, end_of_tile_)) return;
            if (product * innermost.trips[end_of_tile_] > kUnrollLimit) return;
            product *= innermost.trips[end_of_tile_];
        }
    }
    const bool reductions = innermost.unroll == Unroll::all;
    const int64_t most = innermost.reads_arrays ? kUnrollLimit : kReductionUnrollLimit;
    for (; reductions && end_of_reduction_ < loops.size(); ++end_of_reduction_) {
        if (loops[end_of_reduction_].parallel) continue;
        if (!loops[end_of_reduction_].constant) break;
        if (product * innermost.trips[end_of_reduction_] > most) break;
        if (!innermost.reads_arrays &&
            loads_wait_for_guards(stage_, end_of_reduction_, innermost.trips[end_of_reduction_])) {
            break;
        }
        product *= innermost.trips[end_of_reduction_];
    }
    for (size_t i = end_of_reduction_; i < loops.size() && stepped_ == kNone; ++i) {
        if (!loops[i].parallel && innermost.trips[i] > 1) stepped_ = i;
    }
}

std::optional<size_t> UnrolledLoops::stepped() const {
    return stepped_ == kNone ? std::nullopt : std::optional(stepped_);
}

int64_t UnrolledLoops::points() const {
    int64_t product = 1;
    for (size_t i = 0; i < band_.trips.size(); ++i) product *= (*this)[i];
    return product;
}

std::vector<int64_t> possible_steps(const Dag &dag, const Kernel &kernel, StageId stage) {
    std::vector<int64_t> result{1};
    if (dag.stage(stage).predicate_reads) return result;  // its loops must stay whole
    Band band = *find_innermost(kernel, stage);
    const Band *threads = find_threads(kernel, stage);
    if (threads != nullptr && uses_atomics(dag, kernel, *threads)) return result;
    band.steps = 1;
    const UnrolledLoops unrolled(dag, band);
    const std::optional<size_t> loop = unrolled.stepped();
    if (!loop) return result;
    const int64_t points = std::max<int64_t>(1, unrolled.points());  // beside a loop of none
    const int64_t most = std::min(kReductionUnrollLimit / points, band.trips[*loop] - 1);
    for (int64_t steps = 2; steps <= most; steps *= 2) result.push_back(steps);
    return result;
}

// Each unrolls what the one before does, so that those of as many iterations unroll the same.
std::vector<Unroll> differing_unrolls(const Dag &dag, const Band &innermost) {
    Band band = innermost;
    std::vector<Unroll> differing;
    int64_t before = 0;
    band.steps = 1;
    for (const Unroll unroll : {Unroll::none, Unroll::tile, Unroll::all}) {
        band.unroll = unroll;
        const int64_t iterations = UnrolledLoops(dag, band).points();
        if (iterations == before) differing.pop_back();
        differing.push_back(unroll);
        before = iterations;
    }
    return differing;
}

bool covers_most(const Dag &dag, const Kernel &kernel) {
    const Stage &stage = dag.stage(kernel.stage);
    const Func &func = dag.func(stage.func);
    if (kernel.on_host || !func.is_output()) return false;
    for (size_t i = 0; i < kernel.tiling.size(); ++i) {
        if (stage.loops[i].kind != Loop::Kind::pure) continue;
        if (!has_blocks(stage.loops[i], kernel.tiling[i])) continue;
        const Dimension &dim = func.dims[static_cast<size_t>(stage.loops[i].dim)];
        const int64_t extent = dim.estimate.extent();
        if (dim.fixed || extent < kLeastImageExtent) continue;
        if (2 * kernel.tiling[i].block_points() > extent) return true;
    }
    return false;
}

size_t count_stages(const Kernel &kernel) {
    size_t stages = kernel.inlined.size();
    if (kernel.on_host) return stages + 1;
    for (const BandPtr &threads : kernel.blocks->body) stages += threads->body.size();
    return stages;
}

bool is_alone(const Kernel &kernel) {
    return !kernel.on_host && kernel.blocks->body.size() == 1 &&
           kernel.blocks->body.front()->body.size() == 1;
}

bool is_aligned(const Dag &dag, const Kernel &kernel, size_t loop) {
    const Stage &root = dag.stage(kernel.stage);
    const int dim = root.loops[loop].dim;
    return kernel.aligned && dim >= 0 && has_blocks(root.loops[loop], kernel.tiling[loop]) &&
           dag.func(root.func).dims[static_cast<size_t>(dim)].rounds_up;
}

bool needs_full_tiles(const Kernel &kernel) {
    if (kernel.on_host || is_alone(kernel)) return false;
    return kernel.blocks->body.size() > 1 ||
           std::ranges::any_of(kernel.tiling, [](const LoopTile &t) { return t.serial > 1; });
}

bool is_guarded(const Dag &dag, const Kernel &kernel) {
    if (kernel.on_host) return false;
    if (kernel.with.valid()) return !needs_full_tiles(kernel);
    if (dag.func_of(kernel.stage).stages.size() > 1) return true;
    if (walked_loop(kernel.tiling)) return false;
    if (is_alone(kernel) && covers_most(dag, kernel)) return true;
    if (kernel.blocks->body.size() > 1) return false;
    return std::all_of(kernel.tiling.begin(), kernel.tiling.end(),
                       [](const LoopTile &tile) { return tile.serial == 1; });
}

}  // namespace autoschedule_gpu
