#include "learn/train/dataset.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "core/support/file.h"
#include "core/support/hash.h"
#include "core/support/statistics.h"
#include "lab/samples/featurization.h"
#include "lab/samples/origin.h"
#include "lab/samples/sample_bytes.h"
#include "lab/workloads/sampler.h"
#include "scheduler/model/make_cost_model.h"

namespace autoschedule_gpu {

namespace {

namespace fs = std::filesystem;

constexpr double kNsPerMs = 1e6;

std::string record_name(const std::string &path, size_t record) {
    return path + ": record " + std::to_string(record);
}

class DatasetBuilder {
public:
    explicit DatasetBuilder(const SampleOrigin &origin) {
        dataset_.origin = origin;
        for (size_t i = 0; i < kBaselines.size(); ++i) {
            baselines_[i] =
                make_cost_model({.kind = kBaselines[i].kind, .weights = nullptr}, origin.gpu);
        }
    }

    Status add(const std::string &path, const SampleFile &file);
    Dataset finish();

private:
    using NameAndSize = std::pair<std::string, std::string>;
    struct Pipeline {
        Pipeline(const NameAndSize &key, const GpuModel &gpu)
            : samples{.name = key.first, .size = key.second, .inputs = NetworkInputs(gpu)} {}

        PipelineSamples samples;
        std::map<std::pair<uint64_t, uint64_t>, size_t> index;  // by device code and features
        std::vector<std::vector<double>> runs_ms;               // by schedule
    };

    void append(const Sample &sample, Pipeline &pipeline) const;

    Dataset dataset_;
    std::array<std::unique_ptr<const CostModel>, kBaselines.size()> baselines_;
    std::map<NameAndSize, Pipeline> pipelines_;
};

Status DatasetBuilder::add(const std::string &path, const SampleFile &file) {
    // The error names record 0, because a file's origin comes before its samples.
    if (const Status same = check_same_device(dataset_.origin, file.origin); !same) {
        return Error{record_name(path, 0) + ": " + same.error().message +
                     ": train on one device at a time"};
    }
    dataset_.origin.date = std::max(dataset_.origin.date, file.origin.date);
    ++dataset_.files;
    if (file.torn_bytes > 0) dataset_.torn_files.push_back(path);
    for (size_t i = 0; i < file.samples.size(); ++i) {
        const Sample &sample = file.samples[i];
        if (const Status good = check_sample(sample); !good) {
            return Error{record_name(path, i + 1) + ": " + good.error().message};
        }
        const Result<std::string> features = featurization_bytes(sample.kernels);
        if (!features) return Error{record_name(path, i + 1) + ": " + features.error().message};
        const NameAndSize group{sample.pipeline, size_of_schedule(sample.schedule)};
        Pipeline &pipeline =
            pipelines_.try_emplace(group, group, dataset_.origin.gpu).first->second;
        const auto key = std::pair{sample.code_hash, Hasher().add(*features).value()};
        const auto [known, is_new] = pipeline.index.try_emplace(key, pipeline.runs_ms.size());
        if (is_new) append(sample, pipeline);
        std::vector<double> &runs = pipeline.runs_ms[known->second];
        runs.insert(runs.end(), sample.times_ms.begin(), sample.times_ms.end());
    }
    dataset_.samples += file.samples.size();
    return Ok{};
}

void DatasetBuilder::append(const Sample &sample, Pipeline &pipeline) const {
    PipelineSamples &samples = pipeline.samples;
    for (const FeatureTable &kernel : sample.kernels) samples.inputs.append(kernel);
    samples.row_ends.push_back(samples.inputs.rows());
    std::vector<double> costs(sample.kernels.size());
    for (size_t i = 0; i < kBaselines.size(); ++i) {
        baselines_[i]->estimate(sample.kernels, costs);
        double sum = 0;
        for (const double cost : costs) sum += cost;
        samples.baseline_ns[i].push_back(sum);
    }
    pipeline.runs_ms.emplace_back();
}

Dataset DatasetBuilder::finish() {
    for (auto &[group, pipeline] : pipelines_) {
        for (std::vector<double> &runs : pipeline.runs_ms) {
            pipeline.samples.times_ns.push_back(kNsPerMs * median(std::move(runs)));
        }
        dataset_.schedules += pipeline.samples.schedules();
        dataset_.pipelines.push_back(std::move(pipeline.samples));
    }
    return std::move(dataset_);
}

// Returns the files that `paths` stand for.
Result<std::vector<std::string>> sample_files(std::span<const std::string> paths) {
    std::vector<std::string> files;
    for (const std::string &path : paths) {
        std::error_code error;
        if (!fs::is_directory(path, error)) {
            files.push_back(path);
            continue;
        }
        std::vector<std::string> found;
        for (fs::directory_iterator i(path, error), end; !error && i != end; i.increment(error)) {
            if (i->path().extension() == ".samples") found.push_back(i->path().string());
        }
        if (error) return Error{path + ": cannot be read: " + error.message()};
        if (found.empty()) {
            return Error{path + ": expected a folder with files NAME.samples, found none of them"};
        }
        std::sort(found.begin(), found.end());
        files.insert(files.end(), found.begin(), found.end());
    }
    return files;
}

// Whether a file ends within its first record, as a writer leaves it that was killed there.
Result<bool> is_torn_at_first(const std::string &path) {
    if (!is_there(path)) return false;
    const Result<bool> begun = has_begun(path);
    if (!begun) return begun.error();
    return !*begun;
}

}  // namespace

Result<Dataset> make_dataset(std::span<const NamedSampleFile> files) {
    if (files.empty()) return Error{"expected files of samples, found none"};
    DatasetBuilder builder(files.front().file.origin);
    for (const NamedSampleFile &named : files) {
        if (const Status added = builder.add(named.path, named.file); !added) return added.error();
    }
    return builder.finish();
}

Result<Dataset> read_dataset(std::span<const std::string> paths) {
    const Result<std::vector<std::string>> files = sample_files(paths);
    if (!files) return files.error();
    std::optional<DatasetBuilder> builder;
    std::vector<std::string> not_begun;
    for (const std::string &path : *files) {
        const Result<bool> holds_nothing = is_torn_at_first(path);
        if (!holds_nothing) return holds_nothing.error();
        if (*holds_nothing) {
            not_begun.push_back(path);
            continue;
        }
        const Result<SampleFile> file = read_samples(path);
        if (!file) return file.error();
        if (!builder) builder.emplace(file->origin);
        if (const Status added = builder->add(path, *file); !added) return added.error();
    }
    if (!builder) {
        return Error{not_begun.empty() ? "expected files of samples, found none"
                                       : not_begun.front() +
                                             ": its first record is cut short, and no other "
                                             "file holds samples"};
    }
    Dataset dataset = builder->finish();
    std::ranges::move(not_begun, std::back_inserter(dataset.torn_files));
    return dataset;
}

std::vector<std::string> Dataset::pipeline_names() const {
    std::vector<std::string> names;
    for (const std::vector<size_t> &sizes : by_name()) {
        names.push_back(pipelines[sizes.front()].name);
    }
    return names;
}

std::vector<std::vector<size_t>> Dataset::by_name() const {
    std::vector<std::vector<size_t>> groups;
    for (size_t i = 0; i < pipelines.size(); ++i) {
        if (i == 0 || pipelines[i].name != pipelines[i - 1].name) groups.emplace_back();
        groups.back().push_back(i);
    }
    return groups;
}

}  // namespace autoschedule_gpu
