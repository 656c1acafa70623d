// What users have scheduled of a pipeline by hand, and what of it can be kept. The answers are read
// from the schedules themselves, not from Halide's mark that somebody has touched them.
//
// Some calls say nothing about loops and places, and are kept whatever else is done: estimates,
// bound, bound_extent, align_bounds, reorder_storage, align_storage (wherever the Func is stored,
// which is in no kernel then); and compute_root of outputs, which are computed there anyway, and of
// Funcs that stay on the host (extern, memoized, async), which need it. What bound_storage allows
// for, on the other hand, is enough in one place alone.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

#include "core/dag/dag.h"
#include "halide/read/read_stage.h"

namespace autoschedule_gpu::reading {

struct UserSchedule {
    std::vector<std::string> directives;  // "compute_root", "update(0): loops are reordered"
    bool is_placed = false;               // at root
    bool has_loops = false;               // some of its loops are scheduled
    bool has_wrappers = false;
    std::string site;                   // the Func of compute_at
    std::vector<std::string> partners;  // the Funcs of compute_with
    Halide::MemoryType memory = Halide::MemoryType::Auto;

    // compute_root alone leaves the loops to us, and a wrapper the place, too.
    Func::Ours ours() const {
        if (has_loops || !site.empty()) return Func::Ours::nothing;
        return is_placed ? Func::Ours::loops : Func::Ours::all;
    }
};

// By the names of Funcs that have been scheduled.
using UserSchedules = std::map<std::string, UserSchedule>;

UserSchedules user_schedules(const std::vector<HI::Function> &outputs,
                             const std::map<std::string, HI::Function> &env);

// A sentence about the first Func in `order` that has been scheduled; empty if there is none.
std::string refusal(const UserSchedules &schedules, const std::vector<std::string> &order);

// A sentence about the first Func in `order` of which a directive can't be kept while the other
// Funcs are scheduled; empty if there is none.
std::string conflict(const UserSchedules &schedules, const std::vector<std::string> &order,
                     const Halide::Target &target);

// The loops of a stage as they were before they were scheduled, innermost first. That reductions
// are pure is not known of them.
std::vector<HI::Dim> unscheduled_loops(const HI::Function &func, int stage);

}  // namespace autoschedule_gpu::reading
