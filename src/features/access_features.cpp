// What one access of a band's innermost loops moves: from which memory, for how many lanes at once.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "features/gather.h"
#include "features/thread_view.h"
#include "gpu/memory_access.h"

namespace autoschedule_gpu {

namespace {

bool depends_on_data(const AccessMatrix &access, size_t dim) {
    for (size_t i = 0; i < access.loops(); ++i) {
        if (!access.at(dim, i).known) return true;
    }
    return false;
}

}  // namespace

// Of a Func's storage, in elements.
double FeatureExtractor::stride(FuncId func, size_t dim) const {
    const std::vector<Dimension> &dims = dag_.func(func).dims;
    if (homes_[func.index()] == Home::global) return static_cast<double>(dims[dim].stride);
    double dense = 1;
    for (size_t d = 0; d < dim; ++d) dense *= static_cast<double>(block_.box(func)[d].extent());
    return dense;
}

// An array of a thread is kept in registers when every loop that indexes it is unrolled.
bool FeatureExtractor::in_registers(const Band &inner, const AccessMatrix &access) const {
    const UnrolledLoops unrolled(dag_, inner);
    for (size_t d = 0; d < access.dims(); ++d) {
        for (size_t i = 0; i < access.loops(); ++i) {
            const Coefficient &c = access.at(d, i);
            if (!c.known) return false;
            if (c.value != 0 && !unrolled[i] && inner.trips[i] > 1) return false;
        }
    }
    return true;
}

// How far a loop of `inner` is from one thread to the next along an axis; nothing if not known.
std::optional<double> FeatureExtractor::loop_step(const ThreadView &view, const Band &inner,
                                                  size_t loop, size_t axis) const {
    const Stage &stage = dag_.stage(inner.stage);
    const Loop &l = stage.loops[loop];
    if (inner.stage == view.threads->stage) {
        if (static_cast<int>(loop) != view.threads->axes[axis]) return 0;
        const bool in_turn = inner.level == Level::rounds || !l.parallel;
        return in_turn ? 1 : static_cast<double>(inner.trips[loop]);
    }
    if (l.dim < 0) return 0;
    const auto moved = view.steps.find(stage.func);
    if (moved == view.steps.end() || moved->second[axis].empty()) return std::nullopt;
    return moved->second[axis][l.dim];
}

// How a warp's lanes move, as far as data has no part in it; and what data decides.
FeatureExtractor::LaneAccess FeatureExtractor::lane_access(const ThreadView &view,
                                                           const Band &inner, FuncId func,
                                                           const AccessMatrix &access,
                                                           int64_t bytes) const {
    LaneAccess result;
    result.warp.element_bytes = bytes;
    result.warp.threads = {view.active.x, view.active.y, view.active.z};
    result.warp.stride_bytes = {0, 0, 0};
    for (size_t a = 0; a < view.threads->axes.size(); ++a) {
        for (size_t i = 0; i < access.loops(); ++i) {
            const std::optional<double> step = loop_step(view, inner, i, a);
            if (step == 0.0) continue;
            for (size_t d = 0; d < access.dims(); ++d) {
                const Coefficient &c = access.at(d, i);
                if (!c.known) result.gather.by_data[a] = true;
                if (!c.known || !step) continue;
                result.warp.stride_bytes[a] +=
                    c.value * *step * stride(func, d) * static_cast<double>(bytes);
            }
        }
    }
    if (!result.gather.any()) return result;
    result.gather.stride_bytes = std::numeric_limits<double>::infinity();
    for (size_t d = 0; d < access.dims(); ++d) {
        if (!depends_on_data(access, d)) continue;
        const double apart = std::abs(stride(func, d)) * static_cast<double>(bytes);
        result.gather.elements *= static_cast<double>(dag_.func(func).dims[d].estimate.extent());
        result.gather.stride_bytes = std::min(result.gather.stride_bytes, apart);
    }
    return result;
}

void FeatureExtractor::add_access(const ThreadView &view, const Band &inner, FuncId func,
                                  const AccessMatrix &access, int64_t bytes, double accesses,
                                  bool store, StageFeatures &row) const {
    const Home home = homes_[func.index()];
    if (home == Home::registers || home == Home::local) {
        (home == Home::registers ? row.register_accesses_per_thread
                                 : row.local_accesses_per_thread) += accesses;
        return;
    }
    LaneAccess lanes = lane_access(view, inner, func, access, bytes);
    lanes.warp.active_lanes =
        static_cast<int64_t>(std::ceil(view.active_threads() / row.num_active_warps_per_block));
    lanes.warp.alignment_bytes = store ? gpu_.l1_sector_bytes : bytes;
    const bool atomic = view.atomic && store && inner.stage == view.threads->stage;
    if (home == Home::shared) {
        add_shared_access(lanes, accesses, store, atomic, row);
    } else {
        add_global_access(lanes, accesses, store, row);
    }
}

}  // namespace autoschedule_gpu
