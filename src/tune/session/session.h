// One tuning run of one pipeline, as its strategies see it: who builds and measures, what has been
// found, how much may still be done, and who wants to know.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/gpu/gpu_model.h"
#include "core/support/error.h"
#include "core/support/stopwatch.h"
#include "lab/workloads/workload.h"
#include "scheduler/model/cost_model.h"
#include "scheduler/model/model_choice.h"
#include "tune/session/budget.h"
#include "tune/session/executor.h"
#include "tune/session/journal.h"
#include "tune/session/time_left.h"
#include "tune/session/time_limit.h"

namespace autoschedule_gpu {

// Where a run stands.
struct TuneState {
    std::string device = {};  // as the records call it; empty: not known yet
    int trials = 0;           // made, known ones included
    int trials_wanted = 0;    // as far as that is known
    // Whether there is a strategy that only finds out how many it makes: these are the least.
    bool is_open_ended = false;
    bool is_at_its_end = false;  // trials are over and counted: finals and the export are on
    int known = 0;               // of the trials, those of earlier calls
    int measured = 0, failed = 0;
    std::optional<double> default_ms = {}, best_ms = {};
    double price_s = 0, build_s = 0, run_s = 0, train_s = 0;  // wall time of this call
    std::optional<WorkLeft> left = {};                        // none: not known yet
    std::optional<double> left_s = {};  // until its end, if only a budget says so, too
    std::string doing = {};
    size_t built = 0;  // of the schedules that are compiled together now; 0 between two steps
};

// A cost model, in this process and for the plugin.
struct SessionModel {
    ModelChoice choice = {};
    NamedValues parameters = {};  // by which the plugin takes the same; none: what it takes anyway
};

class Session {
public:
    struct Parts {
        const Workload &workload;
        const GpuModel &gpu;
        Executor &executor;
        Journal &journal;
        Budget budget = {};
        TimeLimit *limit =
            nullptr;          // of the budget's time, for which somebody else has begun to count
        std::string id = {};  // of the run: equal for equal settings
        std::string folder = {};  // for files of the run's own
        std::function<void(const TuneState &)> progress = {};
        std::function<bool()> stop = {};
    };

    // From here on, and for as long as the session lives, the executor predicts by its model, and
    // `progress` is told how many of the schedules are compiled, which may be by other threads, one
    // at a time.
    Session(Parts parts, SessionModel model);
    ~Session() {
        parts_.executor.predict_by({});
        parts_.executor.tell_built({});
    }
    Session(const Session &) = delete;
    Session &operator=(const Session &) = delete;

    // The model that predicts from here on.
    void use_model(SessionModel model);

    // True if nothing more is to be begun: the budget is spent, the user has asked for the end, or
    // the recording of a run that is repeated has ended.
    bool is_over() const;
    int trials_left(int wanted) const;
    // How many of the wanted trials to attempt together, so that they are measured before a
    // budget's time is over. Where parts end decides nothing else: the trials and their order are
    // the same.
    int trials_of_next_part(int wanted) const;
    // Keeps so many trials of the budget for what comes after the strategies.
    void reserve(int trials) { reserved_ = trials; }
    // Keeps time, if the budget has one, for so many runs that are to come after what is built now.
    void keep_time_for_runs(int runs);
    // They come now, in the next call of measure(), and are made whatever the clock says.
    void use_kept_time();
    // Seconds that are left for finals of the run, if its budget has a time.
    std::optional<double> left_for_finals_s() const;
    double seconds_per_run() const;
    // So many trials are to come, of which some are run; and then parts of finals, of so many runs,
    // of which the first is certain.
    void expect_trials(int more, int run);
    void expect_finals(double parts, int runs_of_part) {
        parts_of_finals_ = parts;
        runs_of_part_ = runs_of_part;
    }
    void expect_unknown_trials() { state_.is_open_ended = true; }
    // From here on nothing that is told is about trials.
    void end_trials() { state_.is_at_its_end = true; }
    // True if this run has no more comparisons: the user has asked for the end, or the recording of
    // the run that is repeated has ended.
    bool is_cut_off() const;

    // Builds draws, predicts their times and counts them as trials. For each draw the index of its
    // trial in trials(); draws of equal code have one. There is none of the last draws where the
    // run was over before they were tried; so it is in all that follows.
    Result<std::vector<size_t>> build(std::span<const ScheduleRequest> draws);
    // Returns what lists of decisions are worth under the model. They are no trials by that.
    Result<Prices> price(std::span<const std::string> lists);
    // Runs trials, by index, as far as nothing is known of them. The journal has after how many: it
    // has the trials themselves in the order in which they were compiled.
    Status measure(std::span<const size_t> trials);
    // Both, for all of the draws.
    Result<std::vector<size_t>> attempt(std::span<const ScheduleRequest> draws);
    // Times of trials, by index, side by side (Executor::compare).
    Result<std::vector<ComparedTimes>> compare(std::span<const size_t> trials,
                                               const Comparison &comparison);
    // The same as build() and attempt(), but what leads to code that the session knows is no trial:
    // there is nothing in its place.
    using NewTrials = std::vector<std::optional<size_t>>;
    Result<NewTrials> build_new(std::span<const ScheduleRequest> draws);
    Result<NewTrials> attempt_new(std::span<const ScheduleRequest> draws);
    // Writes what became of a batch, as build() or attempt() gave it, into the journal.
    Status close(std::span<const size_t> batch);

    // The trials that the session has built, in that order. References are valid until the next
    // build.
    const std::vector<Trial> &trials() const { return trials_; }
    // Returns the measured trial with the least median, among those that `counts` if it is given.
    std::optional<size_t> best(const std::function<bool(const Trial &)> &counts = {}) const;

    void tell(const std::string &doing);
    double &train_seconds() { return state_.train_s; }

    const Parts &parts() const { return parts_; }
    const TuneState &state() const { return state_; }

private:
    std::vector<size_t> take(std::vector<Trial> built);
    NewTrials take_new(std::vector<Trial> built);
    Result<std::vector<Trial>> built(std::span<const ScheduleRequest> draws);
    Result<std::vector<Trial>> attempted(std::span<const ScheduleRequest> draws);
    std::optional<size_t> known(Trial &trial);
    size_t add(Trial trial);
    std::optional<double> predicted_ms(std::span<const FeatureTable> kernels) const;
    double export_s() const;
    double kept_runs_s() const;
    void keep_time_for_the_end();
    void update_after_taking(int trials);
    double part_of_finals_s() const { return runs_of_part_ * seconds_per_run(); }
    int run_here() const;
    WorkDone work_done() const;
    void update_time_left();
    void update_state();
    void show_built(size_t done);

    Parts parts_;
    std::unique_ptr<const CostModel> model_;
    NamedValues model_parameters_;  // for the plugin
    std::vector<Trial> trials_;
    std::map<uint64_t, size_t> by_code_;
    std::vector<std::string> draw_names_;  // of all draws, in order
    enum class Noted : uint8_t { no, as_not_run, as_it_ended };
    std::vector<Noted> in_journal_;  // by trial
    std::optional<double> best_in_journal_ms_;
    size_t draws_in_journal_ = 0;
    double price_of_tried_s_ = 0;  // for the trials so far
    int builds_of_taken_ = 0;      // the same
    int reserved_ = 0;             // trials
    int kept_runs_ = 0;            // after what is built
    const Stopwatch watch_;
    Stopwatch since_shown_;
    int runs_wanted_ = 0;  // of trials
    double parts_of_finals_ = 0;
    int runs_of_part_ = 0;
    TuneState state_;
};

}  // namespace autoschedule_gpu
