#include "tune/queue_executor.h"

#include <chrono>
#include <set>
#include <thread>
#include <utility>

#include "records/worker_name.h"
#include "support/stopwatch.h"

namespace autoschedule_gpu {
namespace {

constexpr std::chrono::milliseconds kLook{200};

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

// Until all of the jobs are finished, or the user asks for the end: then those that no worker has
// begun are taken back, and the others waited for.
Result<Answers> wait_for(WorkQueue &queue, const QueueSettings &settings,
                         std::set<int64_t> numbers) {
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
        if (!is_over && settings.stop && settings.stop()) {
            is_over = true;
            const Result<int64_t> cancelled = queue.cancel(settings.session);
            if (!cancelled) return cancelled.error();
        }
        std::this_thread::sleep_for(kLook);
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

Failure lost(const std::string &worker) {
    return {.kind = FailureKind::lost,
            .reason = "the workers that measured it ended, the last was " + worker};
}

Result<TunedPipeline> learn(WorkQueue &queue, const QueueSettings &settings, TuneJob job) {
    job.kind = JobKind::learn;
    if (Status added = enqueue(queue, job); !added) return added.error();
    const Result<Answers> answers = wait_for(queue, settings, {number_of(job)});
    if (!answers) return answers.error();
    if (answers->empty()) return Error{"interrupted before a worker came"};
    const JobResult &result = answers->begin()->second;
    if (Status good = check_answer(result); !good) return good.error();
    const Result<JobAnswer> answer = parse_answer(result.text);
    if (!answer || !answer->learnt)
        return Error{"worker " + result.worker + " did not say what its device is"};
    return *answer->learnt;
}

}  // namespace

Result<std::unique_ptr<QueueExecutor>> QueueExecutor::open(QueueSettings settings,
                                                           const TrialBenchSettings &bench_settings,
                                                           TrialBench &bench,
                                                           const Subject &subject,
                                                           RecordStore &store, ThreadPool &pool) {
    TuneJob job{.session = settings.session,
                .subject = subject,
                .device = bench_settings.device,
                .gpu = bench_settings.gpu,
                .target = bench_settings.target};
    WorkQueue queue(store);
    // What was measured is in the records; what failed at a worker may go well at another.
    if (Status forgotten = queue.forget_finished(settings.session); !forgotten) {
        return forgotten.error();
    }
    Result<TunedPipeline> tuned = learn(queue, settings, job);
    if (!tuned) return tuned.error();
    job.expected = tuned->environment;
    return std::unique_ptr<QueueExecutor>(new QueueExecutor(
        std::move(settings), std::move(job), bench, store, pool, std::move(tuned).value()));
}

Result<std::vector<Trial>> QueueExecutor::build(std::span<const Draw> draws) {
    const PhaseTimer timer(times_.build);
    maker_.drop_unlinked();
    return maker_.make(draws);
}

Result<std::vector<Trial>> QueueExecutor::attempt(std::span<const Draw> draws,
                                                  std::optional<double> best_ms) {
    const PhaseTimer timer(times_.run);
    std::vector<Trial> trials;
    std::map<int64_t, std::vector<size_t>> asked;  // which draws a job is of
    std::set<int64_t> numbers;
    for (const Draw &draw : draws) {
        Result<std::optional<Trial>> known = maker_.known(draw);
        if (!known) return known.error();
        trials.push_back(known->value_or(Trial{.draw = draw}));
        if (*known) continue;
        TuneJob job = job_;
        job.draws = {draw};
        job.best_ms = best_ms;
        if (Status added = enqueue(queue_, job); !added) return added.error();
        asked[number_of(job)].push_back(trials.size() - 1);
        numbers.insert(number_of(job));
    }
    const Result<Answers> answers = wait_for(queue_, settings_, numbers);
    if (!answers) return answers.error();
    for (const auto &[number, result] : *answers) {
        if (Status good = check_answer(result); !good) return good.error();
        for (size_t i : asked[number]) {
            Result<std::optional<Trial>> found = maker_.known(draws[i]);
            if (!found) return found.error();
            if (*found) {
                trials[i] = **found;
            } else if (result.outcome == JobOutcome::lost) {
                trials[i].failure = lost(result.worker);
            }
        }
    }
    return trials;
}

Status QueueExecutor::measure(std::span<Trial *const> trials, std::optional<double> best_ms) {
    std::vector<Trial *> open;
    std::vector<Draw> draws;
    for (Trial *trial : trials) {
        if (trial->failure || trial->is_measured()) continue;
        open.push_back(trial);
        draws.push_back(trial->draw);
    }
    const Result<std::vector<Trial>> tried = attempt(draws, best_ms);
    if (!tried) return tried.error();
    for (size_t i = 0; i < open.size(); ++i) {
        open[i]->samples_ms = (*tried)[i].samples_ms;
        open[i]->failure = (*tried)[i].failure;
    }
    return Ok{};
}

Result<std::vector<ComparedTimes>> QueueExecutor::again(std::span<Trial *const> trials,
                                                        const Comparison &comparison) {
    const PhaseTimer timer(times_.run);
    TuneJob job = job_;
    job.kind = JobKind::compare;
    job.comparison = comparison;
    for (const Trial *trial : trials) job.draws.push_back(trial->draw);
    const std::string label = label_of(comparison, trials);
    auto known = maker_.compared(trials, label);
    if (!known) return known.error();
    if (!*known) {
        if (Status added = enqueue(queue_, job); !added) return added.error();
        const Result<Answers> answers = wait_for(queue_, settings_, {number_of(job)});
        if (!answers) return answers.error();
        if (!answers->empty()) {
            if (Status good = check_answer(answers->begin()->second); !good) return good.error();
        }
        known = maker_.compared(trials, label);
        if (!known) return known.error();
    }
    if (*known) return **known;
    return first_measurements(trials, comparison);
}

}  // namespace autoschedule_gpu
