#include "compare/rows/metrics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

namespace autoschedule_gpu {

namespace {

constexpr double kBytesPerKib = 1024;

template <auto kMember>
std::optional<double> total(const ComparisonRow &, const RowTotals &totals) {
    if (!(totals.*kMember)) return std::nullopt;
    return static_cast<double>(*(totals.*kMember));
}

template <auto kMember>
std::optional<double> own(const ComparisonRow &row, const RowTotals &) {
    return row.*kMember;
}

std::optional<double> shared_kib(const ComparisonRow &, const RowTotals &totals) {
    if (!totals.most_shared_bytes) return std::nullopt;
    return static_cast<double>(*totals.most_shared_bytes) / kBytesPerKib;
}

using enum MetricFormat;

// Registers and shared memory are never judged, because they are means: their cost shows as
// occupancy and spills.
// clang-format off
constexpr std::array<ComparisonMetric, 12> kMetrics = {{
    {"search_s", "search time", "s", {"search", ""}, Better::lower, decimal, false,
     own<&ComparisonRow::search_s>},
    {"peak_mb", "peak memory of the search", "MiB", {"peak", "memory"}, Better::lower, decimal,
     false, own<&ComparisonRow::peak_mb>},
    {"kernels", "kernel launches", "", {"ker-", "nels"}, Better::lower, whole, false,
     total<&RowTotals::kernels>},
    {"registers", "most registers per thread", "", {"regs", ""}, Better::neither, whole, false,
     total<&RowTotals::most_registers>},
    {"spill_bytes", "spills per thread", "B", {"spills", ""}, Better::lower, whole, false,
     total<&RowTotals::spill_bytes>},
    {"shared_kib", "most shared memory per block", "KiB", {"shared", ""}, Better::neither, decimal,
     false, shared_kib},
    {"least_occupancy", "least occupancy", "%", {"least", "occup."}, Better::higher, percent, false,
     total<&RowTotals::least_occupancy>},
    {"mean_occupancy", "mean occupancy", "%", {"mean", "occup."}, Better::higher, percent, false,
     total<&RowTotals::mean_occupancy>},
    {"footprint_mb", "footprint in global memory", "MB", {"foot-", "print"}, Better::lower, decimal,
     true, total<&RowTotals::footprint_mb>},
    {"access_mb", "accesses to global memory", "MB", {"access", ""}, Better::lower, decimal, true,
     total<&RowTotals::access_mb>},
    {"transaction_mb", "transactions of global memory", "MB", {"trans-", "actions"}, Better::lower,
     decimal, true, total<&RowTotals::transaction_mb>},
    {"run_ms", "run time", "ms", {"run", "time"}, Better::lower, decimal, false,
     own<&ComparisonRow::run_ms>},
}};
// clang-format on

}  // namespace

std::span<const ComparisonMetric> comparison_metrics() {
    return kMetrics;
}

const ComparisonMetric *find_metric(std::string_view key) {
    const auto found = std::find_if(kMetrics.begin(), kMetrics.end(),
                                    [&](const ComparisonMetric &m) { return m.key == key; });
    return found == kMetrics.end() ? nullptr : &*found;
}

std::string decimal_text(double value) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2e", value);
    int exponent = 0;
    std::sscanf(text, "%*[^e]e%d", &exponent);
    // The value is rounded first, so that 9.999 gets the digits of 10. Nine digits are enough for a
    // nanosecond.
    std::snprintf(text, sizeof text, "%.*f", value == 0 ? 0 : std::clamp(2 - exponent, 0, 9),
                  value);
    return text;
}

std::string metric_text(const ComparisonMetric &metric, double value) {
    if (metric.format == decimal) return decimal_text(value);
    char text[64];
    std::snprintf(text, sizeof text, "%.0f", metric.format == percent ? value * 100 : value);
    return text;
}

double times_worse(const ComparisonMetric &metric, double value, double other) {
    const double bad = metric.better == Better::lower ? value : other;
    const double good = metric.better == Better::lower ? other : value;
    if (bad == good) return 1;
    if (good == 0) return std::numeric_limits<double>::infinity();
    return bad / good;
}

}  // namespace autoschedule_gpu
