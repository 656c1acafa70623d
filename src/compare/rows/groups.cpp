#include "compare/rows/groups.h"

#include <algorithm>
#include <array>

namespace autoschedule_gpu {

namespace {

using Key = std::array<std::string_view, 3>;

Key key_of(const ComparisonRow &row) {
    return {row.app, row.size, row.gpu};
}

// Returns the application and, of size and gpu, those that differ between groups.
std::string title_of(const Key &key, const std::vector<Key> &all) {
    std::string title(key[0]);
    for (size_t part = 1; part < key.size(); part++) {
        const bool differs = std::any_of(
            all.begin(), all.end(), [&](const Key &other) { return other[part] != key[part]; });
        if (differs) title += ", " + std::string(key[part]);
    }
    return title;
}

}  // namespace

const ComparedRow *ComparisonGroup::find(std::string_view scheduler) const {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const ComparedRow &compared) {
        return compared.row->scheduler == scheduler;
    });
    return found == rows.end() ? nullptr : &*found;
}

std::vector<ComparisonGroup> group_rows(const std::vector<ComparisonRow> &rows) {
    std::vector<Key> keys;
    std::vector<ComparisonGroup> groups;
    for (const ComparisonRow &row : rows) {
        const Key key = key_of(row);
        const auto found = std::find(keys.begin(), keys.end(), key);
        const size_t index = static_cast<size_t>(found - keys.begin());
        if (found == keys.end()) {
            keys.push_back(key);
            groups.emplace_back();
        }
        groups[index].rows.push_back({&row, totals(row)});
    }
    for (size_t i = 0; i < groups.size(); i++) groups[i].title = title_of(keys[i], keys);
    return groups;
}

std::vector<std::string> schedulers_of(const std::vector<ComparisonRow> &rows) {
    std::vector<std::string> names;
    for (const ComparisonRow &row : rows) {
        if (std::find(names.begin(), names.end(), row.scheduler) != names.end()) continue;
        names.push_back(row.scheduler);
    }
    return names;
}

}  // namespace autoschedule_gpu
