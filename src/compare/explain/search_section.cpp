#include "compare/explain/search_section.h"

#include "compare/explain/glossary.h"
#include "compare/explain/words.h"
#include "present/html.h"
#include "present/html_bars.h"
#include "present/html_page.h"
#include "present/table_parts.h"

namespace autoschedule_gpu {

namespace {

std::string cost_text(const std::optional<double> &us) {
    return us ? time_text(*us) : "";
}

std::string parts(const ExplainedSearch &search) {
    Table table{.columns = {words("attempt"), words("part"), numbers("time", "s"),
                            numbers("schedules priced"), numbers("before"), numbers("after")}};
    TableSection &section = table.sections.emplace_back();
    for (const ExplainedPart &part : search.parts) {
        section.lines.push_back(line({part.attempt, part.name, number_text(part.seconds),
                                      count_text(static_cast<double>(part.states)),
                                      cost_text(part.before_us), cost_text(part.after_us)}));
    }
    if (section.lines.empty()) return "";
    return element("h3", {}, "Its parts, one after the other") + "\n" +
           element("p", {},
                   "With the least predicted time before and after each. A pass begins "
                   "anew, so it may end above what is known already; the best of all "
                   "is improved.") +
           "\n" + html_table(table);
}

std::string rules(const ExplainedSearch &search) {
    if (search.rejections.empty()) return "";
    std::vector<HtmlBar> bars;
    for (const auto &[rule, count] : search.rejections) {
        const double value = static_cast<double>(count);
        bars.push_back({element("code", {}, html_text(rule)), value, count_text(value)});
    }
    return element("h3", {}, "What rules ruled out") + "\n" +
           element("p", {}, "Decisions, or groups of them, by the rule that rejected them.") +
           "\n" + html_bars(bars);
}

std::string refusals(const Explained &schedule) {
    if (schedule.refused.empty()) return "";
    Table table{.columns = {words("attempt"), words("why")}};
    TableSection &section = table.sections.emplace_back();
    for (const auto &[attempt, error] : schedule.refused) {
        section.lines.push_back(line({attempt, error}));
    }
    return element("h3", {}, "Schedules that Halide refused before") + "\n" + html_table(table);
}

std::string number_or_none(const std::optional<int64_t> &value) {
    return value ? count_text(static_cast<double>(*value)) : "";
}

}  // namespace

std::string search_section(const Explained &schedule) {
    if (!schedule.search) {
        return element("p", {},
                       "Nothing was searched for: the schedule was given (" +
                           html_text(schedule.chosen) + ").") +
               "\n" + refusals(schedule);
    }
    const ExplainedSearch &search = *schedule.search;
    const std::string text =
        "In " + number_text(search.seconds) + " s and " + std::to_string(search.passes) +
        (search.passes == 1 ? " pass, " : " passes, ") +
        count_text(static_cast<double>(search.enumerated)) + " decisions were listed, " +
        count_text(static_cast<double>(search.rejected)) + " of them or their groups ruled out, " +
        count_text(static_cast<double>(search.scored)) +
        " schedules priced. It ended: " + search.stop +
        ". With reading the pipeline and Halide's trial of the schedule it took " +
        number_text(schedule.total_seconds) + " s.";
    return element("p", {}, html_text(text)) + "\n" + rules(search) + parts(search) +
           refusals(schedule);
}

std::string code_section(const Explained &schedule) {
    if (schedule.launches.empty()) return "";
    Table table{.columns = {words("kernel"), words("blocks"), words("threads"),
                            numbers("shared", "bytes"), numbers("code values"),
                            numbers("live words"), numbers("registers"),
                            numbers("spill", "bytes")}};
    TableSection &section = table.sections.emplace_back();
    for (const ExplainedLaunch &launch : schedule.launches) {
        section.lines.push_back(
            line({launch.name, launch.blocks, launch.threads, number_or_none(launch.shared_bytes),
                  number_or_none(launch.code_values), number_or_none(launch.live_words),
                  number_or_none(launch.registers), number_or_none(launch.spill_bytes)}));
    }
    return element("p", {},
                   "The launches as Halide lowered them, at the estimated sizes: the length "
                   "of the code in " +
                       term_link("code values") + ", the most " + term_link("live words") +
                       " of a thread. " + term_link("registers", "Registers") + " and " +
                       term_link("spill", "spills") +
                       " are the assembler's, of kernels that it was asked about.") +
           "\n" + html_table(table);
}

}  // namespace autoschedule_gpu
