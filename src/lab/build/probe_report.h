// What the probe found, as a JSON file that is written under another name and then renamed:
//
//     {"format": "autoschedule_gpu.probe", "version": 8,
//      "inner": "Anderson2021",        the autoscheduler that was called; "" for none
//      "search_s": 1.25,               seconds in it; null without one, and so is the next
//      "peak_memory_bytes": N,         greatest resident memory of the process or a child of it,
//                                      until the schedule was there
//      "error": null,                  or why there is no schedule; the rest is null then
//      "traffic_error": null,          or why the kernels could not be counted
//      "kernels": [{"name", "func", "launches", "blocks": [x, y, z], "threads": [x, y, z],
//                   "shared_bytes", "thread_local_bytes",
//                   "footprint_load_bytes", "footprint_store_bytes",
//                   "cached_load_bytes", "cached_store_bytes", "block_load_bytes", "barriers",
//                   "exact", "data_dependent", SUMS, "parts": [{"executions", SUMS},
//                   ...]},
//                  ...],                  null while the pipeline is not lowered
//      "launches": []}                 [{"name", "blocks", "threads", "shared_bytes"}, ...] where
//                                      the kernels could not be counted, but their loops be read: 0
//                                      for an extent, null for bytes that are no constants
//                                      (lab/traffic/launch_extents.h)
//
// SUMS are the fields of ThreadWork: "access_load_bytes" and so on.
//
// The fields of a kernel are those of KernelTraffic (lab/traffic/count.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "lab/traffic/count.h"
#include "lab/traffic/launch_extents.h"

namespace autoschedule_gpu {

struct ProbeReport {
    std::string inner = {};
    std::optional<double> search_s = {};
    std::optional<int64_t> peak_memory_bytes = {};
    std::optional<std::string> error = {};
    std::optional<std::string> traffic_error = {};
    std::optional<std::vector<KernelTraffic>> kernels = {};
    std::vector<LaunchExtents> launches = {};
};

std::string to_json(const ProbeReport &report);

// The inverse of to_json. Errors say which field is missing or of another kind.
Result<ProbeReport> parse_probe_report(std::string_view json);

}  // namespace autoschedule_gpu
