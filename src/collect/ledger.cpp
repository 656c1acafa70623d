#include "collect/ledger.h"

#include <filesystem>
#include <utility>

#include "samples/sample_file.h"
#include "trial/sampler.h"

namespace autoschedule_gpu {

Ledger::Ledger(std::string samples_path, std::string misses_path)
    : samples_path_(std::move(samples_path)), misses_path_(std::move(misses_path)) {}

Result<Ledger> Ledger::open(const std::string &folder, const std::string &device) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return Error{folder + ": can't be made: " + error.message()};
    Ledger ledger(folder + "/" + device + ".samples", folder + "/failures.jsonl");
    const bool has_samples = std::filesystem::exists(ledger.samples_path_) &&
                             std::filesystem::file_size(ledger.samples_path_, error) > 0;
    if (has_samples) {
        const Result<SampleFile> file = read_samples(ledger.samples_path_);
        if (!file) return file.error();
        for (const Sample &sample : file->samples) ledger.note(sample);
    }
    const Result<std::vector<Miss>> misses = read_misses(ledger.misses_path_);
    if (!misses) return misses.error();
    for (const Miss &miss : *misses) ledger.note(miss);
    return ledger;
}

void Ledger::note(const Sample &sample) {
    Entry &entry = entries_[{sample.pipeline, std::string(size_of_schedule(sample.schedule))}];
    ++entry.counts.samples;
    entry.schedules.insert(sample.schedule);
    if (sample.code_hash != 0) entry.code.insert(sample.code_hash);
}

void Ledger::note(const Miss &miss) {
    Entry &entry = entries_[{miss.pipeline, std::string(size_of_schedule(miss.schedule))}];
    ++(miss.kind ? entry.counts.failures : entry.counts.duplicates);
    entry.schedules.insert(miss.schedule);
    if (miss.code_hash != 0) entry.code.insert(miss.code_hash);
}

const Ledger::Entry *Ledger::find(const Subject &subject) const {
    const auto found = entries_.find({subject.pipeline, subject.size});
    return found == entries_.end() ? nullptr : &found->second;
}

LedgerCounts Ledger::counts(const Subject &subject) const {
    const std::lock_guard lock(*mutex_);
    const Entry *entry = find(subject);
    return entry ? entry->counts : LedgerCounts{};
}

bool Ledger::was_tried(const Subject &subject, const std::string &schedule) const {
    const std::lock_guard lock(*mutex_);
    const Entry *entry = find(subject);
    return entry && entry->schedules.contains(schedule);
}

bool Ledger::claim(const Subject &subject, uint64_t code_hash) {
    const std::lock_guard lock(*mutex_);
    return entries_[{subject.pipeline, subject.size}].code.insert(code_hash).second;
}

Status Ledger::add(const SampleOrigin &origin, const Sample &sample) {
    if (Status added = append_samples(samples_path_, origin, {&sample, 1}); !added) return added;
    const std::lock_guard lock(*mutex_);
    note(sample);
    return Ok{};
}

Status Ledger::add(const Miss &miss) {
    if (Status added = append_miss(misses_path_, miss); !added) return added;
    const std::lock_guard lock(*mutex_);
    note(miss);
    return Ok{};
}

}  // namespace autoschedule_gpu
