#include "compare/rows/roofline.h"

#include <algorithm>

#include "compare/rows/table_words.h"

namespace autoschedule_gpu {

namespace {

// The least that any schedule of an application has to compute.
struct UsefulWork {
    double floats = 0;
    double integers = 0;

    double operations() const { return floats + integers; }
};

std::optional<UsefulWork> work_of(const RowTotals &totals) {
    if (!totals.float_operations || !totals.integer_operations) return std::nullopt;
    return UsefulWork{*totals.float_operations, *totals.integer_operations};
}

std::optional<UsefulWork> useful_work(const ComparisonGroup &group) {
    std::optional<UsefulWork> least;
    for (const ComparedRow &compared : group.rows) {
        const std::optional<UsefulWork> work = work_of(compared.totals);
        if (!compared.row->ok() || !work || work->operations() == 0) continue;
        if (!least || work->operations() < least->operations()) least = work;
    }
    return least;
}

std::string what_is_unknown(const ComparedRow &compared) {
    const std::optional<UsefulWork> work = work_of(compared.totals);
    if (compared.row->failure) {
        return "failed (" + std::string(to_string(compared.row->failure->kind)) + ")";
    }
    if (compared.row->kernels.empty()) return "no kernel is known";
    if (!work) return "operations were not counted";
    if (work->operations() == 0) return "no operation was counted";
    if (!compared.totals.footprint_mb) return "bytes were not counted";
    if (*compared.totals.footprint_mb == 0) return "no byte was counted";
    if (!compared.row->roofs) return "the roofs of the device are not known";
    return "";
}

RooflineFigures figures_of(const ComparedRow &compared, const UsefulWork &useful) {
    const RowRoofs &roofs = *compared.row->roofs;
    RooflineFigures figures;
    figures.operations = work_of(compared.totals)->operations();
    figures.useful_operations = useful.operations();
    figures.dram_bytes = *compared.totals.footprint_mb * kBytesPerMb;
    figures.intensity = figures.useful_operations / figures.dram_bytes;
    figures.exact = compared.totals.traffic_is_exact;
    const double arithmetic_ns =
        std::max(useful.floats / roofs.float_gop_per_s, useful.integers / roofs.integer_gop_per_s);
    const double dram_ns = figures.dram_bytes / roofs.dram_gb_per_s;
    figures.bound = arithmetic_ns > dram_ns ? RooflineBound::arithmetic : RooflineBound::memory;
    figures.attainable_gop_per_s = figures.useful_operations / std::max(arithmetic_ns, dram_ns);
    return figures;
}

std::optional<double> if_positive(const std::optional<double> &ms) {
    return ms && *ms > 0 ? ms : std::nullopt;
}

// Returns true if the row's device may be the one that was scheduled for.
bool has_roofs(const std::string &device) {
    return device.starts_with("cuda") || device.starts_with("replay: cuda");
}

RooflineRow row_of(const ComparedRow &compared, const std::optional<UsefulWork> &useful) {
    RooflineRow result = {.row = compared.row, .unknown = what_is_unknown(compared)};
    if (!result.unknown.empty()) return result;
    result.figures = figures_of(compared, *useful);
    result.predicted_ms = if_positive(compared.totals.predicted_ms);
    if (has_roofs(compared.row->device)) result.measured_ms = if_positive(compared.row->run_ms);
    return result;
}

}  // namespace

std::string to_string(RooflineBound bound) {
    return bound == RooflineBound::memory ? "memory" : "arithmetic";
}

std::vector<RooflineRow> roofline_rows(const ComparisonGroup &group) {
    const std::optional<UsefulWork> useful = useful_work(group);
    std::vector<RooflineRow> rows;
    for (const ComparedRow &compared : group.rows) rows.push_back(row_of(compared, useful));
    return rows;
}

std::vector<DeviceRoofs> roofs_of(const std::vector<ComparisonRow> &rows) {
    std::vector<DeviceRoofs> all;
    for (const ComparisonRow &row : rows) {
        if (!row.roofs) continue;
        if (std::ranges::find(all, *row.roofs, &DeviceRoofs::roofs) != all.end()) continue;
        all.push_back({row.gpu, *row.roofs});
    }
    return all;
}

}  // namespace autoschedule_gpu
