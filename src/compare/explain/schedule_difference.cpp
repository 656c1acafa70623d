#include "compare/explain/schedule_difference.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "compare/explain/explained.h"
#include "compare/explain/glossary.h"
#include "compare/explain/loops_picture.h"
#include "compare/explain/words.h"
#include "present/html_page.h"
#include "present/table_parts.h"
#include "present/terminal.h"

namespace autoschedule_gpu {

namespace {

struct Both {
    std::string name_a, name_b;
    Explained a, b;
};

Result<Both> read_both(const NamedReport &a, const NamedReport &b) {
    const auto named = [](const NamedReport &report, const Error &error) {
        return Error{report.name + ": " + error.message};
    };
    Result<Explained> first = read_explained(a.json), second = read_explained(b.json);
    if (!first) return named(a, first.error());
    if (!second) return named(b, second.error());
    return Both{a.name, b.name, std::move(first).value(), std::move(second).value()};
}

// Where Funcs are computed, by the loops: all that is known of a schedule without a nest.
void add_places(const ExplainedLoops &loops, std::map<std::string, std::string> &places) {
    for (const ExplainedLoops &child : loops.body) {
        const bool in_block = loops.level == "blocks";
        if (child.stage != loops.stage) {
            places.emplace(func_of_stage(child.stage), in_block ? "block" : "threads");
        }
        add_places(child, places);
    }
}

std::map<std::string, std::string> places_of(const Explained &schedule) {
    std::map<std::string, std::string> places;
    for (const ExplainedKernel &kernel : schedule.kernels) {
        if (kernel.on_host) places.emplace(func_of_stage(kernel.stage), "root");
        for (const ExplainedLoops &loops : kernel.loops) {
            places.emplace(func_of_stage(loops.stage), "root");
            add_places(loops, places);
        }
    }
    for (const ExplainedFunc &func : schedule.funcs) {
        if (func.kind != "input") places.emplace(func.name, "inline");
    }
    return places;
}

// Of all Funcs that both have, and those that one of them makes.
std::vector<std::string> place_sentences(const Both &both) {
    const std::map<std::string, std::string> a = places_of(both.a), b = places_of(both.b);
    std::set<std::string> names;
    for (const auto &[name, place] : a) names.insert(name);
    for (const auto &[name, place] : b) names.insert(name);
    std::vector<std::string> sentences;
    for (const std::string &name : names) {
        const auto in_a = a.find(name), in_b = b.find(name);
        // A wrapper that is inline is as good as none.
        const std::string from = in_a == a.end() ? "inline" : in_a->second;
        const std::string to = in_b == b.end() ? "inline" : in_b->second;
        if (from == to) continue;
        sentences.push_back(name + ": A computes it " + place_text(from) + "; B " + place_text(to) +
                            ".");
    }
    return sentences;
}

const ExplainedKernel *kernel_of(const Explained &schedule, const std::string &stage) {
    const auto found = std::ranges::find(schedule.kernels, stage, &ExplainedKernel::stage);
    return found == schedule.kernels.end() ? nullptr : &*found;
}

// Kernels of A in their order, then those that B has beside them.
std::vector<std::string> kernels_of(const Both &both) {
    std::vector<std::string> stages;
    for (const Explained *schedule : {&both.a, &both.b}) {
        for (const ExplainedKernel &kernel : schedule->kernels) {
            if (std::ranges::count(stages, kernel.stage) == 0) stages.push_back(kernel.stage);
        }
    }
    return stages;
}

std::string total_text(const Explained &schedule) {
    const std::string kernels = std::to_string(schedule.kernels.size()) +
                                (schedule.kernels.size() == 1 ? " kernel" : " kernels");
    if (!schedule.predicted_us) return kernels + " (no time is predicted)";
    return time_text(*schedule.predicted_us) + " in " + kernels;
}

std::vector<std::string> sentences_of(const Both &both) {
    std::vector<std::string> sentences;
    if (both.a.pipeline != both.b.pipeline) {
        sentences.push_back(
            "They are schedules of different pipelines, or of one at different sizes; kernels and "
            "Funcs are compared by name.");
    }
    if (both.a.gpu != both.b.gpu) {
        sentences.push_back("A is for " + both.a.gpu + ", B for " + both.b.gpu + ".");
    }
    std::string totals = "A takes " + total_text(both.a) + ", B " + total_text(both.b);
    if (both.a.predicted_us && both.b.predicted_us) {
        const double more = *both.b.predicted_us - *both.a.predicted_us;
        totals += " (" + difference_text(more) + ")";
    }
    sentences.push_back(totals + ".");
    const std::vector<std::string> places = place_sentences(both);
    sentences.insert(sentences.end(), places.begin(), places.end());
    for (const std::string &stage : kernels_of(both)) {
        const ExplainedKernel *a = kernel_of(both.a, stage), *b = kernel_of(both.b, stage);
        if (a == nullptr || b == nullptr || a->loops == b->loops) continue;
        sentences.push_back("Kernel " + stage + ": its loops differ.");
    }
    if (sentences.size() == 1) sentences.push_back("All Funcs are computed in the same loops.");
    return sentences;
}

std::string number_of(const ExplainedKernel *kernel, double ExplainedKernel::*number) {
    return kernel == nullptr || !kernel->predicted_us ? "" : count_text(kernel->*number);
}

Table kernels_table(const Both &both) {
    Table table{
        .title = "Kernels",
        .columns = {words("kernel"), numbers("time A"), numbers("time B"), numbers("B - A"),
                    words("limit A"), words("limit B"), numbers("threads A"), numbers("threads B"),
                    numbers("shared A", "B"), numbers("shared B", "B")}};
    TableSection &section = table.sections.emplace_back();
    const auto time = [](const ExplainedKernel *kernel) {
        if (kernel == nullptr) return std::string("-");
        return kernel->predicted_us ? time_text(*kernel->predicted_us) : std::string("not known");
    };
    const auto limit = [](const ExplainedKernel *kernel) {
        return kernel == nullptr ? "" : resource_text(kernel->bound_by);
    };
    for (const std::string &stage : kernels_of(both)) {
        const ExplainedKernel *a = kernel_of(both.a, stage), *b = kernel_of(both.b, stage);
        const bool both_known = a != nullptr && b != nullptr && a->predicted_us && b->predicted_us;
        section.lines.push_back(line(
            {stage, time(a), time(b),
             both_known ? difference_text(*b->predicted_us - *a->predicted_us) : "", limit(a),
             limit(b), number_of(a, &ExplainedKernel::threads),
             number_of(b, &ExplainedKernel::threads), number_of(a, &ExplainedKernel::shared_bytes),
             number_of(b, &ExplainedKernel::shared_bytes)}));
    }
    return section.lines.empty() ? Table() : table;
}

std::string pictures_of(const ExplainedKernel *kernel, const std::string &name) {
    std::string text = element("h4", {}, name) + "\n";
    if (kernel == nullptr) return text + element("p", {}, "There is no such kernel.") + "\n";
    for (const ExplainedLoops &loops : kernel->loops) text += loops_picture(loops);
    return text;
}

// The loops that differ, beside each other.
std::string pictures(const Both &both) {
    std::string text;
    for (const std::string &stage : kernels_of(both)) {
        const ExplainedKernel *a = kernel_of(both.a, stage), *b = kernel_of(both.b, stage);
        if (a != nullptr && b != nullptr && a->loops == b->loops) continue;
        text += element("h3", {}, html_text(stage)) + "\n" +
                element("div", {{"class", "beside"}},
                        element("div", {}, pictures_of(a, "A")) +
                            element("div", {}, pictures_of(b, "B"))) +
                "\n";
    }
    return text.empty() ? "" : loops_legend() + text;
}

}  // namespace

Result<std::string> difference_as_text(const NamedReport &a, const NamedReport &b) {
    const Result<Both> both = read_both(a, b);
    if (!both) return both.error();
    std::string text = "A: " + a.name + "\nB: " + b.name + "\n\n";
    for (const std::string &sentence : sentences_of(*both)) text += sentence + "\n";
    return text + "\n" + terminal_text(kernels_table(*both));
}

Result<std::string> difference_as_page(const NamedReport &a, const NamedReport &b) {
    const Result<Both> both = read_both(a, b);
    if (!both) return both.error();
    std::string list;
    for (const std::string &sentence : sentences_of(*both)) {
        list += element("li", {}, html_text(sentence)) + "\n";
    }
    const Table kernels = kernels_table(*both);
    return html_page("Two schedules of " + both->a.name(), {{"A", a.name}, {"B", b.name}},
                     {{"words", "What differs", element("ul", {}, "\n" + list) + "\n"},
                      {"kernels", "Kernels", kernels.empty() ? "" : html_table(kernels)},
                      {"loops", "Loops that differ", pictures(*both)},
                      {"glossary", "Glossary", glossary_html()}});
}

}  // namespace autoschedule_gpu
