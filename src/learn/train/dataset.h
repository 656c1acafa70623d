// The samples of one device as training sees them: grouped by pipeline and size, with duplicates
// merged and the network's inputs computed once.
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

// A cost model that needs no training, to which trained weights are compared.
struct Baseline {
    ModelKind kind;
    std::string_view name;
};
inline constexpr std::array<Baseline, 2> kBaselines = {
    {{ModelKind::roofline, "roofline"}, {ModelKind::analytical, "analytical"}}};

// The samples of one pipeline at one size. Only these are compared with each other: a search never
// chooses between sizes, and that more points take longer needs no learning.
//
// All lists have one entry per schedule, but `inputs` has one row per stage of every kernel.
struct PipelineSamples {
    std::string name;
    std::string size = {};  // as size_of_schedule knows it; empty where samples say none
    // Medians of the runs: a median stays right unless half of the runs are disturbed, in either
    // direction. The minimum would believe a single run whose clock went wrong.
    std::vector<double> times_ns = {};
    NetworkInputs inputs;               // rows of one schedule after the other's
    std::vector<size_t> row_ends = {};  // schedule i's rows end before row row_ends[i]
    std::array<std::vector<double>, kBaselines.size()> baseline_ns = {};

    size_t schedules() const { return times_ns.size(); }
    size_t first_row(size_t schedule) const { return schedule == 0 ? 0 : row_ends[schedule - 1]; }
};

struct Dataset {
    SampleOrigin origin;  // that of the first file, with the latest date of all files
    size_t files = 0;
    size_t samples = 0;  // before duplicates were merged
    size_t schedules = 0;
    // Their last record is left out, be it the first (sample_file.h): that is not one of `files`.
    std::vector<std::string> torn_files;
    std::vector<PipelineSamples> pipelines;  // sorted by name, then by size

    // Each once, however many sizes it has.
    std::vector<std::string> pipeline_names() const;
    // Positions in `pipelines`, for each name those of all its sizes. One algorithm at two sizes is
    // nearly the same to learn, so it is never both trained on and judged by.
    std::vector<std::vector<size_t>> by_name() const;
};

// Makes a Dataset of files that are in memory; `path` is for error messages. Samples of one
// pipeline at one size with the same features and the same device code are duplicates: they become
// one schedule with the runs of all of them.
//
// Returns an error that names the file and the record (the first sample is record 1) if its device
// or GpuModel is not that of the first file, or if a time is not finite and positive.
struct NamedSampleFile {
    std::string path;
    SampleFile file;
};
Result<Dataset> make_dataset(std::span<const NamedSampleFile> files);

// Reads the files and the folders `paths`; a folder stands for the *.samples in it. The result does
// not depend on the order in which a folder lists its files.
Result<Dataset> read_dataset(std::span<const std::string> paths);

}  // namespace autoschedule_gpu
