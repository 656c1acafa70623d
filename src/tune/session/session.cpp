#include "tune/session/session.h"

#include <algorithm>
#include <utility>

#include "scheduler/model/make_cost_model.h"

namespace autoschedule_gpu {
namespace {

std::string_view outcome_of(const Trial &trial) {
    if (trial.failure) return "failed";
    return trial.is_measured() ? "measured" : "not run";
}

// What nobody has tried, for the run is over, is no trial. In a run of workers others may have been
// tried behind it: then it keeps its place.
void drop_what_is_not_tried(std::vector<Trial> &built) {
    while (!built.empty() && built.back().is_request()) built.pop_back();
}

std::string schedules(size_t count) {
    return std::to_string(count) + (count == 1 ? " schedule" : " schedules");
}

}  // namespace

Session::Session(Parts parts, SessionModel model) : parts_(std::move(parts)) {
    state_.device = parts_.executor.tuned().environment.device;
    use_model(std::move(model));
    parts_.executor.predict_by([this](auto kernels) { return predicted_ms(kernels); });
    parts_.executor.tell_built([this](size_t done) { show_built(done); });
}

void Session::use_model(SessionModel model) {
    model_ = make_cost_model(model.choice, parts_.gpu);
    model_parameters_ = std::move(model.parameters);
    for (Trial &trial : trials_) trial.predicted_ms = predicted_ms(trial.kernels);
}

bool Session::is_over() const {
    if (is_cut_off()) return true;
    if (parts_.limit != nullptr && parts_.limit->is_reached()) return true;
    return trials_left(1) == 0;
}

bool Session::is_cut_off() const {
    return (parts_.stop && parts_.stop()) || parts_.executor.recording() == Recording::has_ended;
}

int Session::trials_left(int wanted) const {
    return autoschedule_gpu::trials_left(parts_.budget, state_.trials + reserved_, wanted);
}

std::optional<double> Session::predicted_ms(std::span<const FeatureTable> kernels) const {
    if (kernels.empty()) return std::nullopt;
    std::vector<double> costs_ns(kernels.size());
    model_->estimate(kernels, costs_ns);
    double sum = 0;
    for (double cost : costs_ns) sum += cost;
    return sum / 1e6;
}

// What was only compiled before is now what came of running it.
std::optional<size_t> Session::known(Trial &trial) {
    const auto found = by_code_.find(trial.code_hash);
    if (trial.code_hash == 0 || found == by_code_.end()) return std::nullopt;
    Trial &first = trials_[found->second];
    if (first.is_open() && !trial.is_open()) {
        trial.predicted_ms = predicted_ms(trial.kernels);
        first = std::move(trial);
    }
    return found->second;
}

size_t Session::add(Trial trial) {
    if (trial.code_hash != 0) by_code_[trial.code_hash] = trials_.size();
    trial.predicted_ms = predicted_ms(trial.kernels);
    trials_.push_back(std::move(trial));
    return trials_.size() - 1;
}

// As many as were not built for this are known. What was built and led to known code is no trial.
void Session::update_after_taking(int trials) {
    const int builds = parts_.executor.times().builds;
    state_.known += std::max(0, trials - (builds - builds_of_taken_));
    builds_of_taken_ = builds;
    price_of_tried_s_ = parts_.executor.times().price;
    update_state();
}

std::vector<size_t> Session::take(std::vector<Trial> built) {
    drop_what_is_not_tried(built);
    std::vector<size_t> batch;
    for (Trial &trial : built) {
        ++state_.trials;
        draw_names_.push_back(trial.draw.schedule);
        const std::optional<size_t> index = known(trial);
        batch.push_back(index ? *index : add(std::move(trial)));
    }
    update_after_taking(static_cast<int>(batch.size()));
    return batch;
}

Session::NewTrials Session::take_new(std::vector<Trial> built) {
    drop_what_is_not_tried(built);
    const int before = state_.trials;
    NewTrials batch;
    for (Trial &trial : built) {
        batch.emplace_back();
        if (known(trial)) continue;
        ++state_.trials;
        draw_names_.push_back(trial.draw.schedule);
        batch.back() = add(std::move(trial));
    }
    update_after_taking(state_.trials - before);
    return batch;
}

double Session::seconds_per_run() const {
    constexpr double kUnknown = 1;
    const ExecutorTimes &times = parts_.executor.times();
    return times.runs > 0 ? times.run / times.runs : kUnknown;
}

// The winner is compiled again and run, and its header made: each alone, where trials share the
// time of several. Its kernels are in the driver's cache, so it is linked at once.
double Session::export_s() const {
    constexpr double kBuilds = 2;
    const ExecutorTimes &times = parts_.executor.times();
    if (times.builds == 0) return seconds_per_run();
    const double compile_s = (times.build - times.link) / times.builds;
    return kBuilds * std::min(times.at_a_time, times.builds) * compile_s + seconds_per_run();
}

// Each is linked before, which takes about as long as a schedule does to be compiled, or longer.
double Session::kept_runs_s() const {
    const ExecutorTimes &times = parts_.executor.times();
    const double link_s = times.runs > 0 ? times.link / times.runs : 0;
    const double build_s = times.builds > 0 ? times.build / times.builds : 0;
    return kept_runs_ * (seconds_per_run() + std::max(link_s, build_s));
}

void Session::keep_time_for_runs(int runs) {
    kept_runs_ = runs;
    keep_time_for_the_end();
}

void Session::use_kept_time() {
    kept_runs_ = 0;
    if (parts_.limit != nullptr) parts_.limit->lift();
}

void Session::keep_time_for_the_end() {
    if (parts_.limit == nullptr) return;
    parts_.limit->keep_for_the_end(kept_runs_s() + part_of_finals_s() + export_s());
}

std::optional<double> Session::left_for_finals_s() const {
    const std::optional<double> left_s =
        parts_.limit != nullptr ? parts_.limit->left_s() : std::nullopt;
    if (!left_s) return left_s;
    return std::max(0.0, *left_s - export_s());
}

// Of the trials, without those of earlier calls, which took no time.
int Session::run_here() const {
    return std::max(0, state_.measured + state_.failed - state_.known);
}

void Session::expect_trials(int more, int run) {
    state_.trials_wanted = state_.trials + more;
    runs_wanted_ = run_here() + run;
}

WorkDone Session::work_done() const {
    const ExecutorTimes &times = parts_.executor.times();
    return {.wall_s = watch_.seconds(),
            .compile_s = times.build - times.link,
            .link_s = times.link,
            .price_s = times.price,
            .price_of_tried_s = price_of_tried_s_,
            .train_s = state_.train_s,
            .compiled = times.builds,
            .run = run_here(),
            .at_a_time = times.at_a_time};
}

int Session::trials_of_next_part(int wanted) const {
    const int allowed = trials_left(wanted);
    const auto left_s = parts_.limit != nullptr ? parts_.limit->left_to_begin_s() : std::nullopt;
    return left_s ? next_part(work_done(), *left_s, allowed) : allowed;
}

void Session::update_time_left() {
    const WorkToCome more{.compiled = std::max(0, state_.trials_wanted - state_.trials),
                          .run = std::max(0, runs_wanted_ - run_here()),
                          .end_s = parts_of_finals_ * part_of_finals_s() + export_s()};
    state_.left = work_left(work_done(), more);
    const auto budget_left_s = parts_.limit != nullptr ? parts_.limit->left_s() : std::nullopt;
    if (state_.left && budget_left_s) state_.left = state_.left->within(*budget_left_s);
    state_.left_s = state_.left ? state_.left->all() : budget_left_s;
}

void Session::update_state() {
    keep_time_for_the_end();
    state_.price_s = parts_.executor.times().price;
    state_.build_s = parts_.executor.times().build;
    state_.run_s = parts_.executor.times().run;
    state_.measured = state_.failed = 0;
    for (const Trial &trial : trials_) {
        state_.measured += trial.is_measured();
        state_.failed += trial.failure.has_value();
    }
    if (const std::optional<size_t> index = best()) state_.best_ms = trials_[*index].median_ms();
    if (!trials_.empty() && trials_.front().is_measured()) {
        state_.default_ms = trials_.front().median_ms();
    }
}

Result<std::vector<Trial>> Session::built(std::span<const ScheduleRequest> draws) {
    tell("compiling " + schedules(draws.size()));
    return parts_.executor.build(draws);
}

Result<std::vector<size_t>> Session::build(std::span<const ScheduleRequest> draws) {
    Result<std::vector<Trial>> trials = built(draws);
    if (!trials) return trials.error();
    return take(std::move(trials).value());
}

Result<Session::NewTrials> Session::build_new(std::span<const ScheduleRequest> draws) {
    Result<std::vector<Trial>> trials = built(draws);
    if (!trials) return trials.error();
    return take_new(std::move(trials).value());
}

Result<Prices> Session::price(std::span<const std::string> lists) {
    // Not how many: strategies price again and again before they try some.
    tell("pricing schedules");
    Result<Prices> prices = parts_.executor.price(lists, model_parameters_);
    update_state();
    return prices;
}

Status Session::measure(std::span<const size_t> trials) {
    tell("running " + schedules(trials.size()));
    if (!trials.empty()) {
        parts_.journal.add(
            {{"event", "chosen"}, {"schedules", trials.size()}, {"after_trials", state_.trials}});
    }
    std::vector<Trial *> wanted;
    for (size_t index : trials) wanted.push_back(&trials_[index]);
    Status done = parts_.executor.measure(wanted, state_.best_ms);
    update_state();
    return done;
}

Result<std::vector<Trial>> Session::attempted(std::span<const ScheduleRequest> draws) {
    tell("trying " + schedules(draws.size()));
    return autoschedule_gpu::attempt(parts_.executor, draws, state_.best_ms);
}

Result<std::vector<size_t>> Session::attempt(std::span<const ScheduleRequest> draws) {
    Result<std::vector<Trial>> trials = attempted(draws);
    if (!trials) return trials.error();
    return take(std::move(trials).value());
}

Result<Session::NewTrials> Session::attempt_new(std::span<const ScheduleRequest> draws) {
    Result<std::vector<Trial>> trials = attempted(draws);
    if (!trials) return trials.error();
    return take_new(std::move(trials).value());
}

Result<std::vector<ComparedTimes>> Session::compare(std::span<const size_t> trials,
                                                    const Comparison &comparison) {
    std::vector<Trial *> compared;
    for (size_t index : trials) compared.push_back(&trials_[index]);
    auto times = parts_.executor.compare(compared, comparison);
    update_state();
    return times;
}

Status Session::close(std::span<const size_t> batch) {
    in_journal_.resize(trials_.size(), Noted::no);
    for (size_t index : batch) {
        const Trial &trial = trials_[index];
        // What was only compiled may be run later, and that is news.
        const Noted noted = trial.is_open() ? Noted::as_not_run : Noted::as_it_ended;
        const bool again = in_journal_[index] >= noted;
        in_journal_[index] = std::max(in_journal_[index], noted);
        if (trial.is_measured()) {
            best_in_journal_ms_ =
                std::min(best_in_journal_ms_.value_or(trial.median_ms()), trial.median_ms());
        }
        const size_t number = draws_in_journal_++;
        parts_.journal.add(trial_event(number, draw_names_[number], trial,
                                       again ? "duplicate" : outcome_of(trial),
                                       best_in_journal_ms_));
    }
    return parts_.journal.save();
}

std::optional<size_t> Session::best(const std::function<bool(const Trial &)> &counts) const {
    std::optional<size_t> best;
    for (size_t i = 0; i < trials_.size(); ++i) {
        if (!trials_[i].is_measured() || (counts && !counts(trials_[i]))) continue;
        if (!best || trials_[i].median_ms() < trials_[*best].median_ms()) best = i;
    }
    return best;
}

void Session::tell(const std::string &doing) {
    state_.doing = doing;
    state_.built = 0;
    since_shown_ = {};
    update_time_left();
    if (parts_.progress) parts_.progress(state_);
}

// How much time is left is not known better before all are compiled.
void Session::show_built(size_t done) {
    const double passed_s = std::exchange(since_shown_, Stopwatch()).seconds();
    if (state_.left_s) state_.left_s = std::max(0.0, *state_.left_s - passed_s);
    state_.built = done;
    if (parts_.progress) parts_.progress(state_);
}

}  // namespace autoschedule_gpu
