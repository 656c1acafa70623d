#include "compare/explain/explain_page.h"

#include <algorithm>

#include "compare/explain/decisions_section.h"
#include "compare/explain/explained.h"
#include "compare/explain/glossary.h"
#include "compare/explain/kernel_graph.h"
#include "compare/explain/kernel_section.h"
#include "compare/explain/loops_picture.h"
#include "compare/explain/search_section.h"
#include "compare/explain/words.h"
#include "present/html_bars.h"
#include "present/html_page.h"

namespace autoschedule_gpu {

namespace {

std::string origin_text(const std::string &chosen) {
    if (chosen == "trace") return "given as directives, or the fastest of a file of records";
    if (chosen == "decisions") return "given as a list of decisions";
    if (chosen == "search") return "the best that was found";
    if (chosen == "sizes") return "the best that was found for several sizes";
    return "what was left after others were refused (" + chosen + ")";
}

// Names the kernel that takes most, and why.
std::string summary_of(const Explained &schedule) {
    std::string text = std::to_string(schedule.kernels.size()) +
                       (schedule.kernels.size() == 1 ? " kernel" : " kernels");
    if (!schedule.predicted_us) return text + ". No time is predicted of a schedule like this.";
    text += ", predicted to take " + time_text(*schedule.predicted_us) + ".";
    const auto most = std::ranges::max_element(
        schedule.kernels, {}, [](const auto &kernel) { return kernel.predicted_us.value_or(0); });
    if (most == schedule.kernels.end() || !most->predicted_us) return text;
    const double share = *most->predicted_us / std::max(*schedule.predicted_us, 1e-9);
    text += " " + most->stage + " takes " + share_text(share) + " of it";
    return text + (most->on_host ? ", on the host."
                                 : ", limited by " + resource_text(most->bound_by) + ".");
}

// What makes the schedule less than it could be.
std::string reservation_of(const Explained &schedule) {
    std::string text;
    if (schedule.search && !schedule.search->is_complete) {
        text = "the search was cut short (" + schedule.search->stop +
               "): with more time it may find a better one. ";
    }
    return schedule.was_tried ? text
                              : text +
                                    "Halide had not lowered the schedule when the time was up, so "
                                    "nothing is known of its code.";
}

std::vector<HtmlFact> facts_of(const Explained &schedule) {
    return {{"in short", summary_of(schedule)},
            {"but", reservation_of(schedule)},
            {"device", schedule.gpu},
            {"target", schedule.target},
            {"schedule", origin_text(schedule.chosen)},
            {"ranked by", schedule.model.empty() ? "" : "the model " + schedule.model}};
}

std::string graph_section(const Explained &schedule) {
    const std::string drawing = svg(kernel_graph(schedule));
    if (drawing.empty()) return "";
    return element("p", {},
                   "A box is a " + term_link("kernel") +
                       ", in the order of launch; the mark at its lower edge is its share of the "
                       "time. An arrow is an array that one writes and another reads, the thicker "
                       "the more bytes; the pointer shows which.") +
           "\n" + element("div", {{"class", "scroll graph"}}, "\n" + drawing) + "\n";
}

std::string times_section(const Explained &schedule) {
    std::vector<HtmlBar> bars;
    for (size_t i = 0; i < schedule.kernels.size(); ++i) {
        const ExplainedKernel &kernel = schedule.kernels[i];
        if (!kernel.predicted_us) return "";
        const std::string label = element("a", {{"href", "#" + kernel_id(i)}},
                                          html_text(std::to_string(i + 1) + ". " + kernel.stage));
        const std::string by = kernel.on_host ? "host" : resource_text(kernel.bound_by);
        bars.push_back({label, *kernel.predicted_us, time_text(*kernel.predicted_us) + ", " + by});
    }
    return html_bars(bars);
}

std::string kernels_section(const Explained &schedule) {
    std::string text = loops_legend();
    for (size_t i = 0; i < schedule.kernels.size(); ++i) text += kernel_section(schedule, i);
    return schedule.kernels.empty() ? "" : text;
}

std::string page_of(const Explained &schedule) {
    return html_page("Schedule of " + schedule.name(), facts_of(schedule),
                     {{"graph", "The pipeline", graph_section(schedule)},
                      {"times", "Time by kernel", times_section(schedule)},
                      {"kernels", "Kernels", kernels_section(schedule)},
                      {"decisions", "Decisions", decisions_section(schedule)},
                      {"search", "The search", search_section(schedule)},
                      {"code", "Code", code_section(schedule)},
                      {"glossary", "Glossary", glossary_html()}});
}

}  // namespace

Result<std::string> explain_page(std::string_view json) {
    const Result<Explained> schedule = read_explained(json);
    if (!schedule) return schedule.error();
    return page_of(*schedule);
}

}  // namespace autoschedule_gpu
