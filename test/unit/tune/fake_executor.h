// An executor without a compiler and a device: a schedule is a point of a grid, whose time is a
// function of its place.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/hash.h"
#include "tune/executor.h"

namespace autoschedule_gpu {

class FakeExecutor final : public Executor {
public:
    using Point = std::vector<int>;
    using Time = std::function<double(const Point &)>;  // ms; negative: the run fails

    // The default schedule is `start`; coordinates are from 1 to `size`, by powers of two. A draw
    // without decisions is a point that depends on its name.
    FakeExecutor(Point start, int size, Time time)
        : start_(std::move(start)), size_(size), time_(std::move(time)) {}

    const PipelineKey &pipeline() const override { return pipeline_; }
    const Environment &environment() const override { return environment_; }

    Result<std::vector<Trial>> build(std::span<const Draw> draws) override {
        std::vector<Trial> trials;
        for (const Draw &draw : draws) trials.push_back(trial_of(draw));
        built += static_cast<int>(draws.size());
        times_.build += kBuildSeconds * static_cast<double>(draws.size());
        return trials;
    }

    Status measure(std::span<Trial *const> trials, std::optional<double>) override {
        for (Trial *trial : trials) {
            if (trial->failure || trial->is_measured()) continue;
            ++runs[trial->code_hash];
            times_.run += kRunSeconds;
            const double ms = time_(points_.at(trial->code_hash));
            if (ms < 0) {
                trial->failure = Failure{.kind = FailureKind::crash, .reason = "it crashed"};
            } else {
                trial->samples_ms = noisy(ms);
            }
            outcomes_[trial->code_hash] = *trial;
        }
        return Ok{};
    }

    Result<std::vector<Trial>> attempt(std::span<const Draw> draws,
                                       std::optional<double> best_ms) override {
        Result<std::vector<Trial>> built = build(draws);
        std::vector<Trial> trials = std::move(built).value();
        for (Trial &trial : trials) {
            Trial *one[] = {&trial};
            if (outcomes_.contains(trial.code_hash)) {
                trial.samples_ms = outcomes_[trial.code_hash].samples_ms;
                trial.failure = outcomes_[trial.code_hash].failure;
            } else if (Status done = measure(one, best_ms); !done) {
                return done.error();
            }
        }
        return trials;
    }

    Result<std::vector<ComparedTimes>> again(std::span<Trial *const> trials,
                                             const Comparison &) override {
        std::vector<ComparedTimes> times;
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

    static constexpr double kBuildSeconds = 2, kRunSeconds = 0.5;  // of each schedule
    int built = 0, comparisons = 0;
    std::map<uint64_t, int> runs;  // by code

private:
    static std::vector<double> noisy(double ms) { return {0.999 * ms, ms, 1.001 * ms}; }

    std::string list_of(const Point &point) const {
        nlohmann::ordered_json list = {{"decisions", nlohmann::ordered_json::array()}};
        for (size_t i = 0; i < point.size(); ++i) {
            nlohmann::ordered_json choices;
            for (int value = 1; value <= size_; value *= 2) choices.push_back(value);
            list["decisions"].push_back({{"name", "loop" + std::to_string(i)},
                                         {"kind", "serial"},
                                         {"value", point[i]},
                                         {"choices", choices}});
        }
        return list.dump();
    }

    Point point_of(const Draw &draw) const {
        Point point;
        if (draw.schedule == kFoundByDefault) return start_;
        for (const auto &[name, content] : draw.files) {
            const nlohmann::json list = nlohmann::json::parse(content);
            for (const auto &d : list["decisions"]) point.push_back(d["value"]);
        }
        if (!point.empty()) return point;
        uint64_t hash = Hasher().add(draw.schedule).value();
        for (size_t i = 0; i < start_.size(); ++i, hash >>= 8) point.push_back(1 << hash % 4);
        return point;
    }

    Trial trial_of(const Draw &draw) {
        const Point point = point_of(draw);
        Hasher hasher;
        for (int x : point) hasher.add(static_cast<uint64_t>(x));
        Trial trial{.draw = draw, .code_hash = hasher.value(), .decisions = list_of(point)};
        points_[trial.code_hash] = point;
        return trial;
    }

    Point start_;
    int size_;
    Time time_;
    PipelineKey pipeline_{.name = "app:fake", .size = "full", .hash = 1};
    Environment environment_{.device = "fake"};
    std::map<uint64_t, Point> points_;
    std::map<uint64_t, Trial> outcomes_;
};

}  // namespace autoschedule_gpu
