// Why a scheduler loses where it does, in the words of its authors. The notes are written by people
// and shown beside the losses, as text and as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "compare/rows/rows_file.h"

namespace autoschedule_gpu {

// The metric of a note about an application for which the scheduler has no schedule.
inline constexpr std::string_view kFailureNote = "failure";

struct LossNote {
    std::string app = {};     // empty: every application
    std::string metric = {};  // the key of a ComparisonMetric, or kFailureNote
    std::string text = {};

    friend bool operator==(const LossNote &, const LossNote &) = default;
};

// Returns the note for exactly that application and metric; empty if there is none. An empty `app`
// asks for the note on every application.
std::string note_on(const std::vector<LossNote> &notes, std::string_view app,
                    std::string_view metric);

// A JSON array of {"app": ..., "metric": ..., "text": ...}, which is read as strictly as
// results.json.
extern template struct RowsFile<LossNote>;
using LossNotesFile = RowsFile<LossNote>;

}  // namespace autoschedule_gpu
