// A bench for many schedules that come and go, all made by this project's plugin:
//
//     build: ScheduleRequest ─► generator ─► code hash, features, trace
//       ├─► figures
//       └─► ready: link ─► (first run) ─► run
//
// price: what lists of decisions are worth under a cost model, a generator's run for all of them.
//
// A driver compiles the kernels in the first run of a process, PoCL for seconds, and keeps them in
// a cache on disk. Where nothing is timed while others compile, that run is made there, in
// parallel.
//
// Halide's runtime is compiled once. It and the references stay in the bench's folder; a schedule's
// files go as soon as its slot is another's.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "lab/bench/bench.h"
#include "lab/bench/compile_overlap.h"
#include "lab/bench/price.h"
#include "lab/workloads/schedule_request.h"
#include "scheduler/features/feature_list.h"

namespace autoschedule_gpu {

// Whether a schedule's trace and decisions are wanted; what could be chosen for each decision takes
// a tenth of a second to find.
enum class Traces : uint8_t { left_out, kept };

struct TrialBenchSettings : BenchSettings {  // the device is not the CPU
    std::string gpu = "auto";                // as the plugin takes it; the model is what it is
    std::string target = {};                 // Halide's, with a runtime: "host-opencl"
    std::string plugin = {};  // libautoschedule_gpu.so; behind commas, libraries of the user's own
    Traces traces = Traces::left_out;
    CompileOverlap phases = CompileOverlap::alternate;
    // Few runs of each of many schedules teach more than many of few.
    NoiseProtocol noise = {.warmup_runs = 1, .samples = 5, .time_budget_s = 0.2};
};

struct BuiltSchedule : Built {
    std::vector<FeatureTable> kernels = {};  // empty where the schedule was given as a trace
    // Where they are wanted:
    std::string trace = {};      // of the schedule (scheduler/schedule/trace.h)
    std::string decisions = {};  // the list from which it can be made (autoscheduler.decisions);
                                 // empty where there is none
};

class TrialBench final : public Bench {
public:
    // Empties the folder and compiles the runtime, with the generator of `any` of the workloads.
    static Outcome<std::unique_ptr<TrialBench>> open(const TrialBenchSettings &settings,
                                                     const Workload &any);

    const TrialBenchSettings &settings() const { return settings_; }

    // Kinds of failure: those of generate() and of the reference; search where nothing of the
    // pipeline is on the device. `slot` names the folder: requests at the same time have others.
    Outcome<BuiltSchedule> build(const Workload &workload, const ScheduleRequest &request,
                                 int slot);

    // Returns what each of the lists is worth; the plugin's parameters `model` say to whom. On so
    // many threads; one call at a time. Kinds of failure: those of generate(); setup where the
    // plugin wrote no prices.
    Outcome<Prices> price(const Workload &workload, std::span<const std::string> lists,
                          const NamedValues &model, int threads);

    // Returns a job to run. Kinds of failure: those of link(), and those of a run.
    Outcome<RunJob> ready(const Workload &workload, const BuiltSchedule &built);

private:
    TrialBench(const TrialBenchSettings &settings, RuntimeObject runtime)
        : Bench(settings, std::move(runtime)), settings_(settings) {}

    // The workload under this plugin, which knows the device.
    Candidate scheduled(const Workload &workload) const;
    Outcome<Built> compile(const Workload &workload, const ScheduleRequest &request,
                           const std::string &folder) const;

    const TrialBenchSettings settings_;
};

}  // namespace autoschedule_gpu
