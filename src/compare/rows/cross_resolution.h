// Schedules made for one size and run at another, as in figure 8 of the Halide paper of 2013.
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
    std::string name = {};     // "full"; what tells sizes apart
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

    friend bool operator==(const CrossRow &, const CrossRow &) = default;
};

// One place of a table. Text: the slowdown ("1.25"), a time where the schedule made for that size
// has none ("3.1 ms"), "verified" or "ran" where there is no time, "wrong output" and the like for
// a failure, "-" where nothing was asked.
struct CrossCell {
    std::string text = "-";
    std::optional<double> slowdown = {};  // against the schedule made for the size it runs at
    std::optional<RowFailure> failure = {};
};

// One application under one scheduler on one device.
struct CrossTable {
    std::string app;
    std::string scheduler;
    std::string device;
    std::vector<NamedSize> scheduled_for;       // lines
    std::vector<NamedSize> run_at;              // columns
    std::vector<std::vector<CrossCell>> cells;  // [line][column]
};

// Tables, lines and columns in the order in which they first appear.
std::vector<CrossTable> cross_tables(const std::vector<CrossRow> &rows);

}  // namespace autoschedule_gpu
