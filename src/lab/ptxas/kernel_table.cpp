#include "lab/ptxas/kernel_table.h"

#include <algorithm>
#include <array>

#include "core/json/json.h"

namespace autoschedule_gpu {

namespace {

constexpr size_t kColumns = 6;
using Line = std::array<std::string, kColumns>;

Line line_of(const KernelRow &row) {
    return {row.kernel.name,
            std::to_string(row.kernel.registers),
            std::to_string(row.kernel.spill_store_bytes),
            std::to_string(row.kernel.spill_load_bytes),
            std::to_string(row.kernel.stack_bytes),
            row.shared_bytes ? std::to_string(*row.shared_bytes) : "-"};
}

}  // namespace

void add_launches(std::vector<KernelRow> &rows, const std::vector<Launch> &launches) {
    std::vector<std::string> names;
    for (const KernelRow &row : rows) names.push_back(row.kernel.name);
    const std::vector<int> launch_of = match_launches(names, launches);
    for (size_t i = 0; i < rows.size(); i++) {
        if (launch_of[i] < 0) continue;
        rows[i].shared_bytes = launches[static_cast<size_t>(launch_of[i])].shared_bytes;
    }
}

std::string to_table(const std::vector<KernelRow> &rows) {
    std::vector<Line> lines = {
        {"kernel", "registers", "spill stores", "spill loads", "stack bytes", "shared bytes"}};
    for (const KernelRow &row : rows) lines.push_back(line_of(row));
    std::array<size_t, kColumns> width{};
    for (const Line &line : lines) {
        for (size_t c = 0; c < kColumns; c++) width[c] = std::max(width[c], line[c].size());
    }
    std::string text;
    for (const Line &line : lines) {
        text += line[0] + std::string(width[0] - line[0].size(), ' ');
        for (size_t c = 1; c < kColumns; c++) {
            text += "  " + std::string(width[c] - line[c].size(), ' ') + line[c];
        }
        text += "\n";
    }
    return text;
}

std::string to_json(const std::vector<KernelRow> &rows) {
    Json kernels = Json::array();
    for (const auto &[file, kernel, shared_bytes] : rows) {
        Json entry = {{"file", file},
                      {"kernel", kernel.name},
                      {"registers", kernel.registers},
                      {"spill_store_bytes", kernel.spill_store_bytes},
                      {"spill_load_bytes", kernel.spill_load_bytes},
                      {"stack_bytes", kernel.stack_bytes},
                      {"static_shared_bytes", kernel.static_shared_bytes},
                      {"constant_bytes", kernel.constant_bytes}};
        if (shared_bytes) entry["shared_bytes"] = *shared_bytes;
        kernels.push_back(std::move(entry));
    }
    return dump({{"kernels", kernels}}, 4) + "\n";
}

}  // namespace autoschedule_gpu
