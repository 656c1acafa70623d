#include "compare/schedulers/cross_contest.h"

#include <algorithm>

#include "compare/rows/cross_file.h"
#include "compare/schedulers/fill_row.h"
#include "compare/schedulers/fingerprint.h"
#include "compare/schedulers/kept_rows.h"
#include "compare/schedulers/scheduler_bench.h"

namespace autoschedule_gpu {
namespace {

class CrossContest {
public:
    CrossContest(const ComparisonSettings &settings, const Toolbox &tools,
                 const std::vector<std::string> &scheduled_for,
                 const std::vector<std::string> &run_at, const ReportProgress &progress,
                 const ReportCrossRows &report_rows)
        : settings_(settings),
          tools_(tools),
          scheduled_for_(scheduled_for),
          run_at_(run_at),
          progress_(progress),
          report_rows_(report_rows),
          device_(*run_device(settings.device)),
          steps_per_application_(
              static_cast<int>(run_at.size() + settings.contenders.size() * scheduled_for.size())),
          rows_(settings.applications.size()),
          is_kept_(settings.applications.size()) {
        state_.total = static_cast<int>(settings.applications.size()) * steps_per_application_;
    }

    Result<std::vector<CrossRow>> hold() {
        if (settings_.resume) load_kept();
        for (size_t i = 0; i < rows_.size(); ++i) {
            if (is_kept_[i]) continue;
            const Application &application = settings_.applications[i];
            const KeptRows<CrossRow> kept = kept_rows(application);
            hold(application, rows_[i]);
            if (const Status saved = kept.save(rows_[i]); !saved) return saved.error();
        }
        return rows_so_far();
    }

private:
    KeptRows<CrossRow> kept_rows(const Application &application) const {
        Hasher key = fingerprint(settings_, tools_, application);
        for (const auto *sizes : {&scheduled_for_, &run_at_}) {
            key.add(sizes->size());
            for (const std::string &size : *sizes) key.add(size);
        }
        return {settings_.folder, application.name + ".cross", key.value()};
    }

    // Before anything is measured, so that what is reported meanwhile has the rows of all
    // applications.
    void load_kept() {
        for (size_t i = 0; i < rows_.size(); ++i) {
            auto rows = kept_rows(settings_.applications[i]).load();
            if (!rows) continue;
            rows_[i] = *std::move(rows);
            is_kept_[i] = true;
            state_.done += steps_per_application_;
        }
    }

    void hold(const Application &application, std::vector<CrossRow> &rows) {
        SchedulerBench bench(settings_, tools_, application);
        for (const std::string &size : run_at_) {
            step(application.name + ": reference, " + size);
            (void)bench.reference_at(size);
        }
        for (const SchedulerSpec &contender : settings_.contenders) {
            for (const std::string &size : scheduled_for_) {
                step(application.name + ": " + contender.label + ", " + size);
                run_schedule(bench, contender, size, rows);
            }
        }
    }

    void step(const std::string &what) {
        state_.doing = what;
        if (progress_) progress_(state_);
        ++state_.done;
    }

    // A failed run does not report its device, so its row gets that of a row that ran.
    std::vector<CrossRow> rows_so_far() const {
        std::vector<CrossRow> rows;
        for (const auto &of_one : rows_) rows.insert(rows.end(), of_one.begin(), of_one.end());
        const auto named = std::find_if(rows.begin(), rows.end(), [](const CrossRow &row) {
            return row.ok() && !row.device.empty();
        });
        if (named == rows.end()) return rows;
        const std::string device = named->device;
        for (CrossRow &row : rows) {
            if (row.failure) row.device = device;
        }
        return rows;
    }

    void run_schedule(SchedulerBench &bench, const SchedulerSpec &contender,
                      const std::string &made_for, std::vector<CrossRow> &rows) {
        const Outcome<RunnableLibrary> library = build(bench, contender, made_for);
        for (const std::string &size : run_at_) {
            CrossRow row{.app = bench.application().name,
                         .scheduler = contender.label,
                         .scheduled_for = named_size(bench.application(), made_for),
                         .run_at = named_size(bench.application(), size)};
            if (library) {
                run_at(bench, *library, size, row);
            } else {
                row.failure = row_failure(library.error());
            }
            rows.push_back(std::move(row));
            if (report_rows_) report_rows_(rows_so_far());
        }
    }

    Outcome<RunnableLibrary> build(SchedulerBench &bench, const SchedulerSpec &contender,
                                   const std::string &size) {
        const Outcome<ProbedCandidate> made = bench.generate(
            contender, device_, size, {.object = true, .device_code = false, .schedule = false});
        if (!made) return made.error();
        return bench.link(*made);
    }

    void run_at(SchedulerBench &bench, const RunnableLibrary &library, const std::string &size,
                CrossRow &row) {
        const NoiseProtocol noise = times_runs(settings_) ? NoiseProtocol{} : kUntimed;
        const Outcome<RunJob> job = bench.job_at(size, library, noise);
        if (!job) {
            row.failure = row_failure(job.error());
            return;
        }
        const Outcome<RunReport> run = bench.run(*job);
        row.device = to_string(device_);
        if (!run) {
            row.failure = row_failure(run.error());
            row.verified = run.error().kind == FailureKind::wrong_output
                               ? std::optional<bool>(false)
                               : std::nullopt;
            return;
        }
        row.device = device_text(device_, run->device_name);
        row.verified = run->verified;
        if (run->samples_ms.empty()) return;
        const Timing timing = summarise(run->samples_ms);
        row.run_ms = timing.median_ms;
        row.run_ms_interval = RowInterval{timing.interval_ms.low, timing.interval_ms.high};
    }

    static NamedSize named_size(const Application &application, const std::string &size) {
        std::string extents;
        if (const Result<NamedValues> values = size_parameters(application, size)) {
            for (const auto &[name, value] : *values) {
                extents += (extents.empty() ? "" : "x") + value;
            }
        }
        return {size, extents};
    }

    const ComparisonSettings &settings_;
    const Toolbox &tools_;
    const std::vector<std::string> &scheduled_for_;
    const std::vector<std::string> &run_at_;
    const ReportProgress &progress_;
    const ReportCrossRows &report_rows_;
    const RunDevice device_;
    const int steps_per_application_;
    ComparisonProgress state_;
    std::vector<std::vector<CrossRow>> rows_;  // of each application
    std::vector<bool> is_kept_;                // of an earlier call
};

}  // namespace

Result<std::vector<CrossRow>> hold_cross_contest(const ComparisonSettings &settings,
                                                 const Toolbox &tools,
                                                 const std::vector<std::string> &scheduled_for,
                                                 const std::vector<std::string> &run_at,
                                                 const ReportProgress &progress,
                                                 const ReportCrossRows &report_rows) {
    return CrossContest(settings, tools, scheduled_for, run_at, progress, report_rows).hold();
}

}  // namespace autoschedule_gpu
