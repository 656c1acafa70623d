// What a schedule of a tuning run is, in words: how it was come by, and what it decides otherwise
// than the schedule without tuning.
#pragma once

#include <string>

#include "tune/session/session.h"

namespace autoschedule_gpu {

// "without tuning", "the best of earlier runs"; "trial 12", as the journal counts them.
std::string trial_name(const Session &session, size_t trial);

// "blur_y.x threads 64, not 32; 3 more"; the most that is said are four decisions. Empty where the
// lists of decisions are not known, or the same.
std::string decided_otherwise(const Session &session, const Trial &trial);

}  // namespace autoschedule_gpu
