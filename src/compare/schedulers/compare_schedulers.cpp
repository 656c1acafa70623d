#include "compare/schedulers/compare_schedulers.h"

#include <bit>
#include <filesystem>
#include <mutex>

#include "compare/rows/comparison_file.h"
#include "compare/schedulers/app_contest.h"
#include "core/gpu/gpu_model_file.h"
#include "core/support/file.h"
#include "core/support/hash.h"
#include "core/support/parallel.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

// A program counts as the same while its size and the time of its last change are.
void add_file(Hasher &hasher, const std::string &path) {
    std::error_code error;
    hasher.add(path);
    const auto size = fs::file_size(path, error);
    hasher.add(error ? 0 : static_cast<uint64_t>(size));
    const auto changed = fs::last_write_time(path, error);
    hasher.add(error ? 0 : static_cast<uint64_t>(changed.time_since_epoch().count()));
}

void add_values(Hasher &hasher, const NamedValues &values) {
    for (const auto &[name, value] : values) hasher.add(name).add(value);
}

// Returns a hash of everything that an application's rows depend on.
uint64_t fingerprint(const ComparisonSettings &settings, const Toolbox &tools,
                     const Application &application) {
    Hasher hasher;
    hasher.add(application.name).add(settings.size).add(to_string(settings.device));
    if (settings.device.kind == DeviceKind::replay) add_file(hasher, settings.device.replay_file);
    hasher.add(to_json(settings.model)).add(settings.record_path);
    if (tools.ptxas != nullptr) add_file(hasher, tools.ptxas->path());
    hasher.add(std::bit_cast<uint64_t>(application.tolerance.relative.value_or(-1)));
    hasher.add(static_cast<uint64_t>(application.tolerance.integer_steps));
    hasher.add(settings.gpu).add(static_cast<uint64_t>(settings.repeats));
    hasher.add(static_cast<uint64_t>(settings.times_opencl));
    hasher.add(static_cast<uint64_t>(settings.limits.generate.timeout.count()));
    hasher.add(static_cast<uint64_t>(settings.limits.run_timeout.count()));
    for (const auto &[size, values] : application.sizes) {
        hasher.add(size);
        add_values(hasher, values);
    }
    add_file(hasher, application.generator);
    add_file(hasher, tools.runner);
    add_file(hasher, tools.probe);
    for (const SchedulerSpec &contender : settings.contenders) {
        hasher.add(contender.label);
        add_values(hasher, contender.scheduler_params);
        for (const std::string &folder : tools.plugin_folders) {
            if (!contender.plugin.empty()) add_file(hasher, folder + "/" + contender.plugin);
        }
    }
    return hasher.value();
}

// Rows of one application, kept from one call to the next.
class KeptRows {
public:
    KeptRows(const ComparisonSettings &settings, const Toolbox &tools,
             const Application &application)
        : rows_path_(settings.folder + "/rows/" + application.name + ".json"),
          key_path_(settings.folder + "/rows/" + application.name + ".key"),
          key_(std::to_string(fingerprint(settings, tools, application))) {}

    std::optional<std::vector<ComparisonRow>> load() const {
        const Result<std::string> key = read_file(key_path_);
        if (!key || *key != key_) return std::nullopt;
        Result<std::vector<ComparisonRow>> rows = ComparisonFile::read(rows_path_);
        if (!rows) return std::nullopt;
        return std::move(rows).value();
    }

    // The key last: rows without it don't count.
    Status save(const std::vector<ComparisonRow> &rows) const {
        std::error_code ignored;
        fs::remove(key_path_, ignored);
        if (Status written = ComparisonFile::write(rows_path_, rows); !written) return written;
        return write_file(key_path_, key_);
    }

private:
    std::string rows_path_, key_path_, key_;
};

class Contest {
public:
    Contest(const ComparisonSettings &settings, const Toolbox &tools,
            const ReportProgress &progress, const ReportRows &report_rows)
        : settings_(settings),
          tools_(tools),
          report_progress_(progress),
          report_rows_(report_rows),
          rows_(settings.applications.size()) {
        state_.total =
            static_cast<int>(settings.applications.size()) * steps_per_application(settings);
    }

    Result<std::vector<ComparisonRow>> hold() {
        ThreadPool pool(settings_.jobs);
        pool.for_each(settings_.applications.size(), [this](size_t index) { hold_one(index); });
        if (problem_) return *problem_;
        return all_rows();
    }

private:
    void hold_one(size_t index) {
        const Application &application = settings_.applications[index];
        const KeptRows kept(settings_, tools_, application);
        std::optional<std::vector<ComparisonRow>> rows;
        if (settings_.resume) rows = kept.load();
        int steps = 0;
        if (!rows) {
            rows = hold_app_contest(settings_, tools_, application, [&](const std::string &what) {
                step(application.name + ": " + what);
                ++steps;
            });
            if (Status saved = kept.save(*rows); !saved) return stop(saved.error());
        }
        finish(index, std::move(*rows), steps);
    }

    void step(const std::string &what) {
        const std::lock_guard lock(mutex_);
        state_.doing = what;
        if (report_progress_) report_progress_(state_);
        ++state_.done;
    }

    // Steps that were not needed count as done, too.
    void finish(size_t index, std::vector<ComparisonRow> rows, int steps) {
        const std::lock_guard lock(mutex_);
        rows_[index] = std::move(rows);
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
    std::mutex mutex_;  // for all below
    ComparisonProgress state_;
    std::optional<Error> problem_;
    std::vector<std::vector<ComparisonRow>> rows_;
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
