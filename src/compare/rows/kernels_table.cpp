#include "compare/rows/metrics.h"
#include "compare/rows/table_words.h"
#include "compare/rows/tables.h"
#include "present/text.h"

namespace autoschedule_gpu {

namespace {

std::string text_of(const std::optional<int64_t> &value) {
    return value ? std::to_string(*value) : kUnknown;
}

std::string text_of(const std::array<std::optional<int64_t>, 3> &extents) {
    return text_of(extents[0]) + " x " + text_of(extents[1]) + " x " + text_of(extents[2]);
}

std::string megabytes(const std::optional<double> &bytes) {
    return bytes ? decimal_text(*bytes / kBytesPerMb) : kUnknown;
}

std::string pair_of(const std::optional<double> &loads, const std::optional<double> &stores) {
    return megabytes(loads) + " + " + megabytes(stores);
}

std::string operations_of(const RowKernel &kernel) {
    if (!kernel.float_operations || !kernel.integer_operations) return kUnknown;
    return decimal_text(*kernel.float_operations / 1e6) + " + " +
           decimal_text(*kernel.integer_operations / 1e6);
}

std::string note_on(const RowKernel &kernel) {
    std::string note;
    if (kernel.data_dependent.value_or(false)) note += "addresses depend on data";
    if (!kernel.exact.value_or(true)) note += (note.empty() ? "" : ", ") + std::string("estimated");
    return note;
}

TableLine line_of(const RowKernel &kernel) {
    const std::string occupancy =
        kernel.occupancy ? decimal_text(*kernel.occupancy * 100) : kUnknown;
    const std::string wavefronts =
        kernel.shared_wavefronts ? decimal_text(*kernel.shared_wavefronts) : kUnknown;
    const std::string predicted =
        kernel.predicted_ms ? decimal_text(*kernel.predicted_ms) : kUnknown;
    TableLine line;
    for (const std::string &text :
         {clean_text(kernel.name), text_of(kernel.blocks), text_of(kernel.threads),
          text_of(kernel.launches), text_of(kernel.registers), text_of(kernel.spill_bytes),
          text_of(kernel.stack_bytes), text_of(kernel.shared_bytes), occupancy,
          pair_of(kernel.footprint_load_bytes, kernel.footprint_store_bytes),
          pair_of(kernel.access_load_bytes, kernel.access_store_bytes),
          pair_of(kernel.transaction_load_bytes, kernel.transaction_store_bytes),
          megabytes(kernel.shared_access_bytes), wavefronts, operations_of(kernel), predicted}) {
        line.cells.push_back({.text = text});
    }
    line.cells.front().detail = note_on(kernel);
    return line;
}

}  // namespace

Table kernels_table(const ComparisonRow &row) {
    Table table;
    if (row.kernels.empty()) return table;
    table.title = clean_text(row.app) + ", " + clean_text(row.scheduler);
    const auto number = [](const char *title, const char *unit) {
        return TableColumn{.title = title, .unit = unit, .of_numbers = true};
    };
    table.columns = {{.title = "kernel"},
                     number("blocks", ""),
                     number("threads", ""),
                     number("launches", ""),
                     number("registers", ""),
                     number("spills", "B"),
                     number("stack", "B"),
                     number("shared", "B"),
                     number("occupancy", "%"),
                     number("footprint, loads + stores", "MB"),
                     number("accesses, loads + stores", "MB"),
                     number("transactions, loads + stores", "MB"),
                     number("shared accesses", "MB"),
                     number("shared wavefronts", ""),
                     number("operations, floats + integers", "10^6"),
                     number("predicted time", "ms")};
    TableSection &section = table.sections.emplace_back();
    for (const RowKernel &kernel : row.kernels) section.lines.push_back(line_of(kernel));
    return table;
}

}  // namespace autoschedule_gpu
