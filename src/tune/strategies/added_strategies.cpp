#include "tune/strategies/added_strategies.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "tune/strategies/neighbours.h"

namespace autoschedule_gpu {
namespace {

// A name that tells apart what differs: the records know a request by it.
ScheduleRequest schedule_request(const api::TrialRequest &request) {
    ScheduleRequest made =
        request.decisions.empty() ? ScheduleRequest{} : request_of_decisions(request.decisions);
    for (const auto &[name, value] : request.parameters) {
        made.schedule += (made.schedule.empty() ? "" : " ") + name + "=" + value;
        made.scheduler_params.emplace_back(name, value);
    }
    if (made.schedule.empty()) return default_request();
    return made;
}

api::TrialRequest trial_request(const ScheduleRequest &request) {
    api::TrialRequest plain{.parameters = request.scheduler_params, .decisions = {}};
    for (const auto &[name, content] : request.files) {
        if (name == "decisions") plain.decisions = content;
    }
    return plain;
}

api::Trial plain_trial(const Trial &trial) {
    return {.request = trial_request(trial.draw),
            .code_hash = trial.code_hash,
            .kernels = trial.kernels,
            .trace = trial.trace,
            .decisions = trial.decisions,
            .predicted_ms = trial.predicted_ms,
            .times_ms = trial.samples_ms,
            .failure = trial.failure ? trial.failure->reason : ""};
}

// A session as a strategy of a user's library sees it. The first error ends the run.
class SessionTuning final : public api::Tuning {
public:
    SessionTuning(Session &session, uint64_t seed) : session_(session), seed_(seed) {
        take_new_trials();
    }

    uint64_t seed() const override { return seed_; }
    bool is_over() const override { return !status_ || session_.is_over(); }
    int trials_left(int wanted) const override { return session_.trials_left(wanted); }
    size_t trial_count() const override { return trials_.size(); }
    const api::Trial &trial(size_t number) const override { return trials_.at(number); }
    std::optional<size_t> best() const override { return session_.best(); }

    std::vector<api::Neighbour> neighbours(size_t number) const override {
        std::vector<api::Neighbour> plain;
        const Result<std::vector<Neighbour>> all = neighbours_of(trials_.at(number).decisions);
        if (!all) return plain;
        for (const Neighbour &one : *all) {
            plain.push_back({.decision = one.what,
                             .from = one.from,
                             .to = one.to,
                             .request = {.parameters = {}, .decisions = one.decisions}});
        }
        return plain;
    }

    std::vector<size_t> attempt(api::ArrayView<const api::TrialRequest> requests) override {
        const size_t count =
            static_cast<size_t>(session_.trials_left(static_cast<int>(requests.size())));
        if (is_over() || count == 0) return {};
        std::vector<ScheduleRequest> draws;
        for (size_t i = 0; i < count; ++i) draws.push_back(schedule_request(requests[i]));
        const Result<std::vector<size_t>> batch = session_.attempt(draws);
        if (!batch) return fail(batch.error());
        if (Status closed = session_.close(*batch); !closed) return fail(closed.error());
        take_new_trials();
        return *batch;
    }

    std::vector<std::vector<double>> compare(api::ArrayView<const size_t> numbers,
                                             int rounds) override {
        std::vector<std::vector<double>> times(numbers.size());
        std::vector<size_t> places, compared;
        for (size_t i = 0; i < numbers.size(); ++i) {
            if (!session_.trials().at(numbers[i]).is_measured()) continue;
            places.push_back(i);
            compared.push_back(numbers[i]);
        }
        if (is_over() || compared.empty()) return times;
        const auto found = session_.compare(
            compared,
            {.name = "compared", .part = ++parts_[compared], .rounds = std::max(rounds, 1)});
        if (!found) {
            fail(found.error());
            return times;
        }
        for (size_t i = 0; i < compared.size(); ++i) {
            trials_[compared[i]] =
                plain_trial(session_.trials()[compared[i]]);  // it may have failed
            if (const ComparedTimes &own = (*found)[i]; own) times[places[i]] = *own;
        }
        return times;
    }

    const Status &status() const { return status_; }

private:
    std::vector<size_t> fail(const Error &error) {
        status_ = error;
        return {};
    }

    void take_new_trials() {
        const std::vector<Trial> &all = session_.trials();
        for (size_t i = trials_.size(); i < all.size(); ++i) trials_.push_back(plain_trial(all[i]));
    }

    Session &session_;
    uint64_t seed_;
    Status status_ = Ok{};
    std::vector<api::Trial> trials_;
    std::map<std::vector<size_t>, int> parts_;  // of comparisons of the same trials
};

class AddedStrategy final : public TuneStrategy {
public:
    AddedStrategy(std::shared_ptr<const api::TunerStrategy> strategy, uint64_t seed)
        : strategy_(std::move(strategy)), seed_(seed) {}

    std::string_view name() const override { return strategy_->name(); }
    StartsFrom starts_from() const override { return StartsFrom::best_known; }

    Result<std::vector<size_t>> run(Session &session) const override {
        SessionTuning tuning(session, seed_);
        strategy_->run(tuning);
        if (!tuning.status()) return tuning.status().error();
        return std::vector<size_t>();
    }

private:
    std::shared_ptr<const api::TunerStrategy> strategy_;
    uint64_t seed_;
};

}  // namespace

std::vector<TuneStrategyMaker> added_tune_strategies(std::span<const Extension> extensions) {
    std::vector<TuneStrategyMaker> makers;
    for (const Extension &extension : extensions) {
        for (const auto &strategy : extension.added.tuner_strategies) {
            makers.push_back({.name = strategy->name(),
                              .summary = "of a library",
                              .make = [strategy](const TuneOptions &options) {
                                  return std::make_shared<AddedStrategy>(strategy, options.seed);
                              }});
        }
    }
    return makers;
}

}  // namespace autoschedule_gpu
