#include "compare/explain/decisions_section.h"

#include <algorithm>
#include <vector>

#include "compare/explain/glossary.h"
#include "compare/explain/words.h"
#include "present/html.h"
#include "present/html_bars.h"
#include "present/html_page.h"
#include "present/table_parts.h"

namespace autoschedule_gpu {

namespace {

constexpr size_t kShown = 8;  // of the decisions that matter most

std::string value_text(const ExplainedDecision &decision, const std::string &value) {
    return decision.kind == "place" ? place_text(value) : value;
}

double more(const Explained &schedule, const ExplainedChoice &choice) {
    return *choice.predicted_us - *schedule.decided_us;
}

std::string others_text(const Explained &schedule, const ExplainedDecision &decision) {
    std::string text;
    for (const ExplainedChoice &other : decision.others) {
        if (&other == decision.second()) continue;
        text += (text.empty() ? "" : "; ") + other.value + " ";
        text += other.predicted_us ? difference_text(more(schedule, other))
                                   : "(refused: " + other.refused + ")";
    }
    return text;
}

TableLine line_of(const Explained &schedule, const ExplainedDecision &decision) {
    const ExplainedChoice *second = decision.second();
    const std::string by =
        second == nullptr ? "none that is allowed" : value_text(decision, second->value);
    TableLine row =
        line({decision_text(decision.kind, decision.name), value_text(decision, decision.value), by,
              second == nullptr ? "" : difference_text(more(schedule, *second)),
              others_text(schedule, decision)});
    if (second != nullptr && more(schedule, *second) < 0) row.cells[3].mark = CellMark::best;
    return row;
}

Table decisions_table(const Explained &schedule) {
    Table table{.columns = {words("decision"), words("decided"), words("second choice"),
                            numbers("it would cost"), words("others")}};
    TableSection &section = table.sections.emplace_back();
    for (const ExplainedDecision &decision : schedule.decisions) {
        section.lines.push_back(line_of(schedule, decision));
    }
    return table;
}

// Those of which the second choice would cost something, the most first.
std::vector<const ExplainedDecision *> weightiest(const Explained &schedule) {
    std::vector<const ExplainedDecision *> sorted;
    for (const ExplainedDecision &decision : schedule.decisions) {
        const ExplainedChoice *second = decision.second();
        if (second != nullptr && more(schedule, *second) > 0) sorted.push_back(&decision);
    }
    std::ranges::stable_sort(sorted, std::ranges::greater(), [&](const ExplainedDecision *one) {
        return more(schedule, *one->second());
    });
    sorted.resize(std::min(sorted.size(), kShown));
    return sorted;
}

std::string weightiest_bars(const Explained &schedule) {
    std::vector<HtmlBar> bars;
    for (const ExplainedDecision *decision : weightiest(schedule)) {
        const double cost = more(schedule, *decision->second());
        const std::string label = decision_text(decision->kind, decision->name) + ": " +
                                  decision->value + ", not " + decision->second()->value;
        bars.push_back({html_text(label), cost, difference_text(cost)});
    }
    if (bars.empty()) return "";
    return element("h3", {}, "What matters most") + "\n" +
           element(
               "p", {},
               "The decisions of which the " + term_link("second choice") + " would cost most.") +
           "\n" + html_bars(bars);
}

size_t count_cheaper(const Explained &schedule) {
    return static_cast<size_t>(
        std::ranges::count_if(schedule.decisions, [&](const ExplainedDecision &decision) {
            return decision.second() != nullptr && more(schedule, *decision.second()) < 0;
        }));
}

}  // namespace

Table weightiest_decisions(const Explained &schedule) {
    const std::vector<const ExplainedDecision *> decisions = weightiest(schedule);
    if (decisions.empty()) return {};
    Table table{.title = "Second choices",
                .caption =
                    "The decisions of which the cheapest other choice would cost most, all "
                    "else being as it is.",
                .columns = {words("decision"), words("decided"), words("second choice"),
                            numbers("it would cost")}};
    TableSection &section = table.sections.emplace_back();
    for (const ExplainedDecision *decision : decisions) {
        const ExplainedChoice &second = *decision->second();
        section.lines.push_back(
            line({decision_text(decision->kind, decision->name), decision->value, second.value,
                  difference_text(more(schedule, second))}));
    }
    return table;
}

std::string decisions_section(const Explained &schedule) {
    if (!schedule.decided_us) {
        return element(
                   "p", {},
                   "Other choices were not priced. The parameter " +
                       element("code", {}, "autoscheduler.explain=FILE.html") +
                       " has that done, where there is a list of decisions; a schedule that was "
                       "given as directives has none.") +
               "\n";
    }
    std::string text = "Each decision beside the cheapest other choice, all else being as it is; " +
                       html_text(time_text(*schedule.decided_us)) + " is predicted as decided. ";
    if (const size_t cheaper = count_cheaper(schedule); cheaper > 0) {
        text += "In " + std::to_string(cheaper) + (cheaper == 1 ? " case" : " cases") +
                " (marked) the other is predicted to be cheaper: the search, which looks "
                "at a part of all schedules, did not come by it, or a rule or the assembler spoke "
                "against it.";
    }
    return element("p", {}, text) + "\n" + weightiest_bars(schedule) +
           element("h3", {}, "All decisions") + "\n" + html_table(decisions_table(schedule));
}

}  // namespace autoschedule_gpu
