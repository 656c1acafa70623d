// What a folder of samples holds: which schedules of which pipelines were tried, and what became of
// them. Two files hold all of it, so that a collection can continue however it ended:
//
//     FOLDER/DEVICE.samples          lab/samples/sample_file.h
//     FOLDER/DEVICE.failures.jsonl   failures_file.h
//
// Each device has its own, because what fails on one may do well on another.
//
// Noise, and what was killed from outside, says nothing about a schedule: another call tries it
// again, so such lines, and duplicates of them, count only in the call that wrote them.
//
// Different threads may use one SampleFolder.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/samples/sample.h"
#include "lab/workloads/workload.h"
#include "learn/collect/failures_file.h"

namespace autoschedule_gpu {

struct SampleCounts {
    int samples = 0;
    int duplicates = 0;
    int failures = 0;
    int noisy = 0;  // failures that say nothing about the schedule: FailureKind::noise
    // Those of the noisy after which no draw of any pipeline has become a sample. Whether the
    // machine is too busy or the pipeline's runs are too short to be timed isn't known of these.
    int noisy_unexplained = 0;

    // What is to be given up, for runs too short to be timed are noise each time.
    int failed() const { return duplicates + failures + noisy - noisy_unexplained; }
};

class SampleFolder {
public:
    // Opens the folder, which is created if necessary. Errors are those of the files.
    static Result<SampleFolder> open(const std::string &folder, const std::string &device);

    SampleCounts counts(const Workload &workload) const;
    // Returns true if that schedule has become a sample, a duplicate or a failure that counts.
    bool was_tried(const Workload &workload, const std::string &schedule) const;

    // Returns true if a schedule of that code has become a sample or a failure.
    bool was_code_tried(const Workload &workload, uint64_t code_hash) const;

    // Returns true for the first caller that asks about code of that workload which was not tried
    // before.
    bool reserve(const Workload &workload, uint64_t code_hash);

    // Both write to their file before they return. An origin that the file already has is kept.
    Status add(const SampleOrigin &origin, const Sample &sample);
    Status add(const FailedDraw &draw);

private:
    // What is known of one pipeline at one size.
    struct Entry {
        SampleCounts counts;
        std::set<std::string> schedules;
        std::set<uint64_t> code = {}, reserved = {};
    };
    using Key = std::pair<std::string, std::string>;

    SampleFolder(std::string samples_path, std::string failures_path);
    void note(const Sample &sample);
    void note(const FailedDraw &draw);
    bool knows_code_of(const FailedDraw &draw) const;
    const Entry *find(const Workload &workload) const;

    std::string samples_path_, failures_path_;
    std::map<Key, Entry> entries_;
    std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  // guards the entries
};

}  // namespace autoschedule_gpu
