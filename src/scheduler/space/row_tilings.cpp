#include "scheduler/space/row_tilings.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "scheduler/nest/edit.h"
#include "scheduler/space/listed_tilings.h"

namespace autoschedule_gpu {

namespace {

// Funcs from a stage to the outcome of a reduction.
constexpr int kMostSteps = 8;

bool has_reduction(const Dag &dag, FuncId func) {
    return std::ranges::any_of(dag.func(func).stages,
                               [&](StageId stage) { return reduces(dag.stage(stage)); });
}

// The dimensions of what is read along which a loop moves.
std::vector<size_t> moved_dims(const AccessMatrix &access, size_t loop) {
    std::vector<size_t> dims;
    for (size_t d = 0; d < access.dims(); ++d) {
        if (access.moves(d, loop)) dims.push_back(d);
    }
    return dims;
}

// Where outcomes of reductions are read. Every answer is remembered, because many paths through
// Funcs that are computed point by point lead to the same one.
class Outcomes {
public:
    explicit Outcomes(const Dag &dag) : dag_(dag) {}

    // Whether a Func holds what a reduction found, or is computed from such.
    bool holds(FuncId func, int steps = kMostSteps) {
        const auto [known, is_new] = holds_.try_emplace({func, steps}, false);
        if (is_new) known->second = finds(func, steps);
        return known->second;
    }

    // Whether all iterations of a loop read the same outcome, be it through Funcs that are computed
    // point by point.
    bool is_shared_by(StageId stage, size_t loop, int steps = kMostSteps) {
        const auto [known, is_new] = shared_.try_emplace({stage, loop, steps}, false);
        if (is_new) {
            known->second = std::ranges::any_of(dag_.stage(stage).loads, [&](const Load &load) {
                return load.producer != dag_.stage(stage).func && shares(load, loop, steps);
            });
        }
        return known->second;
    }

private:
    bool finds(FuncId func, int steps) {
        if (has_reduction(dag_, func)) return true;
        if (steps == 0 || dag_.func(func).stages.size() != 1) return false;
        return std::ranges::any_of(
            dag_.stage(dag_.func(func).stages[0]).loads,
            [&](const Load &load) { return holds(load.producer, steps - 1); });
    }

    bool shares(const Load &load, size_t loop, int steps) {
        const Func &func = dag_.func(load.producer);
        if (func.is_input()) return false;
        const std::vector<size_t> moved = moved_dims(load.access, loop);
        if (moved.empty()) return holds(load.producer);
        if (moved.size() > 1 || func.stages.size() != 1 || steps == 0) return false;
        const std::vector<Loop> &loops = dag_.stage(func.stages[0]).loops;
        const auto along = std::ranges::find(loops, static_cast<int>(moved[0]), &Loop::dim);
        return along != loops.end() &&
               is_shared_by(func.stages[0], static_cast<size_t>(along - loops.begin()), steps - 1);
    }

    const Dag &dag_;
    std::map<std::pair<FuncId, int>, bool> holds_;
    std::map<std::tuple<StageId, size_t, int>, bool> shared_;
};

class RowTilings {
public:
    RowTilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules, StageId id,
               RuleCounts &counts)
        : dag_(dag),
          gpu_(gpu),
          id_(id),
          outcomes_(dag),
          tilings_(dag, gpu, rules, id, counts),
          extents_(tilings_.extents()) {
        for (size_t i = 0; i < extents_.size(); ++i) {
            if (!stage().loops[i].parallel) extents_[i] = 1;
        }
        axes_ = choose_axes(dag, id, extents_);
    }

    std::vector<Tiling> list() && {
        if (axes_.empty() || stage().predicate_reads) return {};
        if (dag_.func(stage().func).stages.size() > 1) return {};
        const auto row = static_cast<size_t>(axes_[0]);
        if (axes_.size() > 1 && outcomes_.is_shared_by(id_, row)) {
            list_walks(row, static_cast<size_t>(axes_[1]));
        }
        const bool is_of_rows = std::ranges::any_of(
            stage().loads, [&](const Load &load) { return outcomes_.holds(load.producer); });
        if (is_of_rows) {
            list_few_points(row);
            list_one_block();
        }
        return std::move(tilings_).take();
    }

private:
    const Stage &stage() const { return dag_.stage(id_); }

    void list_walks(size_t row, size_t next) {
        for (const int64_t threads : {32, 64, 128, 256, 512}) {
            for (const int64_t rows : {1, 2, 4, 8}) {
                if (2 * threads > extents_[row] || rows > extents_[next]) continue;
                Tiling tiling(extents_.size());
                tiling[row] = {.threads = threads, .rest = Rest::threads};
                tiling[next] = {.threads = rows};
                tilings_.add(std::move(tiling));
            }
        }
    }

    void list_few_points(size_t loop) {
        for (const int64_t points : {1, 2, 4, 8}) {
            if (points > extents_[loop]) continue;
            Tiling tiling(extents_.size());
            tiling[loop] = {.threads = points};
            tilings_.add(std::move(tiling));
        }
    }

    // A block for all: what it reads is found once, and stays in the block. Another tiling could
    // not keep the device busy with so few points either.
    void list_one_block() {
        Tiling tiling(extents_.size());
        int64_t threads = 1;
        for (size_t i = 0; i < extents_.size(); ++i) {
            if (stage().loops[i].parallel) tiling[i] = {.threads = extents_[i]};
            threads *= tiling[i].threads;
        }
        const bool fits = threads <= gpu_.max_threads_per_block && has_axes(tiling);
        if (fits) tilings_.add_of_few_blocks(std::move(tiling));
    }

    const Dag &dag_;
    const GpuModel &gpu_;
    const StageId id_;
    Outcomes outcomes_;
    ListedTilings tilings_;
    std::vector<int64_t> extents_;
    std::vector<int> axes_;
};

}  // namespace

std::vector<Tiling> whole_row_tilings(const Dag &dag, const GpuModel &gpu, const RuleBook &rules,
                                      StageId stage, RuleCounts &counts) {
    return RowTilings(dag, gpu, rules, stage, counts).list();
}

}  // namespace autoschedule_gpu
