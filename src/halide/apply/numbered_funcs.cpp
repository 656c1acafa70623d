#include "halide/apply/numbered_funcs.h"

#include <utility>

namespace autoschedule_gpu {

namespace ir = Halide::Internal;

Halide::Stage stage_of(Halide::Func func, int stage) {
    if (stage > 0) return func.update(stage - 1);
    return Halide::Stage(func.function(), func.function().definition(), 0);
}

ir::Definition &definition_of(Halide::Func &func, int stage) {
    return stage > 0 ? func.function().update(stage - 1) : func.function().definition();
}

NumberedFuncs::NumberedFuncs(std::vector<Halide::Func> funcs) : funcs_(std::move(funcs)) {
    for (const Halide::Func &func : funcs_) loops_.push_back(loops_of(func));
}

bool NumberedFuncs::has_func(int number) const {
    return number >= 0 && static_cast<size_t>(number) < funcs_.size() && func(number).defined();
}

bool NumberedFuncs::has_stage(int number, int stage) const {
    return has_func(number) && stage >= 0 &&
           static_cast<size_t>(stage) < loops_[static_cast<size_t>(number)].size();
}

size_t NumberedFuncs::count_loops(int number, int stage) const {
    return loops_[static_cast<size_t>(number)][static_cast<size_t>(stage)].size();
}

const ir::Dim *NumberedFuncs::find_loop(int number, int stage, int loop) const {
    if (!has_stage(number, stage)) return nullptr;
    const StageLoops &loops = loops_[static_cast<size_t>(number)][static_cast<size_t>(stage)];
    if (loop < 0 || static_cast<size_t>(loop) >= loops.size()) return nullptr;
    return &loops[static_cast<size_t>(loop)];
}

std::string NumberedFuncs::loop_name(int number, int stage, const LoopRef &loop) const {
    const ir::Dim *own = find_loop(number, stage, loop.original);
    return own != nullptr ? own->var : loop.name;
}

void NumberedFuncs::add(int number, const Halide::Func &func) {
    const auto index = static_cast<size_t>(number);
    if (index >= funcs_.size()) {
        funcs_.resize(index + 1);
        loops_.resize(index + 1);
    }
    funcs_[index] = func;
    loops_[index] = loops_of(func);
}

// None of a number that no Func has.
std::vector<NumberedFuncs::StageLoops> NumberedFuncs::loops_of(const Halide::Func &func) {
    std::vector<StageLoops> stages;
    if (!func.defined()) return stages;
    for (int stage = 0; stage <= func.num_update_definitions(); ++stage) {
        StageLoops dims = stage_of(func, stage).get_schedule().dims();
        // Halide's own __outermost comes last.
        if (!dims.empty()) dims.pop_back();
        stages.push_back(std::move(dims));
    }
    return stages;
}

}  // namespace autoschedule_gpu
