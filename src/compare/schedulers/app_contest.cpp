#include "compare/schedulers/app_contest.h"

#include <algorithm>

#include "compare/schedulers/fill_row.h"
#include "compare/schedulers/scheduler_bench.h"
#include "core/support/statistics.h"
#include "core/support/utc_time.h"

namespace autoschedule_gpu {
namespace {

// What is known of a contender while the contest goes on.
struct Entry {
    const SchedulerSpec *contender = nullptr;
    ComparisonRow row = {};
    std::vector<double> search_samples_s = {};
    std::optional<ProbedCandidate> cuda = {};  // its device code is what ptxas sees
    std::optional<RunJob> run_job = {};        // a library that is ready to run
    std::optional<Timing> timing = {};
};

// Noise matters little to a search that takes longer, and repeating it takes very long.
constexpr double kLongestRepeatedSearchS = 30;

class AppContest {
public:
    AppContest(const ComparisonSettings &settings, const Toolbox &tools,
               const Application &application, const std::function<void(const std::string &)> &step)
        : settings_(settings),
          device_(run_device(settings.device)),
          bench_(settings, tools, application),
          step_(step) {
        for (const SchedulerSpec &contender : settings.contenders) {
            Entry &entry = entries_.emplace_back();
            entry.contender = &contender;
            entry.row.app = application.name;
            entry.row.scheduler = contender.label;
            entry.row.size = settings.size;
            entry.row.gpu = settings.model.name;
            entry.row.roofs = row_roofs(settings.model);
            entry.row.date = utc_date_of_today();
            entry.row.command = settings.command;
        }
    }

    AppContestResult hold() {
        if (device_) {
            step_("reference");
            for (const std::string &size : verified_sizes()) (void)bench_.reference_at(size);
        }
        for (Entry &entry : entries_) {
            step_(entry.contender->label + ", generator");
            generate(entry);
        }
        for (int round = 1; round < settings_.repeats; ++round) {
            for (Entry &entry : entries_) {
                step_(entry.contender->label + ", search");
                search_again(entry);
            }
        }
        const std::vector<Entry *> generated = without_failure();
        for (Entry *entry : generated) {
            step_(entry->contender->label + ", run");
            build_and_verify(*entry);
        }
        if (times_runs(settings_)) {
            step_("timed runs");
            time_runs();
        }
        AppContestResult result{.unrecorded = record(generated)};
        for (Entry &entry : entries_) {
            set_search_time(entry.search_samples_s, entry.row);
            result.rows.push_back(std::move(entry.row));
        }
        return result;
    }

private:
    // The size and its odd neighbour, which is another only if its parameters are: a random
    // pipeline has one size.
    std::vector<std::string> verified_sizes() const {
        const std::string odd = settings_.size + "_odd";
        const auto &sizes = bench_.application().sizes;
        const auto own = sizes.find(settings_.size), others = sizes.find(odd);
        const bool is_one =
            own != sizes.end() && others != sizes.end() && own->second == others->second;
        return is_one ? std::vector{settings_.size} : std::vector{settings_.size, odd};
    }

    std::vector<Entry *> without_failure() {
        std::vector<Entry *> entries;
        for (Entry &entry : entries_) {
            if (!entry.row.failure) entries.push_back(&entry);
        }
        return entries;
    }

    // The schedule for CUDA: search time, kernels, registers, traffic.
    void generate(Entry &entry) {
        const bool runs_it = device_ == RunDevice::cuda;
        Outcome<ProbedCandidate> made =
            bench_.generate(*entry.contender, RunDevice::cuda, settings_.size,
                            {.object = runs_it, .device_code = true, .schedule = true});
        if (!made) return fail(entry, made.error());
        entry.cuda = std::move(made).value();
        set_generator_figures(*entry.cuda, entry.row);
        const ProbeReport &probe = entry.cuda->probe;
        if (probe.search_s) entry.search_samples_s.push_back(*probe.search_s);
        if (entry.cuda->generated.device_code_path.empty()) {
            return fail(entry, {.kind = FailureKind::search,
                                .reason = "the schedule has no kernel: the generator wrote no "
                                          "code for the device"});
        }
        const Outcome<std::vector<KernelFigures>> figures = bench_.figures(*entry.cuda);
        if (!figures) return fail(entry, figures.error());
        entry.row.kernels = row_kernels(probe, *figures, settings_.model);
        const Outcome<Ok> fits = bench_.check_limits(*entry.cuda);
        if (!fits) fail(entry, fits.error());
    }

    void search_again(Entry &entry) {
        if (entry.row.failure || entry.search_samples_s.empty()) return;
        if (entry.search_samples_s.front() > kLongestRepeatedSearchS) return;
        const Outcome<double> seconds = bench_.search_again(*entry.contender, settings_.size);
        if (seconds) entry.search_samples_s.push_back(*seconds);
    }

    void build_and_verify(Entry &entry) {
        if (settings_.device.kind == DeviceKind::replay) return replay(entry);
        if (!device_) return;
        const Outcome<RunnableLibrary> library = link_for_device(entry);
        if (!library) return fail(entry, library.error());
        for (const std::string &size : verified_sizes()) verify_at(entry, *library, size);
        if (!entry.row.failure) entry.row.verified = true;
    }

    Outcome<RunnableLibrary> link_for_device(Entry &entry) {
        if (device_ == RunDevice::cuda) return bench_.link(*entry.cuda);
        Outcome<ProbedCandidate> made =
            bench_.generate(*entry.contender, RunDevice::opencl, settings_.size,
                            {.object = true, .device_code = false, .schedule = false});
        if (!made) return made.error();
        return bench_.link(*made);
    }

    void verify_at(Entry &entry, const RunnableLibrary &library, const std::string &size) {
        const Outcome<RunJob> job = bench_.job_at(size, library, kUntimed);
        if (!job) return fail(entry, job.error());
        const Outcome<RunReport> run = bench_.run(*job);
        entry.row.verified_sizes.push_back({size, run.ok(), run ? "" : run.error().reason});
        if (!run) {
            Failure failure = run.error();
            failure.reason = "at size " + size + ": " + failure.reason;
            return fail(entry, failure);
        }
        entry.row.device = device_text(*device_, run->device_name);
        if (size == settings_.size) entry.run_job = *job;
    }

    void time_runs() {
        std::vector<RunJob> jobs;
        std::vector<Entry *> timed;
        for (Entry &entry : entries_) {
            if (entry.row.failure || !entry.run_job) continue;
            jobs.push_back(*entry.run_job);
            jobs.back().noise = NoiseProtocol{};
            timed.push_back(&entry);
        }
        if (jobs.empty()) return;
        const auto outcomes = bench_.run_in_rounds(jobs, settings_.repeats);
        if (!outcomes) {
            for (Entry *entry : timed) fail(*entry, setup_failure(outcomes.error().message));
            return;
        }
        for (size_t i = 0; i < timed.size(); ++i) {
            const Outcome<InterleavedRun> &run = (*outcomes)[i];
            if (!run) {
                fail(*timed[i], run.error());
                continue;
            }
            set_run_time(run->timing, timed[i]->row);
            timed[i]->timing = run->timing;
        }
    }

    // Appends what was measured of the entries, or that they failed on the device. What fails
    // before that does so at a replay as well.
    std::optional<Error> record(const std::vector<Entry *> &entries) const {
        if (settings_.record_path.empty()) return std::nullopt;
        const std::optional<std::string> device = known_device();
        for (const Entry *entry : entries) {
            std::optional<MeasurementRecord> measured = record_of(*entry);
            if (!measured) continue;
            if (!device) {
                return Error{settings_.record_path + ": the failures of " + entry->row.app +
                             " are not recorded, because no run has told what the device is"};
            }
            measured->device = *device;
            const Status appended = append_record(settings_.record_path, *measured);
            if (!appended) return appended.error();
        }
        return std::nullopt;
    }

    // A run that fails does not tell its device, but others of the application do, or the records
    // so far.
    std::optional<std::string> known_device() const {
        for (const Entry &entry : entries_) {
            if (entry.row.device != "none") return entry.row.device;
        }
        const Result<Replay> so_far = Replay::open(settings_.record_path);
        return so_far ? std::optional(so_far->device()) : std::nullopt;
    }

    // All but the device; nothing where nothing is known of the candidate.
    static std::optional<MeasurementRecord> record_of(const Entry &entry) {
        const std::optional<RowFailure> &failure = entry.row.failure;
        if (failure ? is_provisional(failure->kind) : !entry.timing) return std::nullopt;
        MeasurementRecord record{.key = {entry.row.app, entry.row.size, entry.cuda->code_hash},
                                 .scheduler = entry.row.scheduler};
        if (failure) {
            record.failure = Failure{.kind = failure->kind, .reason = failure->sentence};
        } else {
            record.samples_ms = entry.timing->samples_ms;
        }
        return record;
    }

    void replay(Entry &entry) {
        const Outcome<Timing> timing =
            settings_.replay->find({entry.row.app, entry.row.size, entry.cuda->code_hash});
        if (!timing) return fail(entry, timing.error());
        entry.row.device = "replay: " + settings_.replay->device();
        set_run_time(*timing, entry.row);
    }

    // A row gives the reason of its first failure. Its output was wrong if any is known to be.
    void fail(Entry &entry, const Failure &failure) {
        const bool was_wrong = !entry.row.verified.value_or(true);
        entry.row.verified = was_wrong || failure.kind == FailureKind::wrong_output
                                 ? std::optional<bool>(false)
                                 : std::nullopt;
        if (entry.row.failure) return;
        entry.row.failure = row_failure(failure);
        entry.row.reproduce =
            failure.command.empty()
                ? bench_.plain_command(*entry.contender, RunDevice::cuda, settings_.size)
                : failure.command;
    }

    const ComparisonSettings &settings_;
    const std::optional<RunDevice> device_;
    SchedulerBench bench_;
    const std::function<void(const std::string &)> &step_;
    std::vector<Entry> entries_;
};

}  // namespace

AppContestResult hold_app_contest(const ComparisonSettings &settings, const Toolbox &tools,
                                  const Application &application,
                                  const std::function<void(const std::string &)> &step) {
    return AppContest(settings, tools, application, step).hold();
}

}  // namespace autoschedule_gpu
