#include "tune/contest/run_clock.h"

#include <algorithm>
#include <utility>

#include "core/json/json.h"
#include "core/support/file.h"

namespace autoschedule_gpu {

Result<RunClock> RunClock::parse(const std::string &path) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.error();
    return read_fields<RunClock>(parse_loosely(*text), path + ": ", [&](const Json &json) {
        RunClock clock(path, json.value("settings", ""));
        clock.device_ = json.value("device", "");
        for (const Json &mark : json.at("trials_and_seconds")) {
            clock.marks_.push_back({.trials = mark.at(0), .seconds = mark.at(1)});
        }
        if (!clock.marks_.empty()) clock.known_ = clock.marks_.back().trials;
        return clock;
    });
}

Result<RunClock> RunClock::open(const std::string &path, const std::string &settings) {
    if (!is_there(path)) return RunClock(path, settings);
    Result<RunClock> earlier = parse(path);
    if (earlier && earlier->settings_ != settings) return RunClock(path, settings);
    return earlier;
}

Result<RunClock> RunClock::read(const std::string &path) {
    if (!is_there(path)) {
        RunClock unknown(path, "");
        unknown.runs_ = false;
        return unknown;
    }
    Result<RunClock> opened = parse(path);
    if (!opened) return opened;
    RunClock clock = std::move(opened).value();
    clock.runs_ = false;
    return clock;
}

void RunClock::run_on(const std::string &device) {
    if (!runs_ || device.empty()) return;
    if (!device_.empty() && device_ != device) {
        marks_.clear();
        known_ = 0;
    }
    device_ = device;
}

Status RunClock::tell(int trials) {
    if (!runs_) return Ok{};
    const double more_s = std::exchange(since_last_, Stopwatch()).seconds();
    if (trials <= known_) return Ok{};
    const Mark last = marks_.empty() ? Mark{} : marks_.back();
    if (trials == last.trials) marks_.pop_back();
    marks_.push_back({.trials = trials, .seconds = last.seconds + more_s});
    Json json = {
        {"settings", settings_}, {"device", device_}, {"trials_and_seconds", Json::array()}};
    for (const Mark &mark : marks_) {
        json["trials_and_seconds"].push_back({mark.trials, mark.seconds});
    }
    return write_file(path_, dump(json) + "\n");
}

double RunClock::seconds_at(int trials) const {
    const auto mark = std::ranges::lower_bound(marks_, trials, {}, &Mark::trials);
    if (mark != marks_.end()) return mark->seconds;
    return marks_.empty() ? 0 : marks_.back().seconds;
}

}  // namespace autoschedule_gpu
