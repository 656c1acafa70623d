#include "tune/run/page.h"

#include <algorithm>
#include <cmath>

#include "present/html_page.h"
#include "present/log_scale.h"
#include "present/plot.h"
#include "present/round_ticks.h"
#include "present/svg_labels.h"
#include "present/svg_parts.h"
#include "tune/run/trial_words.h"

namespace autoschedule_gpu {
namespace {

constexpr double kWidth = 720, kHeight = 320;
constexpr double kLeft = 60, kRight = 96, kTop = 24, kBottom = 44;
constexpr int64_t kMostTicks = 8;
constexpr double kFinal = 5;  // half of the mark of a finalist

constexpr std::string_view kConvergenceSays =
    "A dot is the median of a schedule's first measurement, the line the least of them so far. Of "
    "many "
    "measurements the least was lucky, too, so the line tends to be too low. In the finals the "
    "best "
    "few and the schedule without tuning are measured again, in turns: the diamonds behind the "
    "last "
    "trial are their medians there, and these decide. The broken line is the first measurement of "
    "the "
    "schedule without tuning.";

class Plot {
public:
    Plot(int trials, const std::vector<double> &values)
        : last_(std::max(1, trials - 1)), up_(values, kHeight - kBottom, kTop) {}

    int last() const { return last_; }  // trial
    double x(int trial) const { return kLeft + (kWidth - kLeft - kRight) * trial / last_; }
    double y(double ms) const { return up_.at(ms); }

    std::string axes() const {
        const double right = kWidth - kRight, bottom = kHeight - kBottom;
        std::string text;
        for (const double tick : up_.ticks()) {
            text += svg_line(kLeft, y(tick), right, y(tick), "grid");
            text += svg_text(kLeft - 5, y(tick) + 4, TextAnchor::end, "tick", tick_text(tick));
        }
        for (const int64_t trial : round_ticks(last_, kMostTicks)) {
            const double at = x(static_cast<int>(trial));
            text += svg_text(at, bottom + 14, TextAnchor::middle, "tick", std::to_string(trial));
        }
        text += svg_line(kLeft, bottom, right, bottom, "axis");
        text += svg_line(kLeft, kTop, kLeft, bottom, "axis");
        text += svg_text((kLeft + right) / 2, kHeight - 8, TextAnchor::middle, "label", "trial");
        return text + svg_text(4, kTop - 9, TextAnchor::start, "label", "ms, logarithmic");
    }

private:
    int last_;
    LogScale up_;
};

std::string point(double x, double y, const std::string &series) {
    return empty_element("circle", {{"cx", coordinate(x)},
                                    {"cy", coordinate(y)},
                                    {"r", "2.5"},
                                    {"class", "point " + series}}) +
           "\n";
}

std::string number(double value, const char *format) {
    char text[32];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

std::string interval_text(const ConfidenceInterval &interval) {
    return number(interval.low, "%.4g") + " to " + number(interval.high, "%.4g") + " (" +
           number(100 * interval.confidence, "%.0f") + " %)";
}

// A diamond in the margin behind the last trial, for a median of the finals.
std::string final_mark(double x, double y, bool is_winner, const std::string &title) {
    const auto at = [](double left, double top) {
        return coordinate(left) + "," + coordinate(top);
    };
    const std::string corners = at(x - kFinal, y) + " " + at(x, y - kFinal) + " " +
                                at(x + kFinal, y) + " " + at(x, y + kFinal);
    return element("polygon",
                   {{"points", corners}, {"class", "point " + series_class(is_winner ? 2 : 7)}},
                   element("title", {}, html_text(title))) +
           "\n";
}

Table finals_table(const Session &session, const Finals &finals) {
    Table table{.columns = {{.title = "schedule"},
                            {.title = "decides otherwise than without tuning"},
                            {.title = "median", .unit = "ms", .of_numbers = true},
                            {.title = "confidence interval", .unit = "ms", .of_numbers = true},
                            {.title = "samples", .of_numbers = true},
                            {.title = "predicted", .unit = "ms", .of_numbers = true}}};
    TableSection section;
    for (size_t i = 0; i < finals.finalists.size(); ++i) {
        const Finalist &finalist = finals.finalists[i];
        const Trial &trial = session.trials()[finalist.trial];
        const CellMark mark = i == finals.winner ? CellMark::best : CellMark::none;
        section.lines.push_back(
            {.cells = {{trial_name(session, finalist.trial), mark},
                       {decided_otherwise(session, trial)},
                       {number(finalist.median_ms, "%.4g"), mark},
                       {interval_text(finalist.interval_ms)},
                       {std::to_string(finalist.samples_ms.size())},
                       {trial.predicted_ms ? number(*trial.predicted_ms, "%.4g") : "-"}}});
    }
    table.sections.push_back(std::move(section));
    return table;
}

// Steps of the coordinate descent; empty where there was none.
Table steps_table(const Journal &journal) {
    Table table{.columns = {{.title = "decision"},
                            {.title = "from"},
                            {.title = "to"},
                            {.title = "chance of luck", .of_numbers = true},
                            {.title = "taken"}}};
    TableSection section;
    for (const Journal::Event &event : journal.events()) {
        if (event.at("event") != "step") continue;
        section.lines.push_back({.cells = {{event.at("decision").get<std::string>()},
                                           {event.at("from").get<std::string>()},
                                           {event.at("to").get<std::string>()},
                                           {number(event.at("chance_of_luck"), "%.3g")},
                                           {event.at("accepted").get<bool>() ? "yes" : "no"}}});
    }
    if (!section.lines.empty()) table.sections.push_back(std::move(section));
    return table;
}

std::string speed_text(const Session &session, const Finals &finals) {
    const Finalist &best = finals.best();
    std::string text = number(best.median_ms, "%.4g") + " ms";
    const Finalist &first = finals.finalists.front();
    if (session.trials()[first.trial].draw.schedule == kFoundByDefault) {
        text += ", " + number(first.median_ms / best.median_ms, "%.2f") +
                " times as fast as the schedule without tuning";
    }
    return text;
}

}  // namespace

Convergence convergence(const Journal &journal) {
    Convergence run;
    for (const Journal::Event &event : journal.events()) {
        if (event.at("event") != "trial") continue;
        ++run.trials;
        if (event.at("outcome") != "measured") continue;
        run.points.push_back({.trial = event.at("number"),
                              .median_ms = event.at("median_ms"),
                              .best_ms = event.at("best_ms")});
    }
    return run;
}

std::string convergence_svg(const Convergence &run) {
    const std::vector<ConvergencePoint> &points = run.points;
    if (points.empty()) return "";
    std::vector<double> values;
    for (const ConvergencePoint &p : points) values.push_back(p.median_ms);
    for (const ConvergenceFinal &one : run.finals) values.push_back(one.median_ms);
    if (run.default_ms) values.push_back(*run.default_ms);
    const Plot plot(run.trials, values);
    const double right = kWidth - kRight;
    SvgLabels labels({kLeft, 0, kWidth, kHeight - kBottom}, kFinal);
    std::string content = plot.axes();
    if (run.default_ms) {
        const double y = plot.y(*run.default_ms);
        content += svg_line(kLeft, y, right, y, "ceiling");
        for (double x = kLeft; x < right; x += kFinal) labels.keep_clear(x, y);
    }
    for (size_t i = 0; i < points.size(); ++i) {
        const ConvergencePoint &p = points[i];
        content += point(plot.x(p.trial), plot.y(p.median_ms), series_class(7));
        labels.keep_clear(plot.x(p.trial), plot.y(p.median_ms));
        const int end = i + 1 < points.size() ? points[i + 1].trial : plot.last();
        content +=
            svg_line(plot.x(p.trial), plot.y(p.best_ms), plot.x(end), plot.y(p.best_ms), "roof");
        if (i + 1 < points.size()) {
            content += svg_line(plot.x(end), plot.y(p.best_ms), plot.x(end),
                                plot.y(points[i + 1].best_ms), "roof");
        }
    }
    const double beside = right + 3 * kFinal;
    for (const ConvergenceFinal &one : run.finals) {
        labels.keep_clear(beside, plot.y(one.median_ms));
        content += final_mark(beside, plot.y(one.median_ms), one.is_winner, one.name);
    }
    for (const ConvergenceFinal &one : run.finals) {
        if (one.is_winner) content += labels.place(beside, plot.y(one.median_ms), "winner");
    }
    if (run.default_ms) {
        content += labels.place(kLeft + kFinal, plot.y(*run.default_ms), "without tuning");
    }
    return svg_frame(kWidth, kHeight, "Best time so far over the trials", content);
}

std::string tune_page(const TunePageHeader &header, const Session &session, const Finals &finals) {
    const Session::Parts &parts = session.parts();
    const Environment &environment = parts.executor.tuned().environment;
    const TuneState &state = session.state();
    const std::string counts = std::to_string(state.trials) +
                               " trials: " + std::to_string(state.measured) +
                               " schedules measured, " + std::to_string(state.failed) + " failed";
    Convergence run = convergence(parts.journal);
    run.default_ms = state.default_ms;
    for (size_t i = 0; i < finals.finalists.size(); ++i) {
        const Finalist &finalist = finals.finalists[i];
        run.finals.push_back(
            {trial_name(session, finalist.trial), finalist.median_ms, i == finals.winner});
    }
    const std::string drawing =
        element("p", {}, kConvergenceSays) + "\n" +
        element("div", {{"class", "scroll graph"}}, "\n" + convergence_svg(run)) + "\n";
    const Table steps = steps_table(parts.journal);
    return html_page(
        header.title,
        {{"in short", speed_text(session, finals)},
         {"the winner", header.winner},
         {"date", header.date},
         {"device", environment.device},
         {"driver", environment.driver},
         {"scheduled for", environment.gpu},
         {"trials", counts},
         {"command", header.command, "code"},
         {"the winner again", header.reproduce, "code"}},
        {{"finals", "Finals", html_table(finals_table(session, finals))},
         {"convergence", "Convergence", drawing},
         {"descent", "Coordinate descent", steps.sections.empty() ? "" : html_table(steps)}});
}

}  // namespace autoschedule_gpu
