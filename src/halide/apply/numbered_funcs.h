// Halide's Funcs by the numbers that directives give them, with the loops that their stages had
// before the first directive.
#pragma once

#include <Halide.h>

#include <string>
#include <vector>

#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

Halide::Stage stage_of(Halide::Func func, int stage);
Halide::Internal::Definition &definition_of(Halide::Func &func, int stage);

class NumberedFuncs {
public:
    explicit NumberedFuncs(std::vector<Halide::Func> funcs);

    size_t size() const { return funcs_.size(); }
    bool has_func(int number) const;
    bool has_stage(int number, int stage) const;
    // Of a number and a stage that there are.
    const Halide::Func &func(int number) const { return funcs_[static_cast<size_t>(number)]; }
    size_t count_loops(int number, int stage) const;
    // Null if there is no such loop.
    const Halide::Internal::Dim *find_loop(int number, int stage, int loop) const;

    // Halide's name of one of these loops; of one that a directive makes, its own.
    std::string loop_name(int number, int stage, const LoopRef &loop) const;

    // Where there is a Func of that number, it is read again.
    void add(int number, const Halide::Func &func);

    const std::vector<Halide::Func> &all() const { return funcs_; }
    std::vector<Halide::Func> take_all() && { return std::move(funcs_); }

private:
    using StageLoops = std::vector<Halide::Internal::Dim>;
    static std::vector<StageLoops> loops_of(const Halide::Func &func);

    std::vector<Halide::Func> funcs_;
    std::vector<std::vector<StageLoops>> loops_;  // by number and stage
};

}  // namespace autoschedule_gpu
