// Compiles and measures schedules on behalf of a tuner. Everything that is found is in the records
// when a call returns, and nothing that is there is done again.
//
//     ScheduleRequest ─► build ─► Trial with code and features ─► measure ─► with times, or why
//     there are none
//                                                   └► compare ─► more times, side by side
//     lists of decisions ─► price ─► costs under the model
//
// device_executor.h measures in this process, queue_executor.h lets workers do it, and
// replay_executor.h looks it up.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/support/error.h"
#include "lab/bench/price.h"
#include "lab/build/build_candidate.h"
#include "lab/records/tuning_record.h"
#include "lab/run/noise.h"
#include "scheduler/features/feature_list.h"
#include "tune/session/trial.h"

namespace autoschedule_gpu {

// How trials are run beside each other.
struct Comparison {
    std::string name = {};  // of its purpose: "final"
    int part = 1;           // of a comparison that goes on: the first, the second and so on
    int rounds = 3;
    NoiseProtocol noise = {};  // of each round
};

// Returns the label under which the records hold the comparison of these trials.
std::string label_of(const Comparison &comparison, std::span<Trial *const> trials);

// True if these times of a trial, one of each round, are as many as the comparison asks for.
bool is_complete(std::span<const double> times_ms, const Comparison &comparison);

// Returns what there is where nobody compared measured trials: what they took at first, for the
// first part of a comparison, and nothing more for others.
std::vector<ComparedTimes> first_measurements(std::span<Trial *const> trials,
                                              const Comparison &comparison);

// Whose candidates an executor works on: the keys under which the records hold them.
struct TunedPipeline {
    PipelineKey pipeline = {};
    Environment environment = {};
};

// The wall time of an executor's work so far, in seconds. Where schedules are compiled while others
// run, both count.
struct ExecutorTimes {
    double price = 0, build = 0, run = 0;
    double link = 0;           // of `build`: what only those need that are run
    int at_a_time = 1;         // schedules that are compiled or linked together
    int builds = 0, runs = 0;  // of schedules that were not known; on the device
};

// Where an executor is in the recording of the run that it repeats; none: it repeats none.
enum class Recording : uint8_t { none, goes_on, has_ended };

// Returns what a model expects of a schedule with these kernels, in milliseconds; nothing of one
// without any.
using Predict = std::function<std::optional<double>(std::span<const FeatureTable>)>;

// Is told, while schedules are compiled together, of how many of them the outcome is known: by one
// thread at a time, while the caller waits.
using TellBuilt = std::function<void(size_t done)>;

class Executor {
public:
    virtual ~Executor() = default;

    const TunedPipeline &tuned() const { return tuned_; }
    const ExecutorTimes &times() const { return times_; }

    // By whom the time of what is compiled from now on is predicted, before it is run and recorded;
    // nobody: it is not.
    void predict_by(Predict predict) { predict_ = std::move(predict); }

    // Who is told how far build() has come; nobody may be.
    void tell_built(TellBuilt tell) { tell_built_ = std::move(tell); }

    // Where a recording has ended, nobody knows what would have come next: the run is over.
    virtual Recording recording() const { return Recording::none; }

    // Returns one compiled trial per request, in their order; those are still requests that are not
    // tried, for the run is over. An error only where nothing can be built at all.
    virtual Result<std::vector<Trial>> build(std::span<const ScheduleRequest> requests) = 0;

    // Returns what lists of decisions are worth under the cost model that these parameters of the
    // plugin name. Nothing is compiled, recorded or counted as a trial. An error only where no list
    // can be priced at all.
    virtual Result<Prices> price(std::span<const std::string> lists, const NamedValues &model) = 0;

    // Runs those trials that are open. Those which are only requests are compiled first; of these,
    // each code is run once. `best_ms`: of one run of the best so far; what is many times slower
    // may be given up. An error only where nothing can be measured.
    virtual Status measure(std::span<Trial *const> trials, std::optional<double> best_ms) = 0;

    // Returns the times of measured trials in interleaved rounds: one list per trial, in
    // milliseconds, with the median of each round, or why it has none, which is its failure from
    // then on. Those trials are not run again in that part of a comparison of that name, unless
    // they were in fewer rounds.
    virtual Result<std::vector<ComparedTimes>> compare(std::span<Trial *const> trials,
                                                       const Comparison &comparison) = 0;

protected:
    explicit Executor(TunedPipeline tuned) : tuned_(std::move(tuned)) {}

    ExecutorTimes times_;
    Predict predict_;
    TellBuilt tell_built_;

private:
    const TunedPipeline tuned_;
};

// Builds and measures, for those who measure all they build: one trial per request, in their order.
Result<std::vector<Trial>> attempt(Executor &executor, std::span<const ScheduleRequest> requests,
                                   std::optional<double> best_ms);

}  // namespace autoschedule_gpu
