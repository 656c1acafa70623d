// What a run of a contest depends on, as hashes: a run of an earlier call counts while its hash is
// the same, and what was left of one goes on while that of its trials is. Which device it was is
// only known once something has run there (runs_so_far.h).
#pragma once

#include <string>

#include "lab/build/build_candidate.h"
#include "tune/run/tuning_run.h"

namespace autoschedule_gpu {

// Of all that was asked for, with what is in the files that were named, the programs and libraries,
// and `environment`: the variables by which a device is chosen, and compiles what runs on it.
std::string settings_of(const TuneRequest &request, const NamedValues &environment);

// Of the trials alone: how long their finals are changes neither them nor their times, nor does for
// most strategies how many there are.
std::string trial_settings_of(TuneRequest request, const NamedValues &environment);

}  // namespace autoschedule_gpu
