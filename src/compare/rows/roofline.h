// The roofline model (Williams, Waterman, Patterson 2009) of a comparison: how much of what its
// traffic lets a schedule reach on its device it does reach.
//
//     intensity    = useful operations / bytes that must move from and to DRAM
//     attainable   = min(peak, intensity * bandwidth)
//     performance  = useful operations / time
//     share        = performance / attainable
//
// Operations are those of lab/traffic/operations.h. *Useful* are the fewest of any schedule of the
// group (groups.h) that is ok: what another schedule does beyond them it computes again, which
// takes time but is no performance. So within an application, twice the performance is half of the
// time.
//
// Bytes are the footprint: each buffer that a kernel touches, once per launch. That is the least,
// if caches lost nothing within a launch and kept nothing from one to the next.
//
// Peak is that of the application's mix: floats and integers have lanes of their own, which work at
// the same time, so the longer of the two times counts. It is reached by multiplications with
// additions alone, by no pipeline then; a roof is an upper bound.
//
// Pure functions of their arguments.
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

// All figures of a schedule that has operations, bytes and roofs.
struct RooflineFigures {
    double operations = 0;  // that it executes
    double useful_operations = 0;
    double dram_bytes = 0;
    double intensity = 0;  // operations per byte
    double attainable_gop_per_s = 0;
    RooflineBound bound = RooflineBound::memory;
    bool exact = false;  // counted, not estimated

    double recomputation() const { return operations / useful_operations; }
    // Of a time in ms, which is positive.
    double gop_per_s(double ms) const { return useful_operations / (ms * 1e6); }
    double share(double ms) const { return gop_per_s(ms) / attainable_gop_per_s; }
};

struct RooflineRow {
    const ComparisonRow *row = nullptr;  // of the rows of the group
    std::optional<RooflineFigures> figures = {};
    std::string unknown = {};                 // why there are no figures
    std::optional<double> predicted_ms = {};  // both positive, and empty without figures
    std::optional<double> measured_ms = {};   // on a CUDA device: no other has these roofs
};

// One per row of the group, in their order.
std::vector<RooflineRow> roofline_rows(const ComparisonGroup &group);

struct DeviceRoofs {
    std::string gpu;  // of the first row that has these roofs
    RowRoofs roofs;
};

// All that is known of the devices scheduled for, each once.
std::vector<DeviceRoofs> roofs_of(const std::vector<ComparisonRow> &rows);

}  // namespace autoschedule_gpu
