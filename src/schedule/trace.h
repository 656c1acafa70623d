// A schedule as a JSON trace, and back: the form in which schedules are stored, compared and
// replayed. One object; the reader takes exactly what is described here and nothing else.
//
//     {
//       "format": "autoschedule_gpu.trace",
//       "version": 1,
//       "pipeline": "00c0ffee00c0ffee",     Dag::hash(), 16 hexadecimal digits
//       "producer": "autoschedule_gpu 0.1", optional: who wrote it; any text
//       "directives": [
//         {"op": "compute_root", "func": 2, "name": "blur_y"},
//         {"op": "split", "func": 2, "name": "blur_y", "stage": 0,
//          "loops": [{"original": 0, "name": "x"}, {"name": "xo"}, {"name": "xi"}],
//          "factor": 32, "tail": "GuardWithIf"},
//         {"op": "store_in", "func": 1, "name": "blur_x", "memory": "GPUShared"},
//         {"op": "compute_at", "func": 1, "name": "blur_x",
//          "site_func": 2, "site_stage": 0, "site_loop": {"name": "xo"}}
//       ]
//     }
//
// A directive has "op", "func" and "name", the other fields where its op uses them (`shape` in
// directive.h), "stage" unless it acts on the Func as a whole. All are required. A loop with
// "original" is one of the stage's own, and its name is for readers only; one without was made by
// an earlier directive (or is by this one). Names of ops, tails and memory types are those of
// `name` in directive.h.
//
// Version: a change that an older reader would misread raises it. Numbers are integers.
// Pure functions; they never throw on any input.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "dag/dag.h"
#include "schedule/directive.h"
#include "support/error.h"

namespace autoschedule_gpu {

inline constexpr int kTraceVersion = 1;

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
