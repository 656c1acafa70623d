#include "learn/collect/sample_folder.h"

#include <filesystem>
#include <utility>

#include "lab/samples/sample_file.h"
#include "lab/workloads/sampler.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

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
    const Result<std::vector<FailedDraw>> failed = read_failed_draws(opened.failures_path_);
    if (!failed) return failed.error();
    for (const FailedDraw &draw : *failed) {
        if (draw.kind && !is_to_be_tried_again(draw)) opened.note(draw);
    }
    // What is like something that is to be tried again is no more known than that.
    for (const FailedDraw &draw : *failed) {
        if (!draw.kind && opened.knows_code_of(draw)) opened.note(draw);
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

bool SampleFolder::knows_code_of(const FailedDraw &draw) const {
    if (draw.code_hash == 0) return true;  // nobody can ask
    const auto found = entries_.find({draw.pipeline, std::string(size_of_schedule(draw.schedule))});
    return found != entries_.end() && found->second.code.contains(draw.code_hash);
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
