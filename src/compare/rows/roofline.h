// The roofline model (Williams, Waterman, Patterson 2009) of a comparison: how much of the
// performance that its traffic allows a schedule reaches on its device.
//
//     intensity    = useful operations / bytes that must move from and to DRAM
//     attainable   = min(peak, intensity * bandwidth)
//     performance  = useful operations / time
//     share        = performance / attainable
//
// Operations are those of lab/traffic/operations.h. *Useful* are the fewest of any schedule of the
// group (groups.h) that is ok: beyond these, a schedule recomputes values, which takes time but is
// not performance. So within an application, twice the performance is half the time.
//
// Bytes are the footprint: each buffer that a kernel touches, once per launch. No schedule moves
// less if caches lose nothing within a launch and keep nothing from one launch to the next.
//
// Peak is that of the application's mix: floats and integers have lanes of their own, which work at
// the same time, so the longer of the two times counts. Only fused multiplications and additions
// would reach it, which no pipeline consists of; a roof is an upper bound.
//
// All functions are pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compare/rows/groups.h"
#include "compare/rows/row.h"

namespace autoschedule_gpu {

enum class RooflineBound : uint8_t { memory, arithmetic };

std::string to_string(RooflineBound bound);

// All figures of a schedule whose operations, bytes and roofs are known.
struct RooflineFigures {
    double operations = 0;  // operations that it executes
    double useful_operations = 0;
    double dram_bytes = 0;
    double intensity = 0;  // operations per byte
    double attainable_gop_per_s = 0;
    RooflineBound bound = RooflineBound::memory;
    bool exact = false;  // counted, not estimated

    double recomputation() const { return operations / useful_operations; }
    // `ms` must be positive.
    double gop_per_s(double ms) const { return useful_operations / (ms * 1e6); }
    double share(double ms) const { return gop_per_s(ms) / attainable_gop_per_s; }
};

struct RooflineRow {
    const ComparisonRow *row = nullptr;  // points into the group's rows
    std::optional<RooflineFigures> figures = {};
    std::string unknown = {};  // why there are no figures; empty if there are
    // Positive; both times are empty if there are no figures.
    std::optional<double> predicted_ms = {};
    std::optional<double> measured_ms = {};  // on a CUDA device only: no other has these roofs
};

// Returns one entry per row of the group, in the same order.
std::vector<RooflineRow> roofline_rows(const ComparisonGroup &group);

struct DeviceRoofs {
    std::string gpu;  // from the first row that has these roofs
    RowRoofs roofs;
};

// Returns the known roofs of the devices scheduled for, each once.
std::vector<DeviceRoofs> roofs_of(const std::vector<ComparisonRow> &rows);

}  // namespace autoschedule_gpu
