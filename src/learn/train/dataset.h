// The samples of one device as training sees them: grouped by pipeline, duplicates merged, the
// network's inputs computed once.
//
//     *.samples ─► read_dataset ─► Dataset ─► train (trainer.h), cross-validation, report card
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "lab/samples/sample_file.h"
#include "scheduler/model/model_choice.h"
#include "scheduler/model/network_inputs.h"

namespace autoschedule_gpu {

// The cost models that need no training: what trained weights are compared to.
struct Baseline {
    ModelKind kind;
    std::string_view name;
};
inline constexpr std::array<Baseline, 2> kBaselines = {
    {{ModelKind::roofline, "roofline"}, {ModelKind::analytical, "analytical"}}};

// All lists but `row_ends`' target have one entry per schedule.
struct PipelineSamples {
    std::string name;
    // The median of the runs: up to half of them may be disturbed, in either direction, before it
    // is. The least would believe a single run whose clock went wrong.
    std::vector<double> times_ns = {};
    NetworkInputs inputs;  // a row per stage of every kernel, one schedule after the other
    std::vector<size_t> row_ends = {};  // schedule i has the rows before row_ends[i]
    std::array<std::vector<double>, kBaselines.size()> baseline_ns = {};

    size_t schedules() const { return times_ns.size(); }
    size_t first_row(size_t schedule) const { return schedule == 0 ? 0 : row_ends[schedule - 1]; }
};

struct Dataset {
    SampleOrigin origin;  // of the first file, but for the date: the latest of all
    size_t files = 0;
    size_t samples = 0;  // before duplicates were merged
    size_t schedules = 0;
    std::vector<std::string> torn_files;     // whose last record was left out (sample_file.h)
    std::vector<PipelineSamples> pipelines;  // by name

    std::vector<std::string> pipeline_names() const;
};

// What read_dataset does, from files that are in memory; `path` is for error messages. Samples of
// one pipeline with the same features and the same device code are duplicates: one schedule, with
// the runs of all.
//
// Refused, with the file and the record (of the samples, the first is record 1): a device or a
// GpuModel other than that of the first file, times that are no time.
struct NamedSampleFile {
    std::string path;
    SampleFile file;
};
Result<Dataset> make_dataset(std::span<const NamedSampleFile> files);

// `paths` are files and folders; a folder stands for the *.samples in it. The result does not
// depend on the order in which a folder lists its files.
Result<Dataset> read_dataset(std::span<const std::string> paths);

}  // namespace autoschedule_gpu
