#include "halide/read/user_schedule.h"

#include <algorithm>

#include "halide/read/target_api.h"

namespace autoschedule_gpu::reading {
namespace {

// Returns true for what a user's rfactor has made: Halide names it so, "$" and a number behind it
// where there is such a name already.
bool is_made_by_rfactor(const HI::Function &func) {
    constexpr std::string_view kMade = "_intm";
    return func.name().ends_with(kMade) ||
           func.name().substr(0, func.name().rfind('$')).ends_with(kMade);
}

std::vector<std::string> loops_of(const HI::StageSchedule &schedule) {
    std::vector<std::string> loops;
    for (const HI::Dim &dim : schedule.dims()) {
        if (dim.var != Halide::Var::outermost().name()) loops.push_back(dim.var);
    }
    return loops;
}

// Those that Halide gives a definition: an update's RVars, then the pure Vars in the order of the
// Func's arguments.
std::vector<std::string> default_loops(const HI::StageSchedule &schedule,
                                       const std::vector<std::string> &loops,
                                       const std::vector<std::string> &args) {
    std::vector<std::string> expected;
    for (const HI::ReductionVariable &rvar : schedule.rvars()) expected.push_back(rvar.var);
    for (const std::string &arg : args) {
        if (std::ranges::find(loops, arg) != loops.end()) expected.push_back(arg);
    }
    return expected;
}

// Returns true if the loops are those that Halide gives the definition. An update of what rfactor
// has made has Vars where the RVars were that they stand for; they are its last arguments.
bool has_default_order(const HI::Function &func, const HI::Definition &stage) {
    const HI::StageSchedule &schedule = stage.schedule();
    std::vector<std::string> loops = loops_of(schedule);
    std::vector<std::string> args = func.args();
    if (loops == default_loops(schedule, loops, args)) return true;
    if (stage.is_init() || !is_made_by_rfactor(func)) return false;
    while (!args.empty()) {
        std::erase(loops, args.back());
        args.pop_back();
        if (loops == default_loops(schedule, loops, args)) return true;
    }
    return false;
}

std::vector<std::string> scheduled_stage(const HI::Function &func, const HI::Definition &stage) {
    const HI::StageSchedule &schedule = stage.schedule();
    std::vector<std::string> found;
    if (!schedule.splits().empty()) {
        found.push_back("loops are split, fused or renamed");
    } else if (!has_default_order(func, stage)) {
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

// Adds where `func` is computed and stored. It is a deep copy, whose loop levels are locked and so
// may be read.
void add_levels(const HI::Function &func, bool root_is_fine, UserSchedule &found) {
    const HI::FuncSchedule &schedule = func.schedule();
    const Halide::LoopLevel &compute = schedule.compute_level(), &store = schedule.store_level();
    const Halide::LoopLevel &hoist = schedule.hoist_storage_level();
    if (compute.is_root() && !root_is_fine) found.directives.push_back("compute_root");
    found.is_placed = compute.is_root();
    if (!compute.is_root() && !compute.is_inlined()) {
        found.directives.push_back("compute_at");
        found.site = compute.func();
    }
    if (!store.is_inlined() && store != compute) found.directives.push_back("store_at");
    if (!hoist.is_inlined() && hoist != store) found.directives.push_back("hoist_storage");
}

void add_storage(const HI::FuncSchedule &schedule, UserSchedule &found) {
    found.memory = schedule.memory_type();
    if (found.memory != Halide::MemoryType::Auto) found.directives.push_back("store_in");
    found.has_wrappers = !schedule.wrappers().empty();
    if (found.has_wrappers) found.directives.push_back("a wrapper made by in() or clone_in()");
    if (schedule.ring_buffer().defined()) found.directives.push_back("ring_buffer");
    const auto &storage = schedule.storage_dims();
    const bool folded = std::any_of(storage.begin(), storage.end(), [](const HI::StorageDim &dim) {
        return dim.fold_factor.defined();
    });
    if (folded) found.directives.push_back("fold_storage");
    const bool bounded = std::any_of(storage.begin(), storage.end(),
                                     [](const HI::StorageDim &dim) { return dim.bound.defined(); });
    if (bounded) found.directives.push_back("bound_storage");
}

void add_stages(const HI::Function &func, UserSchedule &found) {
    const auto stage = [&](const HI::Definition &definition, const std::string &prefix) {
        for (const std::string &what : scheduled_stage(func, definition)) {
            found.directives.push_back(prefix + what);
            found.has_loops = true;
        }
        const Halide::LoopLevel &with = definition.schedule().fuse_level().level;
        if (!with.is_inlined()) found.partners.push_back(with.func());
    };
    // An extern stage has a definition only to describe its loops.
    if (func.definition().defined()) stage(func.definition(), "");
    for (size_t u = 0; u < func.updates().size(); u++) {
        stage(func.update(static_cast<int>(u)), "update(" + std::to_string(u) + "): ");
    }
}

std::string joined(const std::vector<std::string> &parts) {
    std::string text;
    for (const std::string &part : parts) text += (text.empty() ? "" : ", ") + part;
    return text;
}

}  // namespace

UserSchedules user_schedules(const std::vector<HI::Function> &outputs,
                             const std::map<std::string, HI::Function> &env) {
    auto [copied_outputs, copies] = HI::deep_copy(outputs, env);
    UserSchedules all;
    for (auto &[name, copy] : copies) {
        copy.lock_loop_levels();
        const HI::Function &func = env.at(name);
        const bool is_output =
            std::any_of(outputs.begin(), outputs.end(),
                        [&](const HI::Function &output) { return output.name() == func.name(); });
        UserSchedule found;
        add_levels(copy,
                   is_output || func.has_extern_definition() || func.schedule().memoized() ||
                       func.schedule().async(),
                   found);
        found.is_placed |= is_output;
        add_storage(func.schedule(), found);
        add_stages(copy, found);
        if (!found.directives.empty()) all.emplace(name, std::move(found));
    }
    return all;
}

std::string refusal(const UserSchedules &schedules, const std::vector<std::string> &order) {
    for (const std::string &name : order) {
        const auto found = schedules.find(name);
        if (found == schedules.end()) continue;
        return "Func " + name + " is already scheduled (" + joined(found->second.directives) +
               "): an autoscheduled pipeline must not be scheduled by hand, so remove these "
               "directives, or make them only where using_autoscheduler() is false";
    }
    return "";
}

namespace {

// Whether all of its loops are the user's.
bool is_theirs(const UserSchedules &schedules, const std::string &func) {
    const auto found = schedules.find(func);
    return found != schedules.end() && found->second.ours() == Func::Ours::nothing;
}

// Whether its memory is inside loops. At root, a stack is replaced where kernels need the data, and
// a texture is memory of the device.
bool is_in_local_memory(const UserSchedule &one) {
    using Halide::MemoryType;
    if (one.is_placed) {
        return one.memory == MemoryType::GPUShared || one.memory == MemoryType::Register;
    }
    return one.memory != MemoryType::Auto && one.memory != MemoryType::Heap;
}

std::string why_not(const UserSchedules &schedules, const UserSchedule &one,
                    const Halide::Target &target) {
    if (!one.site.empty() && !is_theirs(schedules, one.site)) {
        return "compute_at can't be kept, for the loops of " + one.site +
               " are the autoscheduler's to make: schedule these, too, or remove compute_at";
    }
    for (const std::string &partner : one.partners) {
        if (is_theirs(schedules, partner)) continue;
        return "compute_with can't be kept, for the loops of " + partner +
               " are the autoscheduler's to make: schedule these, too, or remove compute_with";
    }
    if (one.site.empty() && !one.has_loops && is_in_local_memory(one)) {
        return "store_in can't be kept, for such memory is inside loops: add compute_at, or remove "
               "store_in";
    }
    // Halide finds that out when it generates code, and says no more than the name of an intrinsic.
    const bool is_ours_to_store = one.ours() == Func::Ours::loops;
    if (is_ours_to_store && one.memory == Halide::MemoryType::GPUTexture &&
        gpu_api(target) != GpuApi::opencl) {
        return "store_in can't be kept, for only kernels for OpenCL have textures: remove store_in";
    }
    const size_t needing_a_place = one.directives.size() - (one.has_wrappers ? 1 : 0);
    if (!one.is_placed && one.site.empty() && needing_a_place > 0) {
        return std::string(one.has_loops ? "its loops" : "its storage") + " (" +
               joined(one.directives) +
               ") can't be kept, for it has no place: add compute_root or compute_at";
    }
    return "";
}

}  // namespace

std::string conflict(const UserSchedules &schedules, const std::vector<std::string> &order,
                     const Halide::Target &target) {
    for (const std::string &name : order) {
        const auto found = schedules.find(name);
        if (found == schedules.end()) continue;
        const std::string why = why_not(schedules, found->second, target);
        if (!why.empty()) {
            return "Func " + name + ": " + why + " (autoscheduler.respect=refuse refuses all)";
        }
    }
    return "";
}

std::vector<HI::Dim> unscheduled_loops(const HI::Function &func, int stage) {
    const HI::Definition &definition = stage == 0 ? func.definition() : func.update(stage - 1);
    std::vector<HI::Dim> loops;
    const auto add = [&](const std::string &var, HI::DimType type) {
        loops.push_back(
            {var, HI::ForType::Serial, Halide::DeviceAPI::None, type, Halide::Partition::Auto});
    };
    for (const HI::ReductionVariable &rvar : definition.schedule().rvars()) {
        add(rvar.var, HI::DimType::ImpureRVar);
    }
    for (size_t d = 0; d < func.args().size(); d++) {
        const auto *variable = definition.args()[d].as<HI::Variable>();
        if (variable != nullptr && variable->name == func.args()[d]) {
            add(func.args()[d], HI::DimType::PureVar);
        }
    }
    return loops;
}

}  // namespace autoschedule_gpu::reading
