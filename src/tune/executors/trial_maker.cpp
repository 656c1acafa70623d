#include "tune/executors/trial_maker.h"

#include <algorithm>
#include <utility>

#include "core/support/file.h"
#include "core/support/utc_time.h"
#include "lab/build/retry.h"
#include "lab/samples/featurization.h"
#include "tune/executors/finished_in_order.h"

namespace autoschedule_gpu {
namespace {

std::string bytes_of(const std::vector<FeatureTable> &kernels) {
    if (kernels.empty()) return {};
    Result<std::string> bytes = featurization_bytes(kernels);
    return bytes ? std::move(bytes).value() : std::string();
}

}  // namespace

TuningRecord record_of(const TunedPipeline &tuned, const Trial &trial, const std::string &session,
                       const Tolerance &tolerance) {
    return {.pipeline = tuned.pipeline,
            .environment = tuned.environment,
            .code_hash = trial.code_hash,
            .found_by = trial.draw.schedule,
            .session = session,
            .trace = trial.trace,
            .decisions = trial.decisions,
            .features = bytes_of(trial.kernels),
            .predicted_ms = trial.predicted_ms,
            .registers = trial.registers,
            .spill_bytes = trial.spill_bytes,
            .samples_ms = trial.samples_ms,
            .verified = trial.is_measured(),
            .tolerance = tolerance,
            .failure = trial.failure,
            .recorded_at = utc_text(unix_seconds_now())};
}

Result<std::vector<Trial>> TrialMaker::make(std::span<const ScheduleRequest> draws,
                                            const Predict &predict, const TellBuilt &tell) {
    std::vector<Trial> trials(draws.size());
    std::vector<size_t> unknown;
    for (size_t i = 0; i < draws.size(); ++i) {
        Result<std::optional<Trial>> found = known(draws[i]);
        if (!found) return found.error();
        if (*found) {
            trials[i] = *std::move(found).value();
        } else {
            unknown.push_back(i);
        }
    }
    size_t done = draws.size() - unknown.size();
    FinishedInOrder built(unknown.size(), [&](size_t i) {
        Trial &trial = trials[unknown[i]];
        if (trial.is_request()) return Status(Ok{});
        Status noted = note_built(trial, predict);
        if (noted && tell) tell(++done);
        return noted;
    });
    pool_.for_each(unknown.size(), [&](size_t i) {
        Trial &trial = trials[unknown[i]];
        trial.draw = draws[unknown[i]];
        const bool is_over = !built.status() || (stop_ && stop_());
        if (!is_over) trial = build(draws[unknown[i]]);
        built.finish(i);
    });
    if (Status noted = built.status(); !noted) return noted.error();
    return trials;
}

Status TrialMaker::note_built(Trial &trial, const Predict &predict) {
    ++builds_;
    if (trial.failure && trial.failure->kind == FailureKind::setup) {
        return Error{trial.failure->reason};
    }
    if (predict) trial.predicted_ms = predict(trial.kernels);
    if (Status noted = note(trial); !noted) return noted;
    if (trial.failure && trial.code_hash != 0) {
        if (Status recorded = record(trial); !recorded) return recorded;
    }
    return fill_from_record(trial);
}

Result<Prices> TrialMaker::price(std::span<const std::string> lists, const NamedValues &model) {
    Outcome<Prices> prices =
        retry_lost([&] { return bench_.price(workload_, lists, model, pool_.threads()); });
    if (prices) return std::move(prices).value();
    return Error{"schedules can't be priced: " + prices.error().reason};
}

CandidateKey TrialMaker::key_of(uint64_t code_hash) const {
    return autoschedule_gpu::key_of(tuned_.pipeline.hash, tuned_.environment, code_hash);
}

DrawKey TrialMaker::draw_key(const ScheduleRequest &draw) const {
    return {.pipeline_hash = tuned_.pipeline.hash,
            .environment = tuned_.environment,
            .draw = draw.schedule};
}

Result<std::optional<Outcome<uint64_t>>> TrialMaker::noted(const ScheduleRequest &draw) {
    return store_.find_draw(draw_key(draw));
}

Result<std::optional<Trial>> TrialMaker::known(const ScheduleRequest &draw) {
    const Result<std::optional<Outcome<uint64_t>>> found = noted(draw);
    if (!found) return found.error();
    if (!*found) return std::optional<Trial>();
    const Outcome<uint64_t> &outcome = **found;
    Trial trial{.draw = draw};
    if (!outcome) {
        if (is_provisional(outcome.error().kind)) return std::optional<Trial>();
        trial.failure = outcome.error();
        return std::optional(std::move(trial));
    }
    trial.code_hash = *outcome;
    if (Status filled = fill_from_record(trial); !filled) return filled.error();
    const bool is_known = trial.failure || trial.is_measured();
    return is_known ? std::optional(std::move(trial)) : std::optional<Trial>();
}

Result<std::optional<TuningRecord>> TrialMaker::find_record_of(uint64_t code_hash) {
    Result<std::optional<TuningRecord>> found = store_.find(key_of(code_hash));
    if (!found || !*found) return found;
    const TuningRecord &record = **found;
    const bool is_outcome = !record.failure || !is_provisional(record.failure->kind);
    if (is_outcome && counts_within(record, workload_.tolerance)) return found;
    return std::optional<TuningRecord>();
}

Status TrialMaker::fill_from_record(Trial &trial) {
    if (trial.code_hash == 0) return Ok{};
    Result<std::optional<TuningRecord>> found = find_record_of(trial.code_hash);
    if (!found) return found.error();
    if (!*found) return Ok{};
    TuningRecord record = *std::move(found).value();
    if (trial.kernels.empty() && !record.features.empty()) {
        Result<std::vector<FeatureTable>> kernels = parse_featurization(record.features);
        if (kernels) trial.kernels = std::move(kernels).value();
    }
    if (trial.trace.empty()) trial.trace = std::move(record.trace);
    if (trial.decisions.empty()) trial.decisions = std::move(record.decisions);
    trial.registers = record.registers;
    trial.spill_bytes = record.spill_bytes;
    // What failed in a comparison of this very session had been measured before it: the session
    // decides as it did then, and learns of the failure where it did.
    const bool failed_later =
        record.failure && !record.samples_ms.empty() && record.session == session_;
    const bool is_measured = !record.failure || failed_later;
    trial.samples_ms = is_measured ? std::move(record.samples_ms) : std::vector<double>();
    if (!failed_later) trial.failure = std::move(record.failure);
    return Ok{};
}

int TrialMaker::next_slot() {
    const std::lock_guard lock(mutex_);
    return slots_++;
}

Trial TrialMaker::build(const ScheduleRequest &draw) {
    Trial trial{.draw = draw};
    Outcome<BuiltSchedule> outcome =
        retry_lost([&] { return bench_.build(workload_, draw, next_slot()); });
    if (!outcome) {
        trial.failure = outcome.error();
        return trial;
    }
    BuiltSchedule built = std::move(outcome).value();
    trial.code_hash = built.code_hash;
    trial.kernels = built.kernels;
    trial.trace = built.trace;
    trial.decisions = built.decisions;
    const Outcome<std::vector<KernelFigures>> figures = bench_.figures(built);
    if (!figures) {
        trial.failure = figures.error();
    } else if (!figures->empty()) {
        trial.registers = trial.spill_bytes = 0;
        for (const KernelFigures &kernel : *figures) {
            trial.registers = std::max(*trial.registers, kernel.code.registers);
            trial.spill_bytes = std::max(*trial.spill_bytes, kernel.code.spill_store_bytes);
        }
    }
    const std::lock_guard lock(mutex_);
    const auto [place, is_new] = linked_.try_emplace(trial.code_hash);
    if (is_new) {
        place->second.built = std::move(built);
    } else {
        remove_folder(built.folder);
    }
    return trial;
}

Status TrialMaker::note(const Trial &trial) {
    const Outcome<uint64_t> outcome = trial.code_hash != 0 ? Outcome<uint64_t>(trial.code_hash)
                                                           : Outcome<uint64_t>(*trial.failure);
    const Result<bool> noted =
        store_.note_draw({.key = draw_key(trial.draw), .code_hash = outcome});
    if (!noted) return noted.error();
    return Ok{};
}

Outcome<RunJob> TrialMaker::job_of(const Trial &trial) {
    Linked linked;
    {
        const std::lock_guard lock(mutex_);
        linked = linked_[trial.code_hash];
    }
    if (linked.job) return *linked.job;
    if (!linked.built) {
        Outcome<BuiltSchedule> again =
            retry_lost([&] { return bench_.build(workload_, trial.draw, next_slot()); });
        if (!again) return again.error();
        linked.built = std::move(again).value();
        if (linked.built->code_hash != trial.code_hash) {
            return Failure{.kind = FailureKind::setup,
                           .reason = "the schedule '" + trial.draw.schedule +
                                     "' gives other code than before: was the pipeline or the "
                                     "plugin built anew? Records of other code can't be gone on "
                                     "with; name another file of records"};
        }
    }
    Outcome<RunJob> job = retry_lost([&] { return bench_.ready(workload_, *linked.built); });
    if (!job) return job.error();
    const std::lock_guard lock(mutex_);
    linked_[trial.code_hash] = {.built = linked.built, .job = *job};
    return job;
}

Status TrialMaker::record(Trial &trial) {
    const TuningRecord record = record_of(tuned_, trial, session_, workload_.tolerance);
    const Result<bool> added = store_.add(record);
    if (!added) return added.error();
    if (*added) return Ok{};
    const auto known = store_.find(key_of(trial.code_hash));
    if (!known) return known.error();
    const bool says_nothing = trial.failure && is_provisional(trial.failure->kind);
    const bool is_kept = says_nothing || !*known || counts_within(**known, workload_.tolerance);
    return is_kept ? fill_from_record(trial) : store_.replace(record);
}

Result<std::vector<ComparedTimes>> TrialMaker::compared(std::span<Trial *const> trials,
                                                        const std::string &label) {
    std::vector<ComparedTimes> all;
    for (Trial *trial : trials) {
        Result<ComparedTimes> outcome = outcome_of_comparison(*trial, label);
        if (!outcome) return outcome.error();
        all.push_back(*std::move(outcome));
        if (!all.back()) trial->failure = all.back().error();
    }
    return all;
}

Result<ComparedTimes> TrialMaker::outcome_of_comparison(const Trial &trial,
                                                        const std::string &label) {
    const auto found = find_record_of(trial.code_hash);
    if (!found) return found.error();
    const std::optional<TuningRecord> &record = *found;
    if (record && record->compared_ms.contains(label)) {
        return ComparedTimes(record->compared_ms.at(label));
    }
    const bool has_failed = record && record->failure;
    return has_failed ? ComparedTimes(*record->failure) : ComparedTimes(std::vector<double>());
}

Status TrialMaker::note_compared(const Trial &trial, const std::string &label,
                                 std::span<const double> samples_ms) {
    return store_.add_samples(key_of(trial.code_hash), label, samples_ms);
}

Status TrialMaker::note_failed(const Trial &trial, const Failure &failure) {
    return store_.set_failed(key_of(trial.code_hash), failure, workload_.tolerance);
}

void TrialMaker::drop_unlinked() {
    const std::lock_guard lock(mutex_);
    std::erase_if(linked_, [](const auto &entry) {
        const Linked &linked = entry.second;
        if (linked.job) return false;
        if (linked.built) remove_folder(linked.built->folder);
        return true;
    });
}

}  // namespace autoschedule_gpu
