#include "lab/records/record_export.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "core/gpu/resolve.h"
#include "core/support/file.h"
#include "lab/run/replay.h"
#include "lab/samples/featurization.h"
#include "lab/samples/sample_file.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

constexpr size_t kSamplesAtATime = 1000;

std::string application_of(const std::string &pipeline) {
    constexpr std::string_view kPrefix = "app:";
    return pipeline.starts_with(kPrefix) ? pipeline.substr(kPrefix.size()) : pipeline;
}

MeasurementRecord measurement_of(const TuningRecord &record) {
    return {.device = record.environment.device,
            .key = {.app = application_of(record.pipeline.name),
                    .size = record.pipeline.size,
                    .code_hash = record.code_hash},
            .scheduler = record.found_by,
            .samples_ms = record.failure ? std::vector<double>() : all_times_ms(record),
            .failure = record.failure};
}

// Returns the file's name for a device: NVIDIA_H200.jsonl for "NVIDIA H200".
std::string file_name(std::string device) {
    for (char &c : device) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') c = '_';
    }
    return device + ".jsonl";
}

Error several(std::string_view what, const std::string &one, const std::string &another,
              std::string_view also = "") {
    const std::string name(what);
    return Error{"expected records of one " + name + ", found '" + one + "' and '" + another +
                 "'; --" + name + " chooses one" + std::string(also)};
}

// Of these, a time or a failure under one says nothing of another (README.md, Identity).
struct Part {
    std::string_view name;
    std::string Environment::*value;
};
constexpr Part kDevice = {"device", &Environment::device};
constexpr Part kDriver = {"driver", &Environment::driver};
constexpr Part kGpu = {"gpu", &Environment::gpu};
constexpr Part kHalide = {"halide", &Environment::halide};

// An error if they differ in one of these parts.
Status check_same(const Environment &one, const Environment &another, std::span<const Part> parts) {
    for (const Part &part : parts) {
        if (one.*part.value == another.*part.value) continue;
        return several(part.name, one.*part.value, another.*part.value);
    }
    return Ok{};
}

// Returns the GpuModel, with the API that the device speaks.
Result<GpuModel> model_of(const std::string &gpu, const std::string &device) {
    const GpuApi api = device.starts_with("opencl") ? GpuApi::opencl : GpuApi::cuda;
    return resolve_gpu_model(gpu, {.api = api});
}

// Collects samples and appends many of them at a time, because each append reads the whole file.
class SampleExport {
public:
    SampleExport(const std::string &path, const std::string &gpu, const std::string &command)
        : path_(path), gpu_(gpu), command_(command) {}

    // Returns an error if the record can't be added to those that were checked before.
    Status check(const TuningRecord &record) {
        if (Status same = fill_origin(record); !same) return same;
        if (!has_features(record)) return Ok{};
        if (const auto kernels = kernels_of(record); !kernels) return kernels.error();
        plugins_.insert(record.environment.plugin);
        return Ok{};
    }
    Status add(const TuningRecord &record) {
        if (Status same = fill_origin(record); !same) return same;
        if (!has_features(record)) {
            ++counts_.left_out;
            return Ok{};
        }
        Result<std::vector<FeatureTable>> kernels = kernels_of(record);
        if (!kernels) return kernels.error();
        // What stands behind a space is how it was drawn (size_of_schedule).
        std::string size = record.pipeline.size;
        std::ranges::replace(size, ' ', ',');
        samples_.push_back({.pipeline = record.pipeline.name,
                            .schedule = "size=" + size + " " + record.found_by,
                            .code_hash = record.code_hash,
                            .kernels = std::move(kernels).value(),
                            .times_ms = all_times_ms(record)});
        ++counts_.written;
        return samples_.size() < kSamplesAtATime ? Status(Ok{}) : flush();
    }
    Status flush() {
        if (samples_.empty()) return Ok{};
        origin_->plugin = names_of_plugins();
        Status written = append_samples(path_, *origin_, samples_);
        samples_.clear();
        return written;
    }
    const ExportCounts &counts() const { return counts_; }

private:
    static bool has_features(const TuningRecord &record) {
        return !record.features.empty() &&
               record.environment.feature_schema == feature_schema_hash();
    }
    static Result<std::vector<FeatureTable>> kernels_of(const TuningRecord &record) {
        Result<std::vector<FeatureTable>> kernels = parse_featurization(record.features);
        if (!kernels) return Error{"features of a record: " + kernels.error().message};
        return kernels;
    }

    // Several versions may have made records of one list of features: "0.1.0, 0.2.0".
    std::string names_of_plugins() const {
        std::string names;
        for (const std::string &name : plugins_) names += (names.empty() ? "" : ", ") + name;
        return names;
    }

    Status fill_origin(const TuningRecord &record) {
        const Environment &environment = record.environment;
        if (!first_) first_ = environment;
        constexpr Part kOfAll[] = {kDevice, kDriver, kHalide};
        if (Status same = check_same(*first_, environment, kOfAll); !same) return same;
        if (first_->gpu != environment.gpu && gpu_.empty()) {
            return several(kGpu.name, first_->gpu, environment.gpu,
                           " of them, --model what the samples are for");
        }
        if (origin_) return Ok{};
        Result<GpuModel> model =
            model_of(gpu_.empty() ? environment.gpu : gpu_, environment.device);
        if (!model) return model.error();
        origin_ = SampleOrigin{.device = environment.device,
                               .driver = environment.driver,
                               .gpu = std::move(model).value(),
                               .halide = environment.halide,
                               .plugin = {},
                               .date = record.recorded_at.substr(0, 10),
                               .command = command_};
        return Ok{};
    }

    std::string path_, gpu_, command_;
    std::optional<Environment> first_;  // of the records
    std::optional<SampleOrigin> origin_;
    std::set<std::string> plugins_;  // versions of those that have features
    std::vector<Sample> samples_;
    ExportCounts counts_;
};

}  // namespace

Result<ExportCounts> export_measurements(RecordStore &store, const RecordFilter &filter,
                                         const std::string &out) {
    ExportCounts counts;
    std::map<std::string, std::string> lines;         // by device
    std::map<std::string, Environment> environments;  // likewise
    const Status visited = store.visit(filter, [&](const TuningRecord &record) {
        if (record.failure && is_provisional(record.failure->kind)) {
            ++counts.left_out;
            return Status(Ok{});
        }
        const Environment &own = record.environment;
        const Environment &first = environments.try_emplace(own.device, own).first->second;
        constexpr Part kOfADevice[] = {kDriver, kGpu, kHalide};
        if (Status same = check_same(first, own, kOfADevice); !same) return same;
        lines[own.device] += to_json(measurement_of(record)) + "\n";
        ++counts.written;
        return Status(Ok{});
    });
    if (!visited) return visited.error();
    const bool into_folder = is_folder(out);
    if (!into_folder && lines.size() > 1) {
        return several(kDevice.name, lines.begin()->first, std::next(lines.begin())->first);
    }
    // What an earlier call has left would be taken for what there is now.
    if (!into_folder && lines.empty()) lines[""];
    for (const auto &[device, text] : lines) {
        const std::string path = into_folder ? (fs::path(out) / file_name(device)).string() : out;
        if (Status written = write_file(path, text); !written) return written.error();
    }
    return counts;
}

Result<ExportCounts> export_samples(RecordStore &store, const RecordFilter &filter,
                                    const std::string &gpu, const std::string &command,
                                    const std::string &path) {
    RecordFilter measured = filter;
    measured.outcome = RecordOutcome::measured;
    SampleExport samples(path, gpu, command);
    // All are checked before the first is written: those that an export had written before it
    // failed would be written a second time when it is repeated.
    const Status visited = store.visit_twice(
        measured, [&](const TuningRecord &record) { return samples.check(record); },
        [&](const TuningRecord &record) { return samples.add(record); });
    if (!visited) return visited.error();
    if (Status written = samples.flush(); !written) return written.error();
    return samples.counts();
}

}  // namespace autoschedule_gpu
