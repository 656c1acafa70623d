#include "tune/executors/queue_executor.h"

#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "core/support/stopwatch.h"
#include "lab/records/worker_name.h"

namespace autoschedule_gpu {
namespace {

constexpr std::chrono::milliseconds kLookForResults{200};

// What came of jobs, by number.
using Answers = std::map<int64_t, JobResult>;

Status enqueue(WorkQueue &queue, const TuneJob &job) {
    const Result<bool> added = queue.enqueue(job.session, number_of(job), to_json(job));
    if (!added) return added.error();
    return Ok{};
}

std::string text_of(const JobCounts &counts) {
    return std::to_string(counts.waiting) + " jobs wait, " + std::to_string(counts.leased) +
           " are at workers" +
           (counts.leased == 0 ? "; start some: autotune worker --records FILE" : "");
}

// Until all of the jobs are finished, or `stop` says that it is the end: then those that no worker
// has begun are taken back, and the others waited for.
Result<Answers> wait_for(WorkQueue &queue, const QueueSettings &settings, std::set<int64_t> numbers,
                         const std::function<bool()> &stop) {
    Answers answers;
    bool is_over = false;
    while (true) {
        const Result<int64_t> released = queue.release_dead(host_identity(), is_alive);
        if (!released) return released.error();
        const Result<std::vector<JobResult>> results = queue.results(settings.session);
        if (!results) return results.error();
        for (const JobResult &result : *results) {
            if (numbers.erase(result.number) > 0) answers[result.number] = result;
        }
        if (numbers.empty()) return answers;
        const Result<JobCounts> counts = queue.status(settings.session);
        if (!counts) return counts.error();
        if (is_over && counts->leased == 0) return answers;
        if (settings.waits) settings.waits(text_of(*counts));
        if (!is_over && stop && stop()) {
            is_over = true;
            const Result<int64_t> cancelled = queue.cancel(settings.session);
            if (!cancelled) return cancelled.error();
        }
        std::this_thread::sleep_for(kLookForResults);
    }
}

// What a worker could not do is no fault of the schedule.
Status check_answer(const JobResult &result) {
    if (result.outcome == JobOutcome::lost) return Ok{};
    const Result<JobAnswer> answer = parse_answer(result.text);
    if (!answer) return answer.error();
    if (answer->error.empty()) return Ok{};
    return Error{"worker " + result.worker + ": " + answer->error};
}

// Of a job of which the records say nothing, though it is over.
Failure lost(const JobResult &result) {
    return {.kind = FailureKind::lost,
            .reason = result.outcome == JobOutcome::lost
                          ? "the workers that measured it ended, the last was " + result.worker
                          : "its processes were killed from outside at worker " + result.worker};
}

// Nothing where the user asks for the end before a worker comes.
Result<std::optional<TunedPipeline>> learn(WorkQueue &queue, const QueueSettings &settings,
                                           TuneJob job) {
    job.kind = JobKind::learn;
    if (Status added = enqueue(queue, job); !added) return added.error();
    const Result<Answers> answers = wait_for(queue, settings, {number_of(job)}, settings.stop);
    if (!answers) return answers.error();
    if (answers->empty()) return std::optional<TunedPipeline>();
    const JobResult &result = answers->begin()->second;
    if (Status good = check_answer(result); !good) return good.error();
    const Result<JobAnswer> answer = parse_answer(result.text);
    if (!answer || !answer->learnt)
        return Error{"worker " + result.worker + " did not say what its device is"};
    return answer->learnt;
}

// Of an earlier call, which may have been killed: what waits would be done by its old text, which
// may be of another version of the plugin. What a living worker does is left to it. What was
// measured is in the records; what failed at a worker may go well at another.
Status forget_earlier(WorkQueue &queue, const std::string &session) {
    const Result<int64_t> released = queue.release_dead(host_identity(), is_alive);
    if (!released) return released.error();
    const Result<int64_t> cancelled = queue.cancel(session);
    if (!cancelled) return cancelled.error();
    return queue.forget_finished(session);
}

}  // namespace

Result<std::unique_ptr<QueueExecutor>> QueueExecutor::open(QueueSettings settings,
                                                           const TuneContext &context) {
    const TrialBenchSettings &bench = context.bench.settings();
    TuneJob job{.session = settings.session,
                .workload = context.workload,
                .device = bench.device,
                .gpu = bench.gpu,
                .target = bench.target};
    WorkQueue queue(context.store);
    if (Status forgotten = forget_earlier(queue, settings.session); !forgotten) {
        return forgotten.error();
    }
    Result<std::optional<TunedPipeline>> learnt = learn(queue, settings, job);
    if (!learnt) return learnt.error();
    if (!*learnt) return std::unique_ptr<QueueExecutor>();
    TunedPipeline tuned = **learnt;
    job.expected = tuned.environment;
    job.pipeline_hash = tuned.pipeline.hash;
    return std::unique_ptr<QueueExecutor>(
        new QueueExecutor(std::move(settings), std::move(job), std::move(tuned), context));
}

Result<bool> QueueExecutor::take_known(Trial &trial) {
    Result<std::optional<Trial>> known = maker_.known(trial.draw);
    if (!known) return known.error();
    if (!*known) return false;
    Trial found = *std::move(known).value();
    if (trial.is_request()) {
        trial = std::move(found);
    } else {
        trial.samples_ms = std::move(found.samples_ms);
        trial.failure = std::move(found.failure);
    }
    return true;
}

Status QueueExecutor::measure(std::span<Trial *const> trials, std::optional<double> best_ms) {
    const PhaseTimer timer(times_.run);
    std::map<int64_t, std::vector<Trial *>> asked;  // the trials that a job is of
    std::set<int64_t> numbers;
    for (Trial *trial : trials) {
        if (!trial->is_open()) continue;
        const Result<bool> known = take_known(*trial);
        if (!known) return known.error();
        if (*known) continue;
        TuneJob job = job_;
        job.draws = {trial->draw};
        job.best_ms = best_ms;
        if (Status added = enqueue(queue_, job); !added) return added.error();
        asked[number_of(job)].push_back(trial);
        numbers.insert(number_of(job));
    }
    const Result<Answers> answers = wait_for(queue_, settings_, numbers, begins_no_more_);
    if (!answers) return answers.error();
    times_.builds += static_cast<int>(answers->size());
    times_.runs += static_cast<int>(answers->size());
    for (const auto &[number, result] : *answers) {
        if (Status good = check_answer(result); !good) return good.error();
        for (Trial *trial : asked[number]) {
            const Result<bool> known = take_known(*trial);
            if (!known) return known.error();
            if (!*known) trial->failure = lost(result);
        }
    }
    return Ok{};
}

Result<std::vector<ComparedTimes>> QueueExecutor::compare_anew(std::span<Trial *const> trials,
                                                               const Comparison &comparison) {
    const PhaseTimer timer(times_.run);
    TuneJob job = job_;
    job.kind = JobKind::compare;
    job.comparison = comparison;
    for (const Trial *trial : trials) job.draws.push_back(trial->draw);
    if (Status added = enqueue(queue_, job); !added) return added.error();
    const Result<Answers> answers = wait_for(queue_, settings_, {number_of(job)}, settings_.stop);
    if (!answers) return answers.error();
    if (!answers->empty()) {
        if (Status good = check_answer(answers->begin()->second); !good) return good.error();
        times_.runs += comparison.rounds * static_cast<int>(trials.size());
    }
    std::vector<ComparedTimes> times;
    for (Trial *trial : trials) {
        const auto own = maker_.outcome_of_comparison(*trial, label_of(comparison, trials));
        if (!own) return own.error();
        times.push_back(*own);
        if (!times.back()) trial->failure = times.back().error();
    }
    return times;
}

}  // namespace autoschedule_gpu
