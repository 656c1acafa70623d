#include "compare/schedulers/compare_schedulers.h"

#include <filesystem>
#include <mutex>

#include "compare/rows/comparison_file.h"
#include "compare/schedulers/app_contest.h"
#include "compare/schedulers/fingerprint.h"
#include "compare/schedulers/kept_rows.h"
#include "core/support/file.h"
#include "core/support/parallel.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

KeptRows<ComparisonRow> kept_rows(const ComparisonSettings &settings, const Toolbox &tools,
                                  const Application &application) {
    const uint64_t key = comparison_fingerprint(settings, tools, application).value();
    return {settings.folder, application.name, key};
}

class Contest {
public:
    Contest(const ComparisonSettings &settings, const Toolbox &tools,
            const ReportProgress &progress, const ReportRows &report_rows)
        : settings_(settings),
          tools_(tools),
          report_progress_(progress),
          report_rows_(report_rows),
          may_keep_(settings.resume &&
                    (settings.record_path.empty() || is_there(settings.record_path))),
          rows_(settings.applications.size()),
          is_kept_(settings.applications.size()) {
        state_.total =
            static_cast<int>(settings.applications.size()) * steps_per_application(settings);
    }

    Result<std::vector<ComparisonRow>> hold() {
        if (may_keep_) load_kept();
        ThreadPool pool(settings_.jobs);
        pool.for_each(settings_.applications.size(), [this](size_t index) { hold_one(index); });
        if (problem_) return *problem_;
        return all_rows();
    }

private:
    // Before anything is measured, so that what is reported meanwhile has the rows of all
    // applications.
    void load_kept() {
        for (size_t i = 0; i < rows_.size(); ++i) {
            auto rows = kept_rows(settings_, tools_, settings_.applications[i]).load();
            if (!rows) continue;
            rows_[i] = *std::move(rows);
            is_kept_[i] = true;
        }
    }

    void hold_one(size_t index) {
        if (is_kept_[index]) return finish(0);
        const Application &application = settings_.applications[index];
        const KeptRows<ComparisonRow> kept = kept_rows(settings_, tools_, application);
        int steps = 0;
        AppContestResult held =
            hold_app_contest(settings_, tools_, application, [&](const std::string &what) {
                step(application.name + ": " + what);
                ++steps;
            });
        // What is not recorded is not kept either: the next call measures and records it.
        std::optional<Error> lost = held.unrecorded;
        if (!lost) {
            if (const Status saved = kept.save(held.rows); !saved) lost = saved.error();
        }
        if (lost) stop(*lost);
        add(index, std::move(held.rows));
        finish(steps);
    }

    void step(const std::string &what) {
        const std::lock_guard lock(mutex_);
        state_.doing = what;
        if (report_progress_) report_progress_(state_);
        ++state_.done;
    }

    void add(size_t index, std::vector<ComparisonRow> rows) {
        const std::lock_guard lock(mutex_);
        rows_[index] = std::move(rows);
    }

    // Steps that were not needed count as done, too.
    void finish(int steps) {
        const std::lock_guard lock(mutex_);
        state_.done += steps_per_application(settings_) - steps;
        if (report_rows_) report_rows_(all_rows());
    }

    void stop(const Error &error) {
        const std::lock_guard lock(mutex_);
        problem_ = error;
    }

    std::vector<ComparisonRow> all_rows() const {
        std::vector<ComparisonRow> all;
        for (const auto &rows : rows_) all.insert(all.end(), rows.begin(), rows.end());
        return all;
    }

    const ComparisonSettings &settings_;
    const Toolbox &tools_;
    const ReportProgress &report_progress_;
    const ReportRows &report_rows_;
    const bool may_keep_;  // not where the record is gone that kept rows were written to
    std::mutex mutex_;     // for all below
    ComparisonProgress state_;
    std::optional<Error> problem_;
    std::vector<std::vector<ComparisonRow>> rows_;  // of each application
    std::vector<bool> is_kept_;                     // of an earlier call; not changed while held
};

}  // namespace

bool times_runs(const ComparisonSettings &settings) {
    const std::optional<RunDevice> device = run_device(settings.device);
    return device == RunDevice::cuda || (device == RunDevice::opencl && settings.times_opencl);
}

int steps_per_application(const ComparisonSettings &settings) {
    const int contenders = static_cast<int>(settings.contenders.size());
    const int references = run_device(settings.device) ? 1 : 0;
    return contenders * (settings.repeats + 1) + references + (times_runs(settings) ? 1 : 0);
}

Result<std::vector<ComparisonRow>> compare_schedulers(const ComparisonSettings &settings,
                                                      const Toolbox &tools,
                                                      const ReportProgress &progress,
                                                      const ReportRows &report_rows) {
    std::error_code error;
    for (const char *folder : {"rows", "work"}) {
        fs::create_directories(fs::path(settings.folder) / folder, error);
        if (error) return Error{settings.folder + ": can't be made: " + error.message()};
    }
    return Contest(settings, tools, progress, report_rows).hold();
}

}  // namespace autoschedule_gpu
