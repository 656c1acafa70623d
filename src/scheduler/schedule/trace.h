// A schedule as a JSON trace, and back: the form in which schedules are stored, compared and
// replayed. The format is public (autoschedule_gpu/trace.h); the reader takes exactly that and
// nothing else. A change that an older reader would misread raises the version.
//
// Pure functions; they never throw on any input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/dag/dag.h"
#include "core/support/error.h"
#include "scheduler/schedule/directive.h"

namespace autoschedule_gpu {

using api::kTraceVersion;

struct Trace {
    Schedule schedule;
    uint64_t pipeline_hash = 0;
    std::string producer;  // empty: not said
};

// One directive a line, so that two traces can be compared with a line-based tool. Names that are
// not UTF-8 have their bad bytes replaced.
std::string to_json(const Trace &trace);
std::string to_json(const Schedule &schedule, uint64_t dag_hash);

// Errors say where (line of the text, or number of the directive, the first is 1), what was
// expected and what was found.
Result<Trace> parse_trace(std::string_view json);
Result<Schedule> from_json(std::string_view json);

// Whether the schedule makes sense for this pipeline: Funcs, stages and the algorithm's loops
// exist, each op has its loops and its factor, made loops are made before they are used, are not
// used after a split or a fusion has consumed them and have names of their own, the site of a
// compute_at is there in the end, nothing is marked or placed twice. The Error names the first
// directive that fails. Halide's own rules are beyond this: trial_lower knows those.
Status check_against(const Schedule &schedule, const Dag &dag);

}  // namespace autoschedule_gpu
