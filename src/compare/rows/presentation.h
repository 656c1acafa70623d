// What every presentation of a comparison is given beside its rows.
#pragma once

#include <string>
#include <vector>

#include "compare/rows/loss_notes.h"

namespace autoschedule_gpu {

struct Presentation {
    std::string subject = "gpu";                      // the scheduler whose losses are listed
    std::vector<std::string> baselines = {"manual"};  // a summary for each, a scatter for the first
    std::vector<LossNote> notes = {};
};

}  // namespace autoschedule_gpu
