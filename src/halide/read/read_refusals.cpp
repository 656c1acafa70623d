#include "halide/read/read_refusals.h"

#include <algorithm>

namespace autoschedule_gpu::reading {
namespace {

// Returns true if the loops are those that Halide gives a definition: an update's RVars, then the
// pure Vars in the order of the Func's arguments.
bool has_default_order(const HI::Function &func, const HI::StageSchedule &schedule) {
    std::vector<std::string> expected;
    for (const HI::ReductionVariable &rvar : schedule.rvars()) expected.push_back(rvar.var);
    std::vector<std::string> found;
    for (const HI::Dim &dim : schedule.dims()) {
        if (dim.var != Halide::Var::outermost().name()) found.push_back(dim.var);
    }
    for (const std::string &arg : func.args()) {
        if (std::find(found.begin(), found.end(), arg) != found.end()) expected.push_back(arg);
    }
    return found == expected;
}

std::vector<std::string> scheduled_stage(const HI::Function &func, const HI::Definition &stage) {
    const HI::StageSchedule &schedule = stage.schedule();
    std::vector<std::string> found;
    if (!schedule.splits().empty()) {
        found.push_back("loops are split, fused or renamed");
    } else if (!has_default_order(func, schedule)) {
        found.push_back("loops are reordered");
    }
    const auto &dims = schedule.dims();
    const bool typed = std::any_of(dims.begin(), dims.end(), [](const HI::Dim &dim) {
        // Halide itself marks the loops of extern stages so.
        if (dim.for_type == HI::ForType::Extern) return false;
        return dim.for_type != HI::ForType::Serial || (dim.device_api != Halide::DeviceAPI::None &&
                                                       dim.device_api != Halide::DeviceAPI::Host);
    });
    if (typed) found.push_back("loops are parallel, vectorized, unrolled or on a device");
    const bool partitioned = std::any_of(dims.begin(), dims.end(), [](const HI::Dim &dim) {
        return dim.partition_policy != Halide::Partition::Auto;
    });
    if (partitioned) found.push_back("loop partitioning is set");
    if (!schedule.prefetches().empty()) found.push_back("prefetch");
    if (!schedule.fuse_level().level.is_inlined()) found.push_back("compute_with");
    if (schedule.atomic()) found.push_back("atomic");
    if (schedule.allow_race_conditions()) found.push_back("allow_race_conditions");
    if (!stage.specializations().empty()) found.push_back("specialize");
    return found;
}

// Returns what has been scheduled of `func`. `locked` is a deep copy of it, whose loop levels are
// locked and so may be read.
std::vector<std::string> scheduled_func(const HI::Function &func, const HI::Function &locked,
                                        bool is_output) {
    const HI::FuncSchedule &schedule = func.schedule();
    std::vector<std::string> found;
    const bool root_is_fine =
        is_output || func.has_extern_definition() || schedule.memoized() || schedule.async();
    const auto level = [&](const HI::FuncSchedule &from) {
        const Halide::LoopLevel &compute = from.compute_level(), &store = from.store_level();
        if (compute.is_root() && !root_is_fine) found.push_back("compute_root");
        if (!compute.is_root() && !compute.is_inlined()) found.push_back("compute_at");
        if (!store.is_inlined() && store != compute) found.push_back("store_at");
        const Halide::LoopLevel &hoist = from.hoist_storage_level();
        if (!hoist.is_inlined() && hoist != store) found.push_back("hoist_storage");
    };
    level(locked.schedule());
    if (schedule.memory_type() != Halide::MemoryType::Auto) found.push_back("store_in");
    if (!schedule.wrappers().empty()) found.push_back("a wrapper made by in() or clone_in()");
    if (schedule.ring_buffer().defined()) found.push_back("ring_buffer");
    const auto &storage = schedule.storage_dims();
    const bool folded = std::any_of(storage.begin(), storage.end(), [](const HI::StorageDim &dim) {
        return dim.fold_factor.defined();
    });
    if (folded) found.push_back("fold_storage");
    return found;
}

std::string joined(const std::vector<std::string> &parts) {
    std::string text;
    for (const std::string &part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

}  // namespace

std::string user_schedule(const std::vector<HI::Function> &outputs,
                          const std::map<std::string, HI::Function> &env,
                          const std::vector<std::string> &order) {
    auto [copied_outputs, copies] = HI::deep_copy(outputs, env);
    for (auto &[name, copy] : copies) copy.lock_loop_levels();
    for (const std::string &name : order) {
        const HI::Function &func = env.at(name);
        const bool is_output =
            std::any_of(outputs.begin(), outputs.end(),
                        [&](const HI::Function &output) { return output.name() == name; });
        std::vector<std::string> found = scheduled_func(func, copies.at(name), is_output);
        const auto stage = [&](const HI::Definition &definition, const std::string &prefix) {
            for (const std::string &what : scheduled_stage(func, definition)) {
                found.push_back(prefix + what);
            }
        };
        // An extern stage has a definition only to describe its loops.
        if (func.definition().defined()) stage(func.definition(), "");
        for (size_t u = 0; u < func.updates().size(); u++) {
            stage(func.update(static_cast<int>(u)), "update(" + std::to_string(u) + "): ");
        }
        if (!found.empty()) {
            return "Func " + name + " is already scheduled (" + joined(found) +
                   "): an autoscheduled pipeline must not be scheduled by hand, so remove these "
                   "directives, or make them only where using_autoscheduler() is false";
        }
    }
    return "";
}

}  // namespace autoschedule_gpu::reading
