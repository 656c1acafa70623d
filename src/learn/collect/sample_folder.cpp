#include "learn/collect/sample_folder.h"

#include <filesystem>
#include <utility>

#include "core/support/file.h"
#include "lab/samples/sample_file.h"
#include "lab/workloads/sampler.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

// Returns true if there are samples of that path in its folder, and of no other device.
Result<bool> are_only_samples(const fs::path &samples_path) {
    bool are_there = false, are_only = true;
    std::error_code error;
    for (fs::directory_iterator i(samples_path.parent_path(), error), end; !error && i != end;
         i.increment(error)) {
        if (i->path().extension() != ".samples") continue;
        const bool is_this = i->path().filename() == samples_path.filename();
        are_there = are_there || is_this;
        are_only = are_only && is_this;
    }
    if (error) return Error{samples_path.parent_path().string() + ": " + error.message()};
    return are_there && are_only;
}

// Gives the failures that an earlier release wrote for all devices to that of the samples, if they
// can be of no other.
Status take_over_failures(const std::string &shared_path, const std::string &samples_path,
                          const std::string &failures_path) {
    if (!is_there(shared_path) || is_there(failures_path)) return Ok{};
    const Result<bool> are_only = are_only_samples(samples_path);
    if (!are_only) return are_only.error();
    if (!*are_only) return Ok{};
    std::error_code error;
    fs::rename(shared_path, failures_path, error);
    if (error) return Error{shared_path + ": can't be renamed: " + error.message()};
    return Ok{};
}

// Returns true for what may become a sample when the machine is less busy, or is let run.
bool is_to_be_tried_again(const FailedDraw &draw) {
    return draw.kind && (*draw.kind == FailureKind::noise || is_provisional(*draw.kind));
}

}  // namespace

SampleFolder::SampleFolder(std::string samples_path, std::string failures_path)
    : samples_path_(std::move(samples_path)), failures_path_(std::move(failures_path)) {}

Result<SampleFolder> SampleFolder::open(const std::string &folder, const std::string &device) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return Error{folder + ": can't be made: " + error.message()};
    SampleFolder opened(folder + "/" + device + ".samples",
                        folder + "/" + device + ".failures.jsonl");
    const Result<bool> begun = has_begun(opened.samples_path_);
    if (!begun) return begun.error();
    if (*begun) {
        const Result<SampleFile> file = read_samples(opened.samples_path_);
        if (!file) return file.error();
        // A file of an earlier list of features takes no more: better known before one is measured.
        const Status open_for_more = append_samples(opened.samples_path_, file->origin, {});
        if (!open_for_more) return open_for_more.error();
        for (const Sample &sample : file->samples) opened.note(sample);
    }
    const Status taken_over =
        take_over_failures(folder + "/failures.jsonl", opened.samples_path_, opened.failures_path_);
    if (!taken_over) return taken_over.error();
    const Result<std::vector<FailedDraw>> failed = read_failed_draws(opened.failures_path_);
    if (!failed) return failed.error();
    for (const FailedDraw &draw : *failed) {
        if (!is_to_be_tried_again(draw)) opened.note(draw);
    }
    return opened;
}

void SampleFolder::note(const Sample &sample) {
    Entry &entry = entries_[{sample.pipeline, std::string(size_of_schedule(sample.schedule))}];
    ++entry.counts.samples;
    entry.schedules.insert(sample.schedule);
    if (sample.code_hash != 0) entry.code.insert(sample.code_hash);
}

void SampleFolder::note(const FailedDraw &draw) {
    Entry &entry = entries_[{draw.pipeline, std::string(size_of_schedule(draw.schedule))}];
    SampleCounts &counts = entry.counts;
    ++(!draw.kind                         ? counts.duplicates
       : *draw.kind == FailureKind::noise ? counts.noisy
                                          : counts.failures);
    if (draw.kind == FailureKind::noise) ++counts.noisy_unexplained;
    entry.schedules.insert(draw.schedule);
    // A duplicate says nothing of the code: what it is equal to does.
    if (draw.kind && draw.code_hash != 0) entry.code.insert(draw.code_hash);
}

const SampleFolder::Entry *SampleFolder::find(const Workload &workload) const {
    const auto found = entries_.find({workload.pipeline, workload.size});
    return found == entries_.end() ? nullptr : &found->second;
}

SampleCounts SampleFolder::counts(const Workload &workload) const {
    const std::lock_guard lock(*mutex_);
    const Entry *entry = find(workload);
    return entry ? entry->counts : SampleCounts{};
}

bool SampleFolder::was_tried(const Workload &workload, const std::string &schedule) const {
    const std::lock_guard lock(*mutex_);
    const Entry *entry = find(workload);
    return entry && entry->schedules.contains(schedule);
}

bool SampleFolder::was_code_tried(const Workload &workload, uint64_t code_hash) const {
    const std::lock_guard lock(*mutex_);
    const Entry *entry = find(workload);
    return entry && entry->code.contains(code_hash);
}

bool SampleFolder::reserve(const Workload &workload, uint64_t code_hash) {
    const std::lock_guard lock(*mutex_);
    Entry &entry = entries_[{workload.pipeline, workload.size}];
    return !entry.code.contains(code_hash) && entry.reserved.insert(code_hash).second;
}

Status SampleFolder::add(const SampleOrigin &origin, const Sample &sample) {
    if (Status added = append_samples(samples_path_, origin, {&sample, 1}); !added) return added;
    const std::lock_guard lock(*mutex_);
    note(sample);
    // The machine can time what is long enough.
    for (auto &[key, entry] : entries_) entry.counts.noisy_unexplained = 0;
    return Ok{};
}

Status SampleFolder::add(const FailedDraw &draw) {
    if (Status added = append_failed_draw(failures_path_, draw); !added) return added;
    const std::lock_guard lock(*mutex_);
    note(draw);
    return Ok{};
}

}  // namespace autoschedule_gpu
