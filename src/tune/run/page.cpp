#include "tune/run/page.h"

#include <algorithm>
#include <cmath>

#include "present/html.h"
#include "present/html_style.h"
#include "present/log_scale.h"
#include "present/plot.h"
#include "present/svg_parts.h"

namespace autoschedule_gpu {
namespace {

constexpr double kWidth = 720, kHeight = 320;
constexpr double kLeft = 60, kRight = 20, kTop = 24, kBottom = 44;

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
        for (int quarter = 0; quarter <= 4; ++quarter) {
            const int trial = last_ * quarter / 4;
            text +=
                svg_text(x(trial), bottom + 14, TextAnchor::middle, "tick", std::to_string(trial));
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

Table finals_table(const Session &session, const Finals &finals) {
    Table table{.columns = {{.title = "schedule"},
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
            {.cells = {{trial.draw.schedule, mark},
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

std::string definition(std::string_view name, const std::string &value, std::string_view tag) {
    if (value.empty()) return "";
    return element("dt", {}, name) + element("dd", {}, element(tag, {}, html_text(value))) + "\n";
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

std::string convergence_svg(const Convergence &run, std::optional<double> default_ms) {
    const std::vector<ConvergencePoint> &points = run.points;
    if (points.empty()) return "";
    std::vector<double> values;
    for (const ConvergencePoint &p : points) values.push_back(p.median_ms);
    if (default_ms) values.push_back(*default_ms);
    const Plot plot(run.trials, values);
    std::string content = plot.axes();
    if (default_ms) {
        const double y = plot.y(*default_ms);
        content += svg_line(kLeft, y, kWidth - kRight, y, "ceiling");
        content += svg_text(kWidth - kRight, y - 4, TextAnchor::end, "tick", "without tuning");
    }
    for (size_t i = 0; i < points.size(); ++i) {
        const ConvergencePoint &p = points[i];
        content += point(plot.x(p.trial), plot.y(p.median_ms), series_class(7));
        const int end = i + 1 < points.size() ? points[i + 1].trial : plot.last();
        content +=
            svg_line(plot.x(p.trial), plot.y(p.best_ms), plot.x(end), plot.y(p.best_ms), "roof");
        if (i + 1 < points.size()) {
            content += svg_line(plot.x(end), plot.y(p.best_ms), plot.x(end),
                                plot.y(points[i + 1].best_ms), "roof");
        }
    }
    return svg_frame(kWidth, kHeight, "Best time so far over the trials", content);
}

std::string tune_page(const TunePageHeader &header, const Session &session, const Finals &finals) {
    const Session::Parts &parts = session.parts();
    const Environment &environment = parts.executor.tuned().environment;
    std::string body = element("h1", {}, html_text(header.title)) + "\n";
    body += element("p", {}, html_text(speed_text(session, finals))) + "\n";
    const TuneState &state = session.state();
    const std::string counts = std::to_string(state.trials) +
                               " trials: " + std::to_string(state.measured) +
                               " schedules measured, " + std::to_string(state.failed) + " failed";
    body += element("dl", {},
                    "\n" + definition("date", header.date, "span") +
                        definition("device", environment.device, "span") +
                        definition("driver", environment.driver, "span") +
                        definition("scheduled for", environment.gpu, "span") +
                        definition("trials", counts, "span") +
                        definition("command", header.command, "code") +
                        definition("the winner again", header.reproduce, "code")) +
            "\n";
    body += element("h2", {}, "Finals") + "\n" + html_table(finals_table(session, finals));
    body += element("h2", {}, "Convergence") + "\n" +
            element("figure", {},
                    "\n" + convergence_svg(convergence(parts.journal), state.default_ms)) +
            "\n";
    const Table steps = steps_table(parts.journal);
    if (!steps.sections.empty()) {
        body += element("h2", {}, "Coordinate descent") + "\n" + html_table(steps);
    }
    const std::string head = "\n" + empty_element("meta", {{"charset", "utf-8"}}) + "\n" +
                             element("title", {}, html_text(header.title)) + "\n" +
                             element("style", {}, kHtmlStyle) + "\n";
    return "<!DOCTYPE html>\n" +
           element("html", {{"lang", "en"}},
                   "\n" + element("head", {}, head) + "\n" + element("body", {}, "\n" + body)) +
           "\n";
}

}  // namespace autoschedule_gpu
