#include "compare/ablation/decision_tables.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "compare/ablation/configuration.h"
#include "compare/ablation/row_figures.h"
#include "compare/ablation/tables.h"
#include "compare/rows/metrics.h"
#include "present/text.h"
#include "scheduler/decisions/optional_kinds.h"

namespace autoschedule_gpu {
namespace {

// Below this, a kind does not matter to an application.
constexpr double kMatters = 1.02;

using Figure = std::optional<double> (*)(const AblationRow &);

struct Ratio {
    std::string app;
    double value = 0;
};

class Ratios {
public:
    explicit Ratios(const std::vector<AblationRow> &rows) : rows_(rows), apps_(apps_of(rows)) {}

    const std::vector<std::string> &apps() const { return apps_; }

    // The rows of an application: with all kinds, and without one each.
    std::vector<const AblationRow *> rows_of(const std::string &app) const {
        std::vector<const AblationRow *> found;
        for (const Configuration &configuration : decision_configurations()) {
            found.push_back(find_row(rows_, app, {configuration.name}));
        }
        return found;
    }

    // Of the search without a kind to the one with all.
    std::optional<double> without(std::string_view kind, const std::string &app,
                                  Figure figure) const {
        const AblationRow *all = completed(app, std::string(kDefaultConfiguration));
        const AblationRow *less = completed(app, name_without(kind));
        if (all == nullptr || less == nullptr) return std::nullopt;
        const std::optional<double> base = figure(*all), other = figure(*less);
        if (!base || !other || *base <= 0 || *other <= 0) return std::nullopt;
        return *other / *base;
    }

    // Of all applications that have one.
    std::vector<Ratio> without(std::string_view kind, Figure figure) const {
        std::vector<Ratio> found;
        for (const std::string &app : apps_) {
            if (const auto ratio = without(kind, app, figure)) found.push_back({app, *ratio});
        }
        return found;
    }

private:
    const AblationRow *completed(const std::string &app, const std::string &configuration) const {
        const AblationRow *row = find_row(rows_, app, {configuration});
        return row != nullptr && row->completed() ? row : nullptr;
    }

    const std::vector<AblationRow> &rows_;
    std::vector<std::string> apps_;
};

// What a kind gains is told by what the search finds with and without it, and not by what Halide
// took instead of that.
std::optional<double> predicted_of_search_us(const AblationRow &row) {
    return row.took_the_searchs() ? predicted_us(row) : std::nullopt;
}

// The applications that means are over: those of which no kind lacks a ratio, but for kinds that
// have none at all. Means over different ones would not compare kinds.
std::vector<std::string> common_apps(const Ratios &ratios) {
    std::vector<std::string> common;
    const auto has_all = [&](const std::string &app) {
        return std::ranges::all_of(optional_kinds(), [&](const OptionalKind &kind) {
            if (ratios.without(kind.name, predicted_of_search_us).empty()) return true;
            return ratios.without(kind.name, app, predicted_of_search_us) &&
                   ratios.without(kind.name, app, search_s);
        });
    };
    std::ranges::copy_if(ratios.apps(), std::back_inserter(common), has_all);
    return common;
}

double geometric_mean(const Ratios &ratios, std::string_view kind,
                      const std::vector<std::string> &apps, Figure figure) {
    double logarithms = 0;
    for (const std::string &app : apps) logarithms += std::log(*ratios.without(kind, app, figure));
    return std::exp(logarithms / static_cast<double>(apps.size()));
}

// `common`: what means are over.
TableLine summary_line(const Ratios &ratios, std::string_view kind,
                       const std::vector<std::string> &common) {
    const std::vector<Ratio> gains = ratios.without(kind, predicted_of_search_us);
    TableLine line{.cells = {{.text = std::string(kind)}}};
    if (gains.empty()) {
        for (int column = 0; column < 6; ++column) line.cells.push_back({.text = "-"});
        return line;
    }
    const auto count = [&](const auto &counts) {
        return std::to_string(std::ranges::count_if(gains, counts)) + " of " +
               std::to_string(gains.size());
    };
    const auto mean_text = [&](Figure figure, double power) {
        if (common.empty()) return std::string("-");
        return decimal_text(std::pow(geometric_mean(ratios, kind, common, figure), power));
    };
    const Ratio &most = *std::ranges::max_element(gains, {}, &Ratio::value);
    line.cells.push_back({.text = count([](const Ratio &r) { return r.value >= kMatters; })});
    line.cells.push_back({.text = count([](const Ratio &r) { return r.value <= 1 / kMatters; })});
    line.cells.push_back({.text = mean_text(predicted_of_search_us, 1)});
    line.cells.push_back({.text = decimal_text(most.value)});
    line.cells.push_back({.text = clean_text(most.value >= kMatters ? most.app : "-")});
    line.cells.push_back({.text = mean_text(search_s, -1)});
    return line;
}

Table summary_table(const Ratios &ratios, const std::string &where, const std::string &machine) {
    Table table{.title = "Kinds of decisions",
                .caption = where +
                           ". Gain: the predicted time of the schedule that is found "
                           "without the kind, divided by that with it. Search: its time "
                           "with the kind, divided by that without; on " +
                           clean_text(machine) + "."};
    table.columns = {{.title = "without"},
                     {.title = "gains on", .of_numbers = true},
                     {.title = "loses on", .of_numbers = true},
                     {.title = "mean gain", .of_numbers = true},
                     {.title = "most gain", .of_numbers = true},
                     {.title = "of"},
                     {.title = "search", .of_numbers = true}};
    TableSection &section = table.sections.emplace_back();
    const std::vector<std::string> common = common_apps(ratios);
    for (const OptionalKind &kind : optional_kinds()) {
        section.lines.push_back(summary_line(ratios, kind.name, common));
    }
    table.legend =
        "Gains, loses: applications where the ratio is " + decimal_text(kMatters) +
        " and more, or that much below 1. Mean gain and search are geometric means over " +
        std::to_string(common.size()) + " of " + std::to_string(ratios.apps().size()) +
        " applications, those of which no kind lacks a ratio. There is none where Halide took "
        "another schedule than the search's.";
    return table;
}

Table ratio_table(const Ratios &ratios, const std::string &title, const std::string &caption,
                  Figure figure) {
    Table table{.title = title, .caption = caption};
    table.columns.push_back({.title = "application"});
    for (const OptionalKind &kind : optional_kinds()) {
        table.columns.push_back({.title = std::string(kind.name), .of_numbers = true});
    }
    TableSection &section = table.sections.emplace_back();
    for (const std::string &app : ratios.apps()) {
        TableLine &line = section.lines.emplace_back();
        line.cells.push_back({.text = clean_text(app)});
        for (const OptionalKind &kind : optional_kinds()) {
            const auto ratio = ratios.without(kind.name, app, figure);
            line.cells.push_back({.text = ratio ? decimal_text(*ratio) : "-"});
        }
    }
    return table;
}

Table predicted_times_table(const Ratios &ratios) {
    Table table = ratio_table(ratios, "Predicted time without a kind",
                              "Divided by that with all kinds: above 1, the kind gains.",
                              predicted_of_search_us);
    for (size_t i = 0; i < ratios.apps().size(); ++i) {
        table.sections[0].lines[i].note = other_choices(ratios.rows_of(ratios.apps()[i]));
    }
    return table;
}

}  // namespace

std::vector<Table> decision_tables(const std::vector<AblationRow> &rows,
                                   const std::string &machine) {
    if (rows.empty()) return {};
    const std::string where = "Size " + rows.front().size + ", scheduled for " + rows.front().gpu;
    const Ratios ratios(rows);
    return {summary_table(ratios, where, machine), predicted_times_table(ratios),
            ratio_table(ratios, "Search time without a kind",
                        "Divided by that with all kinds: below 1, the kind costs.", search_s),
            refusals_table(rows)};
}

}  // namespace autoschedule_gpu
