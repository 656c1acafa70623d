#include "compare/ablation/row_figures.h"

#include <algorithm>

#include "core/support/statistics.h"
#include "present/text.h"

namespace autoschedule_gpu {

std::vector<std::string> apps_of(const std::vector<AblationRow> &rows) {
    std::vector<std::string> apps;
    for (const AblationRow &row : rows) {
        if (std::find(apps.begin(), apps.end(), row.app) == apps.end()) apps.push_back(row.app);
    }
    return apps;
}

const AblationRow *find_row(const std::vector<AblationRow> &rows, const std::string &app,
                            const std::vector<std::string> &configurations) {
    const AblationRow *found = nullptr;
    for (const std::string &configuration : configurations) {
        for (const AblationRow &row : rows) {
            if (row.app != app || row.configuration != configuration) continue;
            if (found == nullptr || (!found->completed() && row.completed())) found = &row;
        }
    }
    return found;
}

std::optional<double> search_s(const AblationRow &row) {
    return median(row.search_s);
}

std::optional<double> predicted_us(const AblationRow &row) {
    return row.search->predicted_us;
}

std::string other_choices(const std::vector<const AblationRow *> &rows) {
    std::string text;
    for (const AblationRow *row : rows) {
        if (row == nullptr || !row->search || row->took_the_searchs()) continue;
        text += (text.empty() ? "" : "; ") + row->configuration + ": Halide took the schedule \"" +
                clean_text(row->search->chosen) + "\" instead of the search's";
    }
    return text;
}

}  // namespace autoschedule_gpu
