#include "compare/rows/comparison_file.h"

#include <tuple>

#include "compare/rows/json_rows.h"

namespace autoschedule_gpu {

template <typename Visitor>
void visit_fields(Visitor &visitor, RowKernel &kernel) {
    visitor.field("name", kernel.name);
    visitor.field("blocks", kernel.blocks);
    visitor.field("threads", kernel.threads);
    visitor.field("launches", kernel.launches);
    visitor.field("registers", kernel.registers);
    visitor.field("spill_bytes", kernel.spill_bytes);
    visitor.field("stack_bytes", kernel.stack_bytes);
    visitor.field("shared_bytes", kernel.shared_bytes);
    visitor.share("occupancy", kernel.occupancy);
    visitor.field("footprint_load_bytes", kernel.footprint_load_bytes);
    visitor.field("footprint_store_bytes", kernel.footprint_store_bytes);
    visitor.field("access_load_bytes", kernel.access_load_bytes);
    visitor.field("access_store_bytes", kernel.access_store_bytes);
    visitor.field("transaction_load_bytes", kernel.transaction_load_bytes);
    visitor.field("transaction_store_bytes", kernel.transaction_store_bytes);
    visitor.field("shared_access_bytes", kernel.shared_access_bytes);
    visitor.field("shared_wavefronts", kernel.shared_wavefronts);
    visitor.field("float_operations", kernel.float_operations);
    visitor.field("integer_operations", kernel.integer_operations);
    visitor.field("predicted_ms", kernel.predicted_ms);
    visitor.field("exact", kernel.exact);
    visitor.field("data_dependent", kernel.data_dependent);
}

template <typename Visitor>
void visit_fields(Visitor &visitor, VerifiedSize &size) {
    visitor.field("size", size.size);
    visitor.field("ok", size.ok);
    visitor.field("detail", size.detail);
}

template <typename Visitor>
void visit_fields(Visitor &visitor, RowRoofs &roofs) {
    visitor.rate("float_gop_per_s", roofs.float_gop_per_s);
    visitor.rate("integer_gop_per_s", roofs.integer_gop_per_s);
    visitor.rate("dram_gb_per_s", roofs.dram_gb_per_s);
}

template <typename Visitor>
void visit_fields(Visitor &visitor, ComparisonRow &row) {
    visitor.field("app", row.app);
    visitor.field("scheduler", row.scheduler);
    visitor.field("size", row.size);
    visitor.field("gpu", row.gpu);
    visitor.field("roofs", row.roofs);
    visitor.field("device", row.device);
    visitor.outcome(row.failure);
    visitor.field("reproduce", row.reproduce);
    visitor.median("search_s", row.search_s, row.search_s_interval);
    visitor.field("search_s_samples", row.search_s_samples);
    visitor.field("generator_s", row.generator_s);
    visitor.field("peak_mb", row.peak_mb);
    visitor.field("kernels", row.kernels);
    visitor.field("uncounted", row.uncounted);
    visitor.verified(row.verified, row.failure);
    visitor.field("verified_sizes", row.verified_sizes);
    visitor.median("run_ms", row.run_ms, row.run_ms_interval);
    visitor.field("run_samples", row.run_samples);
    visitor.field("date", row.date);
    visitor.field("command", row.command);
}

static bool same_entry(const ComparisonRow &a, const ComparisonRow &b) {
    return std::tie(a.app, a.scheduler, a.size, a.gpu) ==
           std::tie(b.app, b.scheduler, b.size, b.gpu);
}

template struct RowsFile<ComparisonRow>;

}  // namespace autoschedule_gpu
