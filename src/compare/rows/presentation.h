// What a presentation of a comparison needs beside the rows.
#pragma once

#include <string>
#include <vector>

#include "compare/rows/loss_notes.h"

namespace autoschedule_gpu {

struct Presentation {
    std::string subject = "gpu";  // the scheduler whose losses are listed
    // A summary for each, a scatter plot for the first.
    std::vector<std::string> baselines = {"manual"};
    std::vector<LossNote> notes = {};
};

}  // namespace autoschedule_gpu
