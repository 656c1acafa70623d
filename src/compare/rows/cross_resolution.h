// Schedules made for one size and run at another, as in figure 8 of the Halide paper (Ragan-Kelley
// et al. 2013).
//
//     cross_rows_file (cross_resolution.json) ◄─► CrossRow ─► cross_tables ─► terminal, markdown,
//     html
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compare/rows/row.h"

namespace autoschedule_gpu {

struct NamedSize {
    std::string name = {};     // "full"; identifies the size
    std::string extents = {};  // "1536x2560x3"

    friend bool operator==(const NamedSize &, const NamedSize &) = default;
};

struct CrossRow {
    std::string app = {};
    std::string scheduler = {};
    NamedSize scheduled_for = {};
    NamedSize run_at = {};
    std::optional<RowFailure> failure = {};
    std::optional<bool> verified = {};
    std::optional<double> run_ms = {};  // median
    std::optional<RowInterval> run_ms_interval = {};
    std::string device = "none";

    bool ok() const { return !failure; }

    friend bool operator==(const CrossRow &, const CrossRow &) = default;
};

// One cell of a table. Its text is the slowdown ("1.25"), or a time if the schedule made for that
// size has none ("3.1 ms"), "verified" or "ran" if there is no time, "wrong output" and the like
// for a failure, and "-" if nothing was asked for.
struct CrossCell {
    std::string text = "-";
    std::optional<double> slowdown = {};  // against the schedule made for the size at which it runs
    std::optional<RowFailure> failure = {};
};

// The results of one application under one scheduler on one device.
struct CrossTable {
    std::string app;
    std::string scheduler;
    std::string device;
    std::vector<NamedSize> scheduled_for;       // lines
    std::vector<NamedSize> run_at;              // columns
    std::vector<std::vector<CrossCell>> cells;  // [line][column]
};

// Returns tables, lines and columns in the order in which they first appear.
std::vector<CrossTable> cross_tables(const std::vector<CrossRow> &rows);

}  // namespace autoschedule_gpu
