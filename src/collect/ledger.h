// What a folder of samples holds: which schedules of which pipelines were tried, and what became of
// them. It is all in two files, so that a collection that was ended in whatever way goes on:
//
//     FOLDER/DEVICE.samples   samples/sample_file.h
//     FOLDER/failures.jsonl   miss_log.h
//
// May be used from several threads.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "collect/miss_log.h"
#include "samples/sample.h"
#include "support/error.h"
#include "trial/subject.h"

namespace autoschedule_gpu {

struct LedgerCounts {
    int samples = 0;
    int duplicates = 0;
    int failures = 0;

    int misses() const { return duplicates + failures; }
};

class Ledger {
public:
    // The folder is made if need be. Errors are those of the two files.
    static Result<Ledger> open(const std::string &folder, const std::string &device);

    LedgerCounts counts(const Subject &subject) const;
    bool was_tried(const Subject &subject, const std::string &schedule) const;

    // True for the first who asks about code of that subject that was not tried before.
    bool claim(const Subject &subject, uint64_t code_hash);

    // Written before they return. The origin is that of the file, if it has one already.
    Status add(const SampleOrigin &origin, const Sample &sample);
    Status add(const Miss &miss);

private:
    // A pipeline at a size.
    struct Entry {
        LedgerCounts counts;
        std::set<std::string> schedules;
        std::set<uint64_t> code;
    };
    using Key = std::pair<std::string, std::string>;

    Ledger(std::string samples_path, std::string misses_path);
    void note(const Sample &sample);
    void note(const Miss &miss);
    const Entry *find(const Subject &subject) const;

    std::string samples_path_, misses_path_;
    std::map<Key, Entry> entries_;
    std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();  // of the entries
};

}  // namespace autoschedule_gpu
