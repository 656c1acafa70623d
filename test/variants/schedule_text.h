// What has been scheduled of Funcs, as text: two texts are the same if the directives are.
#pragma once

#include <Halide.h>

#include <map>
#include <string>
#include <vector>

namespace variants {

struct ScheduleText {
    std::string place;   // compute_root and compute_at, where it is stored, bounds, compute_with
    std::string layout;  // reorder_storage, align_storage
    std::string loops;   // of all stages, and of what is specialized

    friend bool operator==(const ScheduleText &, const ScheduleText &) = default;
};

// `func` must be a copy, whose loop levels are locked and may be read.
ScheduleText text_of(const Halide::Internal::Function &func);

// By names; of the Funcs that the outputs need, wrappers among them.
std::map<std::string, ScheduleText> texts_of(
    const std::vector<Halide::Internal::Function> &outputs);

}  // namespace variants
