// Why a scheduler loses where it does, as its authors see it: written by people, shown beside the
// losses. Text and JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/rows/rows_file.h"

namespace autoschedule_gpu {

// The metric of a note on an application that the scheduler did not do.
inline constexpr std::string_view kFailureNote = "failure";

struct LossNote {
    std::string app = {};     // empty: every application
    std::string metric = {};  // key of a ComparisonMetric, or kFailureNote
    std::string text = {};

    friend bool operator==(const LossNote &, const LossNote &) = default;
};

// The note on exactly that; an empty `app` asks for the one on every application. Empty if there is
// none.
std::string note_on(const std::vector<LossNote> &notes, std::string_view app,
                    std::string_view metric);

// A JSON array of {"app": ..., "metric": ..., "text": ...}, as strict as results.json.
extern template struct RowsFile<LossNote>;
using LossNotesFile = RowsFile<LossNote>;

}  // namespace autoschedule_gpu
