// What is known of one candidate: a schedule of a pipeline that was measured, or that failed.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/build/failure.h"

namespace autoschedule_gpu {

struct PipelineKey {
    std::string name = {};  // "app:harris", "generator:PATH-stem"
    std::string size = {};
    uint64_t hash = 0;  // Dag::hash() of the pipeline with its estimates

    friend bool operator==(const PipelineKey &, const PipelineKey &) = default;
};

// What a time depends on, and by whom it was made.
struct Environment {
    std::string device = {};  // as its driver calls it
    std::string driver = {};  // version; may be empty
    std::string gpu = {};     // the device that was scheduled for, as autoscheduler.gpu takes it
    std::string halide = {};  // version
    // Provenance: no part of a candidate's identity.
    std::string plugin = {};      // version
    uint64_t feature_schema = 0;  // of TuningRecord::features

    friend bool operator==(const Environment &, const Environment &) = default;
};

// The identity of a candidate. Code that is generated twice is one candidate, whoever found it.
struct CandidateKey {
    uint64_t pipeline_hash = 0;
    std::string device = {}, driver = {}, gpu = {}, halide = {};  // of its Environment
    uint64_t code_hash = 0;

    friend auto operator<=>(const CandidateKey &, const CandidateKey &) = default;
};

// `found_by` of the schedule that the autoscheduler makes without any tuning: what others are
// compared with.
inline constexpr const char *kFoundByDefault = "default";

// Either measured (samples_ms, verified) or failed (failure); check() says what else must hold.
struct TuningRecord {
    PipelineKey pipeline = {};
    Environment environment = {};
    uint64_t code_hash =
        0;  // of the device code (lab/build/device_code_hash.h), without hosts' loops
    std::string found_by = {};   // "strategy=beam seed=5", "coordinate_descent 17", "default"
    std::string session = {};    // the tuning run that found it; may be empty
    std::string trace = {};      // the schedule as JSON (scheduler/schedule/trace.h); may be empty
    std::string decisions = {};  // JSON of the strategy that found it; may be empty
    std::string features =
        {};  // bytes of a featurization (lab/samples/featurization.h); may be empty
    std::optional<double> predicted_ms = {};
    std::optional<int64_t> registers = {}, spill_bytes = {};  // per thread; the most of its kernels
    std::vector<double> samples_ms = {};  // of single runs, of the first measurement
    // Samples of later measurements beside other candidates, by the name of the comparison.
    std::map<std::string, std::vector<double>> compared_ms = {};
    bool verified = false;  // its output was compared with the reference and is right
    std::optional<Failure> failure = {};
    std::string recorded_at = {};  // UTC: "2026-11-22T09:30:00Z" (core/support/utc_time.h)

    friend bool operator==(const TuningRecord &, const TuningRecord &) = default;
};

CandidateKey key_of(uint64_t pipeline_hash, const Environment &environment, uint64_t code_hash);
CandidateKey key_of(const TuningRecord &record);

// Returns all that was measured, in whatever comparison.
std::vector<double> all_times_ms(const TuningRecord &record);

// Returns the median of all times, by which the candidate is ranked. A record that failed has none.
std::optional<double> median_ms(const TuningRecord &record);

// An error that says what is wrong with a record, if something is. Wrong are: a pipeline or device
// without a name, no code_hash, an empty found_by, a trace or decisions that are no JSON, a
// recorded_at in another form, negative or not finite figures; a failure beside samples or beside
// `verified`; and without a failure: no samples, one that is not finite or not above 0, or an
// output that was not verified.
Status check(const TuningRecord &record);

// True if the failure says nothing of the candidate itself: the measuring could not be done, or was
// cut off. Such an outcome gives way to any other.
bool is_provisional(FailureKind kind);

}  // namespace autoschedule_gpu
