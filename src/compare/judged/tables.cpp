#include "compare/judged/tables.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace autoschedule_gpu {
namespace {

// Of so many kernels the table says how far off the prediction is.
constexpr size_t kShownKernels = 20;

std::string number(const char *format, double value) {
    char text[64];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string ratio_text(double ratio) {
    return number("%.2f", ratio);
}

TableColumn of_words(std::string title) {
    return {.title = std::move(title)};
}
TableColumn of_numbers(std::string title) {
    return {.title = std::move(title), .of_numbers = true};
}

TableLine line(std::vector<std::string> texts) {
    TableLine result;
    for (std::string &text : texts) result.cells.push_back({std::move(text)});
    return result;
}

std::string inversion_text(const Inversion &worst) {
    if (worst.slower.empty()) return "";
    return worst.slower + " before " + worst.faster + ", " + ratio_text(worst.simulated) +
           " times slower";
}

Table applications_table(const std::vector<JudgedSchedule> &schedules) {
    Table table{
        .title = "Rank quality",
        .caption = "Schedules of one application, pairs of which simulated times differ by " +
                   number("%.1f", kLeastDifference) + " times and more.",
        .columns = {of_words("application"), of_numbers("schedules"), of_numbers("pairs"),
                    of_numbers("right"), of_numbers("regret"), of_numbers("predicted / simulated"),
                    of_words("worst inversion")}};
    TableSection &section = table.sections.emplace_back();
    for (const auto &[application, quality, least, greatest] : qualities(schedules)) {
        section.lines.push_back(line(
            {application, std::to_string(quality.schedules), std::to_string(quality.pairs),
             std::to_string(quality.right), number("%.1f %%", 100 * quality.regret),
             ratio_text(least) + " to " + ratio_text(greatest), inversion_text(quality.worst)}));
    }
    return table;
}

Table resources_table(const std::vector<JudgedSchedule> &schedules) {
    Table table{.title = "Predicted over simulated, by resource",
                .caption =
                    "Kernels that take a tenth of their schedule's time and more, by what "
                    "the model says that they wait for.",
                .columns = {of_words("bound by"), of_numbers("kernels"), of_numbers("least"),
                            of_numbers("geometric mean"), of_numbers("greatest")}};
    TableSection &section = table.sections.emplace_back();
    for (const auto &[bound_by, kernels, least, mean, greatest] : by_resource(schedules)) {
        section.lines.push_back(line({bound_by, std::to_string(kernels), ratio_text(least),
                                      ratio_text(mean), ratio_text(greatest)}));
    }
    return table;
}

Table kernels_table(const std::vector<JudgedSchedule> &schedules) {
    struct Row {
        const JudgedSchedule *schedule;
        const JudgedKernel *kernel;
        double off() const { return std::abs(std::log(kernel->ratio())); }
    };
    std::vector<Row> rows;
    for (const JudgedSchedule &schedule : schedules) {
        for (const JudgedKernel &kernel : schedule.kernels) {
            if (kernel.share >= kLeastShare) rows.push_back({&schedule, &kernel});
        }
    }
    std::ranges::stable_sort(rows, std::greater<>(), &Row::off);
    if (rows.size() > kShownKernels) rows.resize(kShownKernels);
    Table table{
        .title = "Kernels that are predicted worst",
        .columns = {of_words("schedule"), of_words("stage"), of_words("bound by"),
                    of_numbers("predicted us"), of_numbers("simulated us"), of_numbers("ratio")}};
    TableSection &section = table.sections.emplace_back();
    for (const auto &[schedule, kernel] : rows) {
        section.lines.push_back(
            line({schedule->application + "/" + schedule->schedule, kernel->predicted.stage,
                  kernel->predicted.bound_by, number("%.1f", kernel->predicted.us),
                  number("%.1f", kernel->simulated_us), ratio_text(kernel->ratio())}));
    }
    return table;
}

}  // namespace

std::vector<Table> judgement_tables(const std::vector<JudgedSchedule> &schedules) {
    return {applications_table(schedules), resources_table(schedules), kernels_table(schedules)};
}

std::string judgement_line(const std::vector<JudgedSchedule> &schedules) {
    const RankQuality all = overall(qualities(schedules));
    return "pairs " + std::to_string(all.pairs) + " pairwise " + number("%.3f", all.pairwise()) +
           " regret " + number("%.3f", all.regret);
}

}  // namespace autoschedule_gpu
