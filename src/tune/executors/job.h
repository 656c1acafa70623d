// What a tuner asks of its workers, as the text of a job in the queue (lab/records/work_queue.h),
// and what they answer.
//
//     learn     run the default schedule, say what the device is
//     attempt   build a schedule and measure it
//     compare   measure some side by side
//
// What is measured goes into the records; the answer says no more than that it is there.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/support/error.h"
#include "lab/run/device.h"
#include "lab/workloads/workload.h"
#include "tune/executors/trial_maker.h"
#include "tune/session/executor.h"

namespace autoschedule_gpu {

enum class JobKind : uint8_t { learn, attempt, compare };

struct TuneJob {
    JobKind kind = JobKind::attempt;
    std::string session = {};
    Workload workload = {};
    RunDevice device = RunDevice::opencl;
    std::string gpu = {};     // as the plugin takes it
    std::string target = {};  // Halide's
    // Whose records are asked for, and of which pipeline; empty when that is to be learnt.
    Environment expected = {};
    uint64_t pipeline_hash = 0;
    std::vector<ScheduleRequest> draws = {};
    std::optional<double> best_ms = {};
    Comparison comparison = {};
};

std::string to_json(const TuneJob &job);
Result<TuneJob> parse_job(std::string_view json);

// The number of a job in its session: equal for equal work, so that a tuner that begins again finds
// what it has asked for before.
int64_t number_of(const TuneJob &job);

struct JobAnswer {
    std::optional<TunedPipeline> learnt = {};  // of learn
    std::string error = {};                    // why the worker could not do it; empty: it is done
};

std::string to_json(const JobAnswer &answer);
Result<JobAnswer> parse_answer(std::string_view json);

}  // namespace autoschedule_gpu
