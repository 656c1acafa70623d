#include "scheduler/nest/edit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/support/hash.h"
#include "core/support/rounding.h"
#include "scheduler/nest/regions.h"
#include "scheduler/nest/sliding.h"
#include "scheduler/nest/thread_order.h"

namespace autoschedule_gpu {

namespace {

uint64_t hash_band(const Band &band) {
    Hasher hasher;
    hasher.add(static_cast<uint64_t>(band.level)).add(band.stage.index());
    for (int64_t trip : band.trips) hasher.add(static_cast<uint64_t>(trip));
    for (int axis : band.axes) hasher.add(static_cast<uint64_t>(axis));
    if (band.flat) hasher.add(kUnrolls).add(band.axes.size());
    hasher.add(band.body.size());
    for (const BandPtr &child : band.body) hasher.add(hash_band(*child));
    if (band.loop.valid()) hasher.add(band.loop.update.index());
    if (band.loop.outside != Outside::all) hasher.add(static_cast<uint64_t>(band.loop.outside));
    hasher.add(static_cast<uint64_t>(band.memory));
    if (band.unroll != Unroll::all) hasher.add(static_cast<uint64_t>(band.unroll));
    if (band.steps != 1) hasher.add(kUnrolls + band.steps);
    if (band.row != 0) hasher.add(kUnrolls).add(band.row);
    return hasher.value();
}

uint64_t hash_kernel(const Kernel &kernel) {
    Hasher hasher;
    hasher.add(kernel.stage.index()).add(kernel.on_host);
    for (const LoopTile &tile : kernel.tiling) {
        hasher.add(tile.serial).add(tile.threads);
        if (tile.walk != 1) hasher.add(kUnrolls).add(tile.walk);
    }
    if (kernel.blocks) hasher.add(hash_band(*kernel.blocks));
    hasher.add(kernel.inlined.size());
    for (FuncId func : kernel.inlined) hasher.add(func.index());
    for (const StageSetting &setting : kernel.settings) hasher.add(setting.hash);
    for (size_t i = 0; i < kKernelOptions.size(); ++i) {
        if (!(kernel.*kKernelOptions[i].is_on)) hasher.add(i);
    }
    if (kernel.with.valid()) hasher.add(kKernelOptions.size()).add(kernel.with.index());
    return hasher.value();
}

KernelPtr finish(Kernel kernel) {
    kernel.hash = hash_kernel(kernel);
    return std::make_shared<const Kernel>(std::move(kernel));
}

BandPtr shared(Band band) {
    return std::make_shared<const Band>(std::move(band));
}

// The innermost loops of a stage.
BandPtr innermost(Level level, StageId stage, std::vector<int64_t> trips, MemoryKind memory) {
    Band band;
    band.level = level;
    band.stage = stage;
    band.trips = std::move(trips);
    band.memory = memory;
    return shared(std::move(band));
}

// Its loops over threads, around those.
BandPtr threads_around(BandPtr inner, std::vector<int64_t> trips, std::vector<int> axes,
                       BlockLoop loop = {}) {
    Band band;
    band.level = Level::thread;
    band.stage = inner->stage;
    band.trips = std::move(trips);
    band.axes = std::move(axes);
    band.loop = loop;
    band.memory = inner->memory;
    band.body.push_back(std::move(inner));
    return shared(std::move(band));
}

BandPtr reading_arrays(Band innermost) {
    innermost.reads_arrays = true;
    return shared(std::move(innermost));
}

void insert_inlined(Kernel &kernel, FuncId func) {
    kernel.inlined.insert(std::lower_bound(kernel.inlined.begin(), kernel.inlined.end(), func),
                          func);
}

// Extent of every loop of a stage when its Func's region has `extents` points per dimension.
std::vector<int64_t> loop_extents(const Stage &stage, std::span<const int64_t> extents) {
    std::vector<int64_t> result;
    result.reserve(stage.loops.size());
    for (const Loop &loop : stage.loops) {
        result.push_back(loop.dim >= 0 ? extents[loop.dim] : loop.range.extent());
    }
    return result;
}

// What the Func holds values of: itself, if it is no wrapper.
const Func &behind_wrappers(const Dag &dag, FuncId id) {
    const Func *func = &dag.func(id);
    while (func->wraps.valid()) func = &dag.func(func->wraps);
    return *func;
}

// Elements that the access which moves least moves along a loop; infinite if none moves by a known
// step. Wrappers make no difference, so that a kernel has the same threads whether they were made
// before it or after.
double least_step(const Dag &dag, const Stage &stage, size_t loop) {
    double least = std::numeric_limits<double>::infinity();
    const auto look_at = [&](const Func &func, const AccessMatrix &access) {
        for (size_t d = 0; d < access.dims(); ++d) {
            const Coefficient &c = access.at(d, loop);
            if (!c.known || c.value == 0) continue;
            least = std::min(least, std::abs(c.value * static_cast<double>(func.dims[d].stride)));
        }
    };
    look_at(dag.func(stage.func), stage.store);
    for (const Load &load : stage.loads) {
        look_at(behind_wrappers(dag, load.producer), load.access);
    }
    return least;
}

enum class StoredAt : uint8_t { root, block };

// How far one iteration of a loop is from the next where the stage stores. Reduction loops that may
// run in parallel come first, as Halide has them. A schedule reorders dimensions at root alone.
double stride_of(const Dag &dag, StageId id, int loop, StoredAt at) {
    const Stage &stage = dag.stage(id);
    const auto i = static_cast<size_t>(loop);
    if (!stage.loops[i].parallel) return least_step(dag, stage, i);
    const int dim = stage.loops[i].dim;
    if (dim < 0) return 0;
    const Func &func = dag.func(stage.func);
    if (at == StoredAt::block && func.stored_first >= 0) return dim + 1;
    return static_cast<double>(func.dims[dim].stride);
}

// Loops of more than one iteration. They are few: sorted by insertion.
std::vector<int> in_storage_order(const Dag &dag, StageId id, const std::vector<int64_t> &trips,
                                  StoredAt at) {
    std::vector<int> loops;
    loops.reserve(trips.size());
    const auto stride = [&](int loop) { return stride_of(dag, id, loop, at); };
    for (size_t i = 0; i < trips.size(); ++i) {
        if (trips[i] <= 1) continue;
        const auto loop = static_cast<int>(i);
        loops.insert(std::ranges::upper_bound(loops, stride(loop), {}, stride), loop);
    }
    return loops;
}

std::vector<int>::iterator first_wide(std::vector<int> &loops, const std::vector<int64_t> &trips) {
    constexpr int64_t kGoodWarpExtent = 16;
    return std::find_if(loops.begin(), loops.end(),
                        [&](int i) { return trips[i] >= kGoodWarpExtent; });
}

std::vector<int> wide_first(std::vector<int> axes, const std::vector<int64_t> &trips) {
    const auto wide = first_wide(axes, trips);
    if (wide != axes.end()) std::rotate(axes.begin(), wide, wide + 1);
    if (axes.size() > 3) axes.resize(3);
    return axes;
}

// So many threads, as they are numbered, of a block of `root` threads at least.
ThreadExtents shape_of_row(int64_t threads, const ThreadExtents &root) {
    if (root.total() == root.x) return {threads, 1, 1};
    const int64_t rows = ceil_div(threads, root.x), planes = ceil_div(rows, root.y);
    return {std::min(threads, root.x), std::min(rows, root.y), planes};
}

// Threads and serial bands of one stage computed in a block, be it in a loop there.
BandPtr block_level_stage(const Dag &dag, StageId id, std::span<const int64_t> extents,
                          std::span<const int64_t> serial, BlockLoop around) {
    const Stage &stage = dag.stage(id);
    const std::vector<Dimension> &dims = dag.func(stage.func).dims;
    std::vector<int64_t> inner = loop_extents(stage, extents), outer(inner.size(), 1);
    for (size_t i = 0; i < inner.size(); ++i) {
        const Loop &loop = stage.loops[i];
        if (!loop.parallel) {
            if (around.update == id && is_outside(dag, around, i)) inner[i] = 1;
            continue;
        }
        const int64_t total = inner[i];
        int64_t per_thread = loop.dim >= 0 ? std::min(serial[loop.dim], total) : 1;
        // How many threads a block has must be known.
        if (loop.dim >= 0 && dims[loop.dim].is_set_by_parameters(total)) per_thread = total;
        // An update's split ends in a guard, which would make inner extents dynamic: only exact
        // splits.
        if (stage.index > 0 && total % per_thread != 0) per_thread = 1;
        inner[i] = per_thread;
        outer[i] = ceil_div(total, per_thread);
    }
    std::vector<int> axes = choose_axes(dag, id, outer);
    for (size_t i = 0; i < inner.size(); ++i) {
        if (outer[i] == 1) continue;
        if (std::find(axes.begin(), axes.end(), static_cast<int>(i)) != axes.end()) continue;
        // More parallel loops than thread dimensions: the rest stays in the thread, whole.
        const Loop &loop = stage.loops[i];
        inner[i] = loop.dim >= 0 ? extents[loop.dim] : loop.range.extent();
        outer[i] = 1;
    }
    return threads_around(innermost(Level::serial, id, std::move(inner), MemoryKind::shared),
                          std::move(outer), std::move(axes), around);
}

}  // namespace

bool may_be_dealt(const Dag &dag, FuncId func) {
    constexpr size_t kAxes = 3;
    return dag.func(func).stages.size() == 1 && dag.func(func).dims.size() > kAxes;
}

std::vector<int> choose_axes(const Dag &dag, StageId id, const std::vector<int64_t> &trips) {
    return wide_first(in_storage_order(dag, id, trips, StoredAt::block), trips);
}

std::vector<int> flat_axes(const Dag &dag, StageId id, const std::vector<int64_t> &trips) {
    std::vector<int> axes = in_storage_order(dag, id, trips, StoredAt::block);
    if (axes.size() > 3) axes.resize(3);
    return axes;
}

std::vector<int> choose_root_axes(const Dag &dag, StageId id, const std::vector<int64_t> &trips) {
    std::vector<int> axes = in_storage_order(dag, id, trips, StoredAt::root);
    const auto stride = [&](int loop) { return stride_of(dag, id, loop, StoredAt::root); };
    const auto gap = std::adjacent_find(axes.begin(), axes.end(), [&](int a, int b) {
        return static_cast<double>(trips[a]) * stride(a) != stride(b);
    });
    if (gap < first_wide(axes, trips)) return wide_first(std::move(axes), trips);
    if (axes.size() > 3) axes.resize(3);
    return axes;
}

KernelPtr make_kernel(const Dag &dag, StageId id, Tiling tiling) {
    return KernelDraft(dag, id, std::move(tiling)).finish();
}

KernelPtr make_host_kernel(const Dag &dag, StageId id) {
    Kernel kernel;
    kernel.stage = id;
    kernel.on_host = true;
    kernel.tiling.assign(dag.stage(id).loops.size(), LoopTile{});
    return finish(std::move(kernel));
}

KernelPtr inline_func(const KernelPtr &kernel, FuncId func) {
    Kernel copy = *kernel;
    insert_inlined(copy, func);
    return finish(std::move(copy));
}

Kernel without_inlined(const Kernel &kernel, FuncId func) {
    Kernel copy = kernel;
    std::erase(copy.inlined, func);
    return copy;
}

KernelPtr compute_in_block(const Dag &dag, const KernelPtr &kernel, FuncId func,
                           const std::vector<int64_t> &extents, const std::vector<int64_t> &serial,
                           BlockLoop loop) {
    KernelDraft draft(*kernel);
    if (needs_alignment_in_block(dag, *kernel, func, loop)) draft.align();
    draft.compute_in_block(dag, func, extents, serial, loop);
    return std::move(draft).finish();
}

KernelPtr compute_in_thread(const Dag &dag, const KernelPtr &kernel, StageId site, FuncId func,
                            const std::vector<int64_t> &extents) {
    KernelDraft draft(*kernel);
    if (needs_alignment_in_thread(dag, *kernel, site, func)) draft.align();
    draft.compute_in_thread(dag, site, func, extents);
    return std::move(draft).finish();
}

KernelPtr resplit_in_block(const Dag &dag, const KernelPtr &kernel, StageId stage,
                           std::vector<int64_t> threads, std::vector<int64_t> serial) {
    KernelDraft draft(*kernel);
    draft.resplit_in_block(dag, stage, std::move(threads), std::move(serial));
    return std::move(draft).finish();
}

KernelPtr unroll_stage(const Dag &dag, const KernelPtr &kernel, StageId stage, Unroll unroll) {
    KernelDraft draft(*kernel);
    draft.unroll_stage(dag, stage, unroll);
    return std::move(draft).finish();
}

KernelPtr step_stage(const Dag &dag, const KernelPtr &kernel, StageId stage, int64_t steps) {
    KernelDraft draft(*kernel);
    draft.step_stage(dag, stage, steps);
    return std::move(draft).finish();
}

KernelPtr store_rows(const KernelPtr &kernel, StageId stage, int64_t row) {
    KernelDraft draft(*kernel);
    draft.store_rows(stage, row);
    return std::move(draft).finish();
}

namespace {

KernelPtr ordered(const KernelPtr &kernel, bool along_stores) {
    if (kernel->along_stores == along_stores || !may_exchange_threads(*kernel)) return kernel;
    KernelDraft draft(*kernel);
    draft.exchange_threads();
    return std::move(draft).finish();
}

}  // namespace

KernelPtr switched(const KernelPtr &kernel, bool Kernel::*member, bool value) {
    if (member == &Kernel::along_stores) return ordered(kernel, value);
    Kernel changed = *kernel;
    changed.*member = value;
    return finish(std::move(changed));
}

KernelPtr computed_with(const KernelPtr &kernel, StageId with) {
    Kernel changed = *kernel;
    changed.with = with;
    return finish(std::move(changed));
}

KernelDraft::KernelDraft(const Dag &dag, StageId id, Tiling tiling) {
    const Stage &stage = dag.stage(id);
    const size_t loops = stage.loops.size();
    std::vector<int64_t> blocks(loops, 1), threads(loops, 1), serial(loops, 1);
    for (size_t i = 0; i < loops; ++i) {
        const Loop &loop = stage.loops[i];
        const int64_t extent = estimated_range(dag, stage, loop).extent();
        if (!is_split(loop, tiling[i])) {
            serial[i] = extent;
            continue;
        }
        const int64_t tiles = std::max<int64_t>(1, ceil_div(extent, tiling[i].block_points()));
        const bool by_blocks = tiling[i].rest != Rest::threads;
        serial[i] = by_blocks ? tiling[i].serial : tiles;
        threads[i] = tiling[i].threads;
        blocks[i] = by_blocks ? tiles : 1;
    }
    std::vector<int> axes = choose_root_axes(dag, id, threads);
    const Level level = has_whole_rows(tiling)      ? Level::strided
                        : has_spread_points(tiling) ? Level::spread
                                                    : Level::serial;
    BandPtr inner = innermost(level, id, std::move(serial), MemoryKind::global);
    BandPtr middle = threads_around(std::move(inner), std::move(threads), std::move(axes));
    kernel_.stage = id;
    kernel_.tiling = std::move(tiling);
    blocks_ = std::make_shared<Band>();
    blocks_->level = Level::block;
    blocks_->stage = id;
    blocks_->trips = std::move(blocks);
    blocks_->body.push_back(std::move(middle));
    kernel_.blocks = blocks_;
}

KernelDraft::KernelDraft(const Kernel &kernel)
    : kernel_(kernel), blocks_(std::make_shared<Band>(*kernel.blocks)) {
    kernel_.blocks = blocks_;
}

void KernelDraft::reserve(size_t members) {
    kernel_.members.reserve(members);
    blocks_->body.reserve(members + 1);
}

void KernelDraft::inline_func(FuncId func) {
    insert_inlined(kernel_, func);
}

void KernelDraft::inline_funcs(std::span<const FuncId> funcs) {
    kernel_.inlined.reserve(kernel_.inlined.size() + funcs.size());
    for (const FuncId func : funcs) insert_inlined(kernel_, func);
}

// Before the first band of the loop, or of the block.
std::vector<BandPtr>::iterator KernelDraft::front_of(BlockLoop loop) {
    if (!loop.valid()) return blocks_->body.begin();
    return std::find_if(blocks_->body.begin(), blocks_->body.end(),
                        [&](const BandPtr &band) { return band->loop == loop; });
}

void KernelDraft::add_member(const Member &member) {
    const auto at =
        std::ranges::lower_bound(kernel_.members, member.func, std::greater<>(), &Member::func);
    kernel_.members.insert(at, member);
}

// What comes into the block may need wider rows of what is there, be it for its elements' size.
void KernelDraft::forget_rows() {
    for (BandPtr &threads : blocks_->body) {
        if (threads->row == 0) continue;
        Band changed = *threads;
        changed.row = 0;
        threads = shared(std::move(changed));
    }
}

void KernelDraft::compute_in_block(const Dag &dag, FuncId func, std::span<const int64_t> extents,
                                   std::span<const int64_t> serial, BlockLoop loop,
                                   MemberTile tile) {
    forget_rows();
    const std::vector<int64_t> fresh = fresh_extents(dag, kernel_, func, extents);
    const std::vector<StageId> &stages = dag.func(func).stages;
    const bool own = std::ranges::find(stages, loop.update) != stages.end();
    auto at = front_of(own ? BlockLoop() : loop);
    for (StageId stage : stages) {
        const BlockLoop around = own && stage != loop.update ? BlockLoop() : loop;
        at = blocks_->body.insert(at, block_level_stage(dag, stage, fresh, serial, around)) + 1;
    }
    add_member({func, place_in_block(dag, func, loop), {}, loop, tile});
}

void KernelDraft::compute_in_thread(const Dag &dag, StageId site, FuncId func,
                                    std::span<const int64_t> extents) {
    for (BandPtr &threads : blocks_->body) {
        if (threads->stage != site) continue;
        const std::vector<StageId> &stages = dag.func(func).stages;
        std::vector<BandPtr> body;
        body.reserve(stages.size() + threads->body.size());
        for (StageId stage : stages) {
            body.push_back(innermost(Level::serial, stage, loop_extents(dag.stage(stage), extents),
                                     MemoryKind::registers));
        }
        for (const BandPtr &inner : threads->body) {
            const bool indexes = !inner->reads_arrays && reduces(dag.stage(inner->stage)) &&
                                 reads(dag, kernel_, inner->stage, func);
            body.push_back(indexes ? reading_arrays(*inner) : inner);
        }
        Band changed = *threads;
        changed.body = std::move(body);
        threads = shared(std::move(changed));
        add_member({func, Place::threads, site, {}, MemberTile::given});
    }
}

void KernelDraft::resplit_in_block(const Dag &dag, StageId stage, std::vector<int64_t> threads,
                                   std::vector<int64_t> serial) {
    for (BandPtr &band : blocks_->body) {
        if (band->stage != stage) continue;
        std::vector<int> axes = choose_axes(dag, stage, threads);
        BandPtr inner = innermost(Level::serial, stage, std::move(serial), band->memory);
        band = threads_around(std::move(inner), std::move(threads), std::move(axes), band->loop);
        return;
    }
}

void KernelDraft::cooperate_in_block(const Dag &dag, FuncId func, std::vector<int64_t> threads,
                                     std::vector<int64_t> trips, std::vector<int> axes,
                                     BlockLoop loop, bool flat) {
    forget_rows();
    const StageId stage = dag.func(func).stages[0];
    BandPtr inner = innermost(Level::strided, stage, std::move(trips), MemoryKind::shared);
    Band around = *threads_around(std::move(inner), std::move(threads), std::move(axes), loop);
    around.flat = flat;
    if (flat)
        around.shape = shape_of_row(iterations(around), thread_extents(*root_threads(kernel_)));
    blocks_->body.insert(front_of(loop), shared(std::move(around)));
    add_member({func, place_in_block(dag, func, loop), {}, loop, MemberTile::cooperative});
}

// Replaces the innermost band of a stage by what `edit` makes of a copy.
template <typename Edit>
void KernelDraft::change_innermost(StageId stage, Edit edit) {
    for (BandPtr &threads : blocks_->body) {
        const auto inner = std::ranges::find(threads->body, stage, &Band::stage);
        if (inner == threads->body.end()) continue;
        Band changed = **inner;
        edit(changed);
        Band around = *threads;
        around.body[static_cast<size_t>(inner - threads->body.begin())] =
            std::make_shared<const Band>(std::move(changed));
        threads = std::make_shared<const Band>(std::move(around));
        return;
    }
}

void KernelDraft::unroll_stage(const Dag &dag, StageId stage, Unroll unroll) {
    change_innermost(stage, [&](Band &band) {
        const std::vector<Unroll> differing = differing_unrolls(dag, band);
        band.unroll = *std::ranges::lower_bound(differing, unroll);
        band.steps = 1;
    });
}

void KernelDraft::step_stage(const Dag &dag, StageId stage, int64_t steps) {
    const std::vector<int64_t> possible = possible_steps(dag, kernel_, stage);
    const auto beyond = std::ranges::upper_bound(possible, std::max<int64_t>(1, steps));
    change_innermost(stage, [&](Band &band) { band.steps = *std::prev(beyond); });
}

void KernelDraft::store_rows(StageId stage, int64_t row) {
    const auto at = std::ranges::find(blocks_->body, stage, &Band::stage);
    if (at == blocks_->body.end()) return;
    Band changed = **at;
    changed.row = row;
    *at = shared(std::move(changed));
}

void KernelDraft::exchange_threads() {
    Band changed = *blocks_->body.back();
    std::swap(changed.axes[0], changed.axes[1]);
    blocks_->body.back() = shared(std::move(changed));
    kernel_.along_stores = !kernel_.along_stores;
}

void KernelDraft::set(StageSetting setting) {
    std::erase_if(kernel_.settings, [&](const StageSetting &other) {
        return other.stage == setting.stage && other.kind == setting.kind;
    });
    kernel_.settings.push_back(std::move(setting));
}

KernelPtr KernelDraft::finish() && {
    return autoschedule_gpu::finish(std::move(kernel_));
}

}  // namespace autoschedule_gpu
