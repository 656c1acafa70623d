// The figures by which schedules are compared, in one list. Tables, marks, losses, summaries and
// plots all come from it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "compare/rows/row.h"
#include "compare/rows/totals.h"

namespace autoschedule_gpu {

// Which value is better. A metric with `neither` is shown but never judged.
enum class Better : uint8_t { lower, higher, neither };

// How a value is written: as 12.3, as a whole number, or as a percentage.
enum class MetricFormat : uint8_t { decimal, whole, percent };

struct ComparisonMetric {
    std::string_view key;                  // "search_s", as notes name it
    std::string_view title;                // "search time"
    std::string_view unit;                 // "s"; empty for a count
    std::array<std::string_view, 2> head;  // the title on two short lines, for narrow tables
    Better better;
    MetricFormat format;
    bool of_traffic;  // written with '~' if the traffic is not exact
    std::optional<double> (*value)(const ComparisonRow &row, const RowTotals &totals);
};

std::span<const ComparisonMetric> comparison_metrics();

// Returns null if there is no metric of that key.
const ComparisonMetric *find_metric(std::string_view key);

// Returns three significant digits, and at least all digits before the point: "12.3", "0.00420",
// "4711", "0".
std::string decimal_text(double value);

// Returns a value in the metric's format, without its unit.
std::string metric_text(const ComparisonMetric &metric, double value);

// Returns how many times worse `value` is than `other`: above 1 if `other` is better, infinite if
// only the better one is zero, 1 if both are. Must not be called for a metric with Better::neither.
double times_worse(const ComparisonMetric &metric, double value, double other);

}  // namespace autoschedule_gpu
