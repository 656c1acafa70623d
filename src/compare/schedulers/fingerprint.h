// What results depend on, as a hash: those of earlier calls are kept while it is the same.
#pragma once

#include "compare/schedulers/compare_schedulers.h"
#include "compare/schedulers/toolbox.h"
#include "core/support/hash.h"
#include "lab/build/build_candidate.h"
#include "lab/workloads/application.h"

namespace autoschedule_gpu {

// Adds names and values.
void add_values(Hasher &hasher, const NamedValues &values);

// Adds what is in the files that values name, such as weights and records; but not in those that
// the scheduler itself writes, for these are others after each run.
void add_named_files(Hasher &hasher, const NamedValues &values);

// Of all that any row of an application depends on: the contenders, their libraries and the files
// that their parameters name, the application with its sizes, the device, the GPU scheduled for,
// programs and limits. What only one kind of comparison has, it adds itself.
Hasher fingerprint(const ComparisonSettings &settings, const Toolbox &tools,
                   const Application &application);

// The same, and what the rows of compare_schedulers depend on beside: the size, the file of
// records, and how often and beside how many others searches are timed.
Hasher comparison_fingerprint(const ComparisonSettings &settings, const Toolbox &tools,
                              const Application &application);

}  // namespace autoschedule_gpu
