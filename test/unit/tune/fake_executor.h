// An executor without a compiler and a device: a schedule is a point of a grid, whose time is a
// function of its place.
#pragma once

#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "core/support/hash.h"
#include "tune/session/executor.h"

namespace autoschedule_gpu {

class FakeExecutor final : public Executor {
public:
    using Point = std::vector<int>;
    using Time = std::function<double(const Point &)>;  // ms; negative: the run fails

    // The default schedule is `start`; coordinates are from 1 to `size`, by powers of two. A draw
    // without decisions is a point that depends on its name.
    FakeExecutor(Point start, int size, Time time)
        : Executor({.pipeline = {.name = "app:fake", .size = "full", .hash = 1},
                    .environment = {.device = "fake"}}),
          start_(std::move(start)),
          size_(size),
          time_(std::move(time)) {}

    Recording recording() const override {
        if (!recorded && !recorded_comparisons) return Recording::none;
        return was_asked_for_more_ ? Recording::has_ended : Recording::goes_on;
    }

    Result<std::vector<Trial>> build(std::span<const ScheduleRequest> draws) override {
        std::vector<Trial> trials;
        for (const ScheduleRequest &draw : draws) {
            if (recorded && built == *recorded) {
                was_asked_for_more_ = true;
                trials.push_back({.draw = draw});
                continue;
            }
            trials.push_back(trial_of(draw));
            ++built;
            if (tell_built_) tell_built_(trials.size());
        }
        times_.build += kBuildSeconds * static_cast<double>(draws.size());
        return trials;
    }

    // Whatever is compiled is run; a request that leads to code which was run before takes its
    // outcome.
    Status measure(std::span<Trial *const> trials, std::optional<double>) override {
        for (Trial *trial : trials) {
            if (!trial->is_open()) continue;
            if (trial->is_request()) {
                const ScheduleRequest request[] = {trial->draw};
                *trial = std::move(build(request).value().front());
                if (trial->failure || trial->is_request()) continue;
                if (outcomes_.contains(trial->code_hash)) {
                    trial->samples_ms = outcomes_[trial->code_hash].samples_ms;
                    trial->failure = outcomes_[trial->code_hash].failure;
                    continue;
                }
            }
            run(*trial);
        }
        return Ok{};
    }

    Result<std::vector<ComparedTimes>> compare(std::span<Trial *const> trials,
                                               const Comparison &) override {
        std::vector<ComparedTimes> times;
        if (recorded_comparisons && comparisons == *recorded_comparisons) {
            was_asked_for_more_ = true;
            times.assign(trials.size(), std::vector<double>());
            return times;
        }
        for (const Trial *trial : trials) {
            const double ms = time_(points_.at(trial->code_hash));
            if (ms < 0) {
                times.push_back(Failure{.kind = FailureKind::crash, .reason = "it crashed"});
            } else {
                times.push_back(noisy(ms));
            }
        }
        ++comparisons;
        return times;
    }

    // The model knows the true times, and nothing of what fails. Points that are refused have none.
    Result<Prices> price(std::span<const std::string> lists, const NamedValues &) override {
        if (prices_fail_after && priced >= *prices_fail_after) return Error{"no prices"};
        Prices prices;
        for (const std::string &list : lists) {
            const Point point =
                run_of(point_of({.schedule = "priced", .files = {{"decisions", list}}}));
            priced += 1;
            if (refuses && refuses(point)) {
                prices.push_back(Error{"it leads nowhere"});
            } else {
                prices.push_back(
                    Price{.schedule = code_of(point), .cost_ns = 1e6 * std::abs(time_(point))});
            }
        }
        return prices;
    }

    static constexpr double kBuildSeconds = 2, kRunSeconds = 0.5;  // of each schedule
    std::vector<FeatureTable> kernels = {};                        // of whatever is built
    int built = 0, priced = 0, comparisons = 0;
    std::optional<int> recorded = {};  // builds of the run that it repeats
    std::optional<int> recorded_comparisons = {};
    std::optional<int> prices_fail_after = {};  // so many prices
    std::function<bool(const Point &)> refuses = {};
    std::function<Point(const Point &)> runs_as = {};  // whose schedule, and code, a point has
    std::map<uint64_t, int> runs;                      // by code

private:
    void run(Trial &trial) {
        ++runs[trial.code_hash];
        times_.run += kRunSeconds;
        const double ms = time_(points_.at(trial.code_hash));
        if (ms < 0) {
            trial.failure = Failure{.kind = FailureKind::crash, .reason = "it crashed"};
        } else {
            trial.samples_ms = noisy(ms);
        }
        outcomes_[trial.code_hash] = trial;
    }

    static std::vector<double> noisy(double ms) { return {0.999 * ms, ms, 1.001 * ms}; }

    std::string list_of(const Point &point) const {
        Json list = {{"decisions", Json::array()}};
        for (size_t i = 0; i < point.size(); ++i) {
            Json choices;
            for (int value = 1; value <= size_; value *= 2) choices.push_back(value);
            const std::string func = "f" + std::to_string(i);
            list["decisions"].push_back(
                {{"name", func}, {"kind", "place"}, {"value", "root"}, {"choices", {"root"}}});
            list["decisions"].push_back({{"name", func + ".x"},
                                         {"kind", "serial"},
                                         {"value", point[i]},
                                         {"choices", choices}});
        }
        return list.dump();
    }

    Point point_of(const ScheduleRequest &draw) const {
        Point point;
        if (draw.schedule == kFoundByDefault) return start_;
        for (const auto &[name, content] : draw.files) {
            const Json list = Json::parse(content);
            for (const auto &d : list["decisions"]) {
                if (d["value"].is_number()) point.push_back(d["value"]);
            }
        }
        if (!point.empty()) return point;
        uint64_t hash = Hasher().add(draw.schedule).value();
        for (size_t i = 0; i < start_.size(); ++i, hash >>= 8) point.push_back(1 << hash % 4);
        return point;
    }

    static uint64_t code_of(const Point &point) {
        Hasher hasher;
        for (int x : point) hasher.add(static_cast<uint64_t>(x));
        return hasher.value();
    }

    Point run_of(const Point &point) const { return runs_as ? runs_as(point) : point; }

    Trial trial_of(const ScheduleRequest &draw) {
        const Point point = point_of(draw), run = run_of(point);
        Trial trial{.draw = draw,
                    .code_hash = code_of(run),
                    .kernels = kernels,
                    .decisions = list_of(point)};
        if (refuses && refuses(point)) {
            trial.code_hash = 0;
            trial.failure = Failure{.kind = FailureKind::search, .reason = "it leads nowhere"};
            return trial;
        }
        points_[trial.code_hash] = run;
        return trial;
    }

    Point start_;
    int size_;
    Time time_;
    bool was_asked_for_more_ = false;
    std::map<uint64_t, Point> points_;
    std::map<uint64_t, Trial> outcomes_;
};

}  // namespace autoschedule_gpu
