#include "compare/rows/cross_resolution.h"

#include <algorithm>

#include "compare/rows/metrics.h"

namespace autoschedule_gpu {

namespace {

size_t index_of(std::vector<NamedSize> &sizes, const NamedSize &size) {
    const auto found = std::find_if(sizes.begin(), sizes.end(), [&](const NamedSize &other) {
        return other.name == size.name;
    });
    const size_t index = static_cast<size_t>(found - sizes.begin());
    if (found == sizes.end()) sizes.push_back(size);
    return index;
}

bool belongs_to(const CrossRow &row, const CrossTable &table) {
    return row.app == table.app && row.scheduler == table.scheduler && row.device == table.device;
}

// Returns the time of the schedule that was made for the size at which `row` ran.
std::optional<double> own_time(const std::vector<const CrossRow *> &rows, const CrossRow &row) {
    for (const CrossRow *other : rows) {
        const bool made_for_it =
            other->scheduled_for.name == row.run_at.name && other->run_at.name == row.run_at.name;
        if (made_for_it && !other->failure) return other->run_ms;
    }
    return std::nullopt;
}

CrossCell cell_of(const CrossRow &row, std::optional<double> own) {
    CrossCell cell;
    if (row.failure) {
        cell.failure = row.failure;
        cell.text = to_string(row.failure->kind);
    } else if (!row.run_ms) {
        cell.text = row.verified.value_or(false) ? "verified" : "ran";
    } else if (own && *own > 0) {
        cell.slowdown = *row.run_ms / *own;
        cell.text = decimal_text(*cell.slowdown);
    } else {
        cell.text = decimal_text(*row.run_ms) + " ms";
    }
    return cell;
}

void fill(CrossTable &table, const std::vector<const CrossRow *> &rows) {
    for (const CrossRow *row : rows) {
        index_of(table.scheduled_for, row->scheduled_for);
        index_of(table.run_at, row->run_at);
    }
    table.cells.assign(table.scheduled_for.size(), std::vector<CrossCell>(table.run_at.size()));
    for (const CrossRow *row : rows) {
        const size_t line = index_of(table.scheduled_for, row->scheduled_for);
        const size_t column = index_of(table.run_at, row->run_at);
        table.cells[line][column] = cell_of(*row, own_time(rows, *row));
    }
}

}  // namespace

std::vector<CrossTable> cross_tables(const std::vector<CrossRow> &rows) {
    std::vector<CrossTable> tables;
    std::vector<std::vector<const CrossRow *>> rows_of;
    for (const CrossRow &row : rows) {
        const auto found = std::find_if(tables.begin(), tables.end(), [&](const CrossTable &table) {
            return belongs_to(row, table);
        });
        const size_t index = static_cast<size_t>(found - tables.begin());
        if (found == tables.end()) {
            tables.push_back({row.app, row.scheduler, row.device, {}, {}, {}});
            rows_of.emplace_back();
        }
        rows_of[index].push_back(&row);
    }
    for (size_t i = 0; i < tables.size(); i++) fill(tables[i], rows_of[i]);
    return tables;
}

}  // namespace autoschedule_gpu
