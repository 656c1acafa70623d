// What is known about one candidate: a schedule of a pipeline that was measured, or that failed.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/build/failure.h"
#include "lab/run/tolerance.h"

namespace autoschedule_gpu {

struct PipelineKey {
    std::string name = {};  // "app:harris", "generator:PATH-stem"
    std::string size = {};
    uint64_t hash = 0;  // Dag::hash() of the pipeline with its estimates

    friend bool operator==(const PipelineKey &, const PipelineKey &) = default;
};

// What a time depends on, and what produced it.
struct Environment {
    std::string device = {};  // as its driver calls it
    std::string driver = {};  // version; may be empty
    std::string gpu = {};     // the device that was scheduled for, as autoscheduler.gpu takes it
    std::string halide = {};  // version
    // Provenance, which is not part of a candidate's identity.
    std::string plugin = {};      // version
    uint64_t feature_schema = 0;  // of the list that TuningRecord::features follows

    friend bool operator==(const Environment &, const Environment &) = default;
};

// The identity of a candidate. The same code, generated again, is the same candidate, whoever found
// it.
struct CandidateKey {
    uint64_t pipeline_hash = 0;
    std::string device = {}, driver = {}, gpu = {}, halide = {};  // as in its Environment
    uint64_t code_hash = 0;

    friend auto operator<=>(const CandidateKey &, const CandidateKey &) = default;
};

// `found_by` of the schedule that the autoscheduler makes without tuning, with which others are
// compared.
inline constexpr const char *kFoundByDefault = "default";
// So begins the name of the draw that says what a run began with: its session follows.
inline constexpr std::string_view kStartOfRun = "start of ";

// Either measured (samples_ms, verified) or failed (failure); check() says what else must hold.
struct TuningRecord {
    PipelineKey pipeline = {};
    Environment environment = {};
    // Of the device code (lab/build/device_code_hash.h); code that runs on the host does not count.
    uint64_t code_hash = 0;
    std::string found_by = {};   // "strategy=beam seed=5", "coordinate_descent 17", "default"
    std::string session = {};    // the tuning run that found it; may be empty
    std::string trace = {};      // the schedule as JSON (scheduler/schedule/trace.h); may be empty
    std::string decisions = {};  // JSON of the strategy that found it; may be empty
    // The bytes of a featurization (lab/samples/featurization.h); may be empty.
    std::string features = {};
    std::optional<double> predicted_ms = {};
    // Per thread; the most of any of its kernels.
    std::optional<int64_t> registers = {}, spill_bytes = {};
    std::vector<double> samples_ms = {};  // of single runs in the first measurement
    // Samples of later measurements side by side with other candidates, by the comparison's name.
    std::map<std::string, std::vector<double>> compared_ms = {};
    bool verified = false;     // its output was compared with the reference and is right
    Tolerance tolerance = {};  // within which it was compared
    // Maybe of a later run than those that samples are of.
    std::optional<Failure> failure = {};
    std::string recorded_at = {};  // UTC: "2026-11-22T09:30:00Z" (core/support/utc_time.h)

    friend bool operator==(const TuningRecord &, const TuningRecord &) = default;
};

CandidateKey key_of(uint64_t pipeline_hash, const Environment &environment, uint64_t code_hash);
CandidateKey key_of(const TuningRecord &record);

// True if the outcome is that under this tolerance, too: an output that is right within no more, or
// wrong within no less. Other failures have nothing to do with it.
bool counts_within(const TuningRecord &record, const Tolerance &tolerance);

// Returns everything that was measured, in any comparison.
std::vector<double> all_times_ms(const TuningRecord &record);

// Returns the median of all times, by which the candidate is ranked; nullopt for a failed record.
std::optional<double> median_ms(const TuningRecord &record);

// Returns an error that says what is wrong with a record, if something is. These are wrong: a
// pipeline or device without a name, no code_hash, an empty found_by, a trace or decisions that are
// not JSON, a recorded_at in another form, negative or not finite figures and tolerances; samples
// that are not finite or not above 0, or of comparisons alone; a failure together with `verified`;
// and without a failure no samples, or an output that was not verified.
Status check(const TuningRecord &record);

}  // namespace autoschedule_gpu
