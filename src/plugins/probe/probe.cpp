// The autoscheduler "Probe": calls another one, or none, and writes down what that took and what
// the kernels will move through memory. So every scheduler is measured alike, by the same clock and
// in the same process that a user would run, manual schedules among them:
//
//     my.generator … -p libschedule_probe.so,libautoschedule_gpu.so autoscheduler=Probe
//         autoscheduler.inner=GPU autoscheduler.probe_out=probe.json
//
//     inner      the autoscheduler to call; without it the pipeline keeps the schedule it has
//     probe_out  the report (probe_report.h); necessary
//     probe_gpu  whose sectors, warps and banks to count with: a preset or a file (default: A100)
//     probe_only "true": end the process as soon as there is a schedule, with exit status 0 and
//                nothing but the report written
//
// All other parameters are the inner one's. Lowering is that of the generator, which the probe
// watches: it costs no second one.
#include <Halide.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "core/gpu/resolve.h"
#include "core/support/file.h"
#include "core/support/stopwatch.h"
#include "halide/lower/read_loops.h"
#include "halide/version/version.h"
#include "lab/build/probe_report.h"

namespace {

using namespace autoschedule_gpu;

struct ProbeParameters {
    std::string inner = {};
    std::string probe_out = {};
    bool only = false;
    GpuModel gpu = {};
    std::map<std::string, std::string> handed_on = {};
};

// Takes what is the probe's own out of `extra`.
Result<ProbeParameters> parse(std::map<std::string, std::string> extra) {
    ProbeParameters parameters;
    const auto take = [&](const char *name) {
        const auto node = extra.extract(name);
        return node ? node.mapped() : std::string();
    };
    parameters.inner = take("inner");
    parameters.probe_out = take("probe_out");
    if (parameters.probe_out.empty()) {
        return Error{"say where to write the report: autoscheduler.probe_out=FILE"};
    }
    const std::string only = take("probe_only");
    if (!only.empty() && only != "true" && only != "false") {
        return Error{"autoscheduler.probe_only must be true or false, not '" + only + "'"};
    }
    parameters.only = only == "true";
    const std::string gpu = take("probe_gpu");
    Result<GpuModel> model = resolve_gpu_model(gpu.empty() ? "A100" : gpu);
    if (!model) return Error{"autoscheduler.probe_gpu: " + model.error().message};
    parameters.gpu = std::move(model).value();
    parameters.handed_on = std::move(extra);
    return parameters;
}

// ru_maxrss is in KiB.
int64_t peak_memory_bytes() {
    int64_t peak = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        if (getrusage(who, &usage) == 0) peak = std::max<int64_t>(peak, usage.ru_maxrss);
    }
    return peak * 1024;
}

void save(const ProbeParameters &parameters, const ProbeReport &report) {
    const Status written = write_file(parameters.probe_out, to_json(report));
    if (!written) halide_version::report_error("Probe: " + written.error().message + "\n");
}

// Halide runs custom passes last, on kernels that are still loops.
class CountingPass : public Halide::Internal::IRMutator {
public:
    CountingPass(ProbeParameters parameters, ProbeReport report, Halide::Pipeline pipeline,
                 Halide::Target target)
        : parameters_(std::move(parameters)),
          report_(std::move(report)),
          pipeline_(std::move(pipeline)),
          target_(std::move(target)) {}

    using IRMutator::mutate;
    Halide::Internal::Stmt mutate(const Halide::Internal::Stmt &stmt) override {
        const Result<lowered::Code> code = read_loops(stmt, pipeline_, target_);
        if (code) {
            count(*code);
        } else {
            report_.traffic_error = code.error().message;
        }
        save(parameters_, report_);
        return stmt;
    }

private:
    void count(const lowered::Code &code) {
        Result<std::vector<KernelTraffic>> counted = count_traffic(code, parameters_.gpu);
        if (counted) {
            report_.kernels = std::move(counted).value();
        } else {
            report_.traffic_error = counted.error().message;
            report_.launches = launch_extents(code);
        }
    }

    ProbeParameters parameters_;
    ProbeReport report_;
    // A copy, for a pipeline that held itself would never be freed.
    Halide::Pipeline pipeline_;
    Halide::Target target_;
};

// Calls the inner autoscheduler; what it throws goes on to the generator once it is written down.
void schedule(const ProbeParameters &parameters, Halide::Pipeline pipeline,
              const Halide::Target &target, Halide::AutoSchedulerResults *results,
              ProbeReport &report) {
    const Stopwatch watch;
    const auto finish = [&] {
        report.search_s = watch.seconds();
        report.peak_memory_bytes = peak_memory_bytes();
    };
    try {
        *results = pipeline.apply_autoscheduler(target, {parameters.inner, parameters.handed_on});
        finish();
    } catch (const Halide::Error &error) {
        finish();
        report.error = error.what();
        save(parameters, report);
        throw;
    }
}

void probe(const Halide::Pipeline &const_pipeline, const Halide::Target &target,
           const Halide::AutoschedulerParams &params, Halide::AutoSchedulerResults *results) {
    const Result<ProbeParameters> parameters = parse(params.extra);
    if (!parameters) {
        halide_version::report_error("Probe: " + parameters.error().message + "\n");
    }
    Halide::Pipeline pipeline = const_pipeline;
    results->target = target;
    ProbeReport report{.inner = parameters->inner};
    if (!parameters->inner.empty()) schedule(*parameters, pipeline, target, results, report);
    results->autoscheduler_params = params;
    save(*parameters, report);
    // Halide offers no way to stop a generator that has found its schedule.
    if (parameters->only) std::_Exit(0);
    pipeline.add_custom_lowering_pass(
        new CountingPass(*parameters, report, Halide::Pipeline(pipeline.outputs()), target));
}

[[maybe_unused]] const bool registered = [] {
    Halide::Pipeline::add_autoscheduler("Probe", probe);
    return true;
}();

}  // namespace
