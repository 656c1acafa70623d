#include "scheduler/decisions/names.h"

#include <algorithm>

#include "scheduler/schedule/cpp_identifiers.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {
namespace {

// What comes after a dollar is a counter of Halide's.
std::string name_of(const Func &func) {
    const size_t dollar = func.name.find('$');
    if (dollar == std::string::npos) return func.name;
    return func.name.substr(0, dollar) + "#" + std::to_string(func.halide_index);
}

std::vector<std::string> names_of_loops(const Stage &stage) {
    std::vector<std::string> names;
    for (const Loop &loop : stage.loops) {
        std::string name = without_counter(loop.name);
        const bool taken = std::ranges::find(names, name) != names.end();
        names.push_back(taken ? name + "#" + std::to_string(names.size()) : std::move(name));
    }
    return names;
}

}  // namespace

Names::Names(const Dag &dag) : dag_(dag) {
    for (const Func &func : dag.funcs) funcs_.push_back(name_of(func));
    for (const Stage &stage : dag.stages) loops_.push_back(names_of_loops(stage));
    // Producers first: what is wrapped has its name already, and so has a reader that is a wrapper
    // for all, since no other wraps one.
    for (const bool single : {false, true}) {
        for (size_t i = 0; i < funcs_.size(); ++i) {
            const Func &func = dag.funcs[i];
            if (!func.wraps.valid() || func.reader.valid() != single) continue;
            funcs_[i] = wrapper({func.wraps, func.reader});
        }
    }
}

std::string Names::stage(StageId stage) const {
    return describe_stage(func(dag_.stage(stage).func), dag_.stage(stage).index);
}

std::string Names::loop(StageId stage, size_t loop) const {
    return this->stage(stage) + "." + loops_[stage.index()][loop];
}

const std::string &Names::dimension(FuncId func, int dim) const {
    const StageId pure = dag_.func(func).stages[0];
    const std::vector<Loop> &loops = dag_.stage(pure).loops;
    const auto loop = std::ranges::find(loops, dim, &Loop::dim);
    return loops_[pure.index()][static_cast<size_t>(loop - loops.begin())];
}

std::optional<FuncId> Names::find(const std::string &name) const {
    for (size_t i = 0; i < funcs_.size(); ++i) {
        if (funcs_[i] == name && !dag_.funcs[i].is_input()) return FuncId(i);
    }
    return std::nullopt;
}

std::optional<StageId> Names::find_stage(const std::string &name) const {
    for (size_t i = 0; i < loops_.size(); ++i) {
        if (stage(StageId(i)) == name) return StageId(i);
    }
    return std::nullopt;
}

std::optional<int> Names::find_dimension(FuncId func, const std::string &name) const {
    for (int d = 0; d < static_cast<int>(dag_.func(func).dims.size()); ++d) {
        if (dimension(func, d) == name) return d;
    }
    return std::nullopt;
}

std::string Names::wrapper(const WrappedRead &read) const {
    const std::string reader = read.reader.valid() ? func(read.reader) : "";
    return func(read.func) + ".in(" + reader + ")";
}

}  // namespace autoschedule_gpu
