#include "variants/schedule_text.h"

#include <sstream>

namespace variants {
namespace {

namespace ir = Halide::Internal;

std::string text_of(const Halide::LoopLevel &level) {
    if (level.is_inlined()) return "inlined";
    if (level.is_root()) return "root";
    return level.func() + "." + level.var().name();
}

std::string place_of(const ir::Function &func) {
    const ir::FuncSchedule &schedule = func.schedule();
    std::ostringstream text;
    text << "computed at " << text_of(schedule.compute_level()) << ", stored at "
         << text_of(schedule.store_level()) << ", hoisted to "
         << text_of(schedule.hoist_storage_level()) << " in "
         << static_cast<int>(schedule.memory_type()) << ", ring " << schedule.ring_buffer();
    for (const ir::Bound &bound : schedule.bounds()) {
        text << "; " << bound.var << " from " << bound.min << " extent " << bound.extent
             << " modulus " << bound.modulus << " remainder " << bound.remainder;
    }
    return text.str();
}

std::string layout_of(const ir::Function &func) {
    std::ostringstream text;
    for (const ir::StorageDim &dim : func.schedule().storage_dims()) {
        text << dim.var << " aligned to " << dim.alignment << " within " << dim.bound
             << " folded by " << dim.fold_factor << "; ";
    }
    return text.str();
}

void write_stage(const ir::Definition &stage, std::ostream &text) {
    const ir::StageSchedule &schedule = stage.schedule();
    for (const ir::Split &split : schedule.splits()) {
        text << "split " << split.old_var << " " << split.outer << " " << split.inner << " by "
             << split.factor << " " << static_cast<int>(split.tail) << " "
             << static_cast<int>(split.split_type) << "\n";
    }
    for (const ir::Dim &dim : schedule.dims()) {
        text << "loop " << dim.var << " " << dim.for_type << " " << dim.device_api << " "
             << static_cast<int>(dim.dim_type) << " " << static_cast<int>(dim.partition_policy)
             << "\n";
    }
    for (const ir::PrefetchDirective &prefetch : schedule.prefetches()) {
        text << "prefetch " << prefetch.name << " at " << prefetch.at << "\n";
    }
    text << "with " << text_of(schedule.fuse_level().level) << (schedule.atomic() ? " atomic" : "")
         << (schedule.allow_race_conditions() ? " races" : "") << "\n";
    for (const ir::Specialization &special : stage.specializations()) {
        text << "if " << special.condition << "\n";
        write_stage(special.definition, text);
    }
}

std::string loops_of(const ir::Function &func) {
    std::ostringstream text;
    if (func.definition().defined()) write_stage(func.definition(), text);
    for (const ir::Definition &update : func.updates()) write_stage(update, text);
    return text.str();
}

}  // namespace

ScheduleText text_of(const ir::Function &func) {
    return {place_of(func), layout_of(func), loops_of(func)};
}

std::map<std::string, ScheduleText> texts_of(const std::vector<ir::Function> &outputs) {
    auto [copied, funcs] = ir::deep_copy(outputs, ir::build_environment(outputs));
    std::map<std::string, ScheduleText> texts;
    for (auto &[name, func] : funcs) {
        func.lock_loop_levels();
        texts.emplace(name, text_of(func));
    }
    return texts;
}

}  // namespace variants
