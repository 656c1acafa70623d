#include "pipelines/pipeline_check.h"

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "pipelines/compare_buffers.h"
#include "pipelines/cuda_code.h"
#include "pipelines/launch_limits.h"
#include "pipelines/plain_schedule.h"

namespace autoschedule_gpu::testing {

namespace {

using Halide::Buffer;
using Halide::Target;

class Stopwatch {
public:
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

private:
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Failure {
    Verdict verdict;
    std::string reason;
};

// One execution of a pipeline: where, on what, and what came out.
struct Run {
    SizeVariant size;
    std::vector<Region> regions;  // by output
    std::vector<Buffer<>> inputs;
    std::vector<Buffer<>> results;  // one per Tuple element per output
};

// Memory that a schedule fails to write must not look right by accident.
Buffer<> make_result(const Halide::Parameter &output, const Region &region, const SizeVariant &size,
                     int filler) {
    const Halide::Type type = output.type();
    const Layout layout = allowed_layout(output, size.layout);
    std::vector<int> extents, mins;
    for (const Span span : region) {
        extents.push_back(span.extent() + 2 * size.margin);
        mins.push_back(span.lo - size.margin);
    }
    Buffer<> result(type, extents, storage_order(output.dimensions(), layout));
    result.set_min(mins);
    std::memset(result.data(), type == Halide::Bool() ? 0 : filler, result.size_in_bytes());
    for (size_t d = 0; d < region.size(); ++d) {
        result.crop(static_cast<int>(d), region[d].lo, region[d].extent());
    }
    return result;
}

std::vector<Buffer<>> make_results(const PipelineCase &c, const Run &run, int filler) {
    std::vector<Buffer<>> results;
    for (size_t i = 0; i < c.outputs.size(); ++i) {
        for (const Halide::OutputImageParam &output : c.outputs[i].func.output_buffers()) {
            results.push_back(make_result(output.parameter(), run.regions[i], run.size, filler));
        }
    }
    return results;
}

// Scalars have the values of a run while it lives.
class ScalarsOfRun {
public:
    ScalarsOfRun(PipelineCase &c, const SizeVariant &size) : c_(c), size_(size) { scale(2, 1); }
    ~ScalarsOfRun() { scale(1, 2); }
    ScalarsOfRun(const ScalarsOfRun &) = delete;
    ScalarsOfRun &operator=(const ScalarsOfRun &) = delete;

private:
    void scale(int factor, int divisor) {
        if (size_.scalars == Scalars::as_made) return;
        for (Halide::Parameter &scalar : c_.scalars) {
            if (scalar.type() == Halide::Int(32)) {
                scalar.set_scalar<int32_t>(scalar.scalar<int32_t>() * factor / divisor);
            } else if (scalar.type() == Halide::Float(32)) {
                scalar.set_scalar<float>(scalar.scalar<float>() * factor / divisor);
            }
        }
    }

    PipelineCase &c_;
    const SizeVariant &size_;
};

void execute(PipelineCase &c, Halide::Pipeline &pipeline, const Target &target, Run &run,
             int filler) {
    const ScalarsOfRun scalars(c, run.size);
    for (size_t i = 0; i < c.inputs.size(); ++i) c.inputs[i].param.set(run.inputs[i]);
    run.results = make_results(c, run, filler);
    Halide::Realization realization(run.results);
    pipeline.realize(realization, target);
    for (Buffer<> &result : run.results) result.copy_to_host();
}

// Inputs at the estimated size are those of the case; at another one at least these, and whatever
// the reference asks for. What is scheduled must do with that.
Run run_at(const SizeVariant &size, PipelineCase &c, Halide::Pipeline &pipeline,
           const Target &target) {
    Run run{size, regions_at(c, size), {}, {}};
    const ScalarsOfRun scalars(c, size);
    const bool estimated = size.name == size_variants(Sizes::estimated).front().name;
    for (InputImage &input : c.inputs) input.param.reset();
    if (!estimated) {
        Halide::Realization query(make_results(c, run, 0));
        pipeline.infer_input_bounds(query, target);
    }
    for (InputImage &input : c.inputs) {
        Region region = input.region;
        const Buffer<> needed = input.param.get();
        for (int d = 0; needed.defined() && d < needed.dimensions(); ++d) {
            region[d].lo = std::min(region[d].lo, needed.dim(d).min());
            region[d].hi = std::max(region[d].hi, needed.dim(d).max());
        }
        run.inputs.push_back(make_image(input, region, size.layout));
    }
    return run;
}

// The reference at the estimated size and, where the pipeline means something there, at others. An
// exception of the first is the caller's; of another one, the size is left out, by name and reason.
std::vector<Run> reference_runs(const CaseMaker &make, Sizes sizes,
                                std::map<std::string, std::string> &left_out) {
    PipelineCase c = make();
    Halide::Pipeline pipeline = c.pipeline();
    apply_reference_schedule(pipeline, c.inline_only);
    const Target target = Halide::get_host_target();
    std::vector<Run> runs;
    for (const SizeVariant &size : size_variants(sizes)) {
        if (!runs.empty() && !differs_at(c, size)) continue;
        try {
            Run run = run_at(size, c, pipeline, target);
            execute(c, pipeline, target, run, 0x00);
            runs.push_back(std::move(run));
        } catch (const Halide::Error &error) {
            // For instance: a Func that is an output and read by another can't grow by the same
            // step.
            if (runs.empty()) throw;
            left_out.emplace(size.name, error.what());
        }
    }
    return runs;
}

// Runs `body` and turns what Halide throws into a failure.
template <typename Body>
std::optional<Failure> guarded(Verdict verdict, const Body &body) {
    try {
        return body();
    } catch (const Halide::InternalError &error) {
        return Failure{Verdict::internal_error, error.what()};
    } catch (const Halide::RuntimeError &error) {
        return Failure{verdict == Verdict::compile_error ? Verdict::run_error : verdict,
                       error.what()};
    } catch (const Halide::Error &error) {  // not a std::exception
        return Failure{verdict, error.what()};
    } catch (const std::exception &error) {
        return Failure{verdict, error.what()};
    }
}

// What parameters ask the autoscheduler to write, by their names.
std::vector<std::filesystem::path> files_asked_for(const Scheduler &scheduler) {
    std::vector<std::filesystem::path> files;
    for (const auto &[name, value] : scheduler.params) {
        if (name.ends_with("_out") || name == "report") files.emplace_back(value);
    }
    return files;
}

// Of which it says no more than a warning if it can't. There is nothing to say of what Halide
// refuses on a device, and all runs on the host.
std::optional<Failure> missing_file(const Scheduler &scheduler, const std::string &schedule) {
    if (schedule.find("gpu_") == std::string::npos) return {};
    for (const std::filesystem::path &file : files_asked_for(scheduler)) {
        if (std::filesystem::exists(file)) continue;
        return Failure{Verdict::autoscheduler_error, "there is no " + file.filename().string()};
    }
    return {};
}

// Why all of it must stay on the host, by the autoscheduler's report; empty if that does not say so
// of every stage.
std::string host_reason(const Scheduler &scheduler) {
    const auto report = scheduler.params.find("report");
    if (report == scheduler.params.end()) return {};
    std::ifstream file(report->second);
    const nlohmann::json json = nlohmann::json::parse(file, nullptr, /*allow_exceptions=*/false);
    const auto stages = json.find("predictions");
    if (stages == json.end() || !stages->is_array()) return {};
    std::string reasons;
    for (const nlohmann::json &stage : *stages) {
        const nlohmann::json &reason = stage.at("host_reason");
        if (!reason.is_string()) return {};
        if (!reasons.empty()) reasons += "; ";
        reasons += stage.at("stage").get<std::string>() + " " + reason.get<std::string>();
    }
    return reasons;
}

// What to say of a schedule for one device, which runs as many kernels there.
std::optional<Failure> judge_kernels(const Scheduler &scheduler, int kernels, CheckResult &result) {
    result.has_kernels = result.has_kernels || kernels > 0;
    if (kernels > 0) return {};
    result.host_reason = host_reason(scheduler);
    if (!result.host_reason.empty()) return {};
    return Failure{Verdict::no_kernel,
                   "all of it runs on the host, and no report of the autoscheduler's (report=FILE) "
                   "says of every stage why"};
}

std::optional<Failure> schedule(const Scheduler &scheduler, const PipelineCase &c,
                                Halide::Pipeline &pipeline, const Target &target,
                                CheckResult &result) {
    for (const std::filesystem::path &file : files_asked_for(scheduler)) {
        std::filesystem::remove(file);
    }
    const Stopwatch watch;
    std::optional<Failure> failure =
        guarded(Verdict::autoscheduler_error, [&]() -> std::optional<Failure> {
            if (scheduler.function) {
                scheduler.function(c, pipeline, target);
                return {};
            }
            for (const HandSchedule &by_hand : c.by_hand) apply(by_hand);
            result.schedule =
                pipeline.apply_autoscheduler(target, {scheduler.name, scheduler.params})
                    .schedule_source;
            return missing_file(scheduler, result.schedule);
        });
    result.schedule_s += watch.seconds();
    return failure;
}

std::optional<Failure> compare_runs(const PipelineCase &c, const Run &got, const Run &expected) {
    size_t buffer = 0;
    for (size_t i = 0; i < c.outputs.size(); ++i) {
        for (int element = 0; element < c.outputs[i].func.outputs(); ++element, ++buffer) {
            const std::string difference =
                compare_buffers(got.results[buffer], expected.results[buffer]);
            if (difference.empty()) continue;
            return Failure{Verdict::wrong_output,
                           "output " + std::to_string(i) + " (" + c.outputs[i].func.name() +
                               "), element " + std::to_string(element) + ", size " +
                               to_string(expected.regions[i]) + ", " + difference};
        }
    }
    return {};
}

std::optional<Failure> check_opencl(const CaseMaker &make, const Scheduler &scheduler,
                                    const std::vector<Run> &references, CheckResult &result) {
    PipelineCase c = make();
    Halide::Pipeline pipeline = c.pipeline();
    Target target = Halide::get_host_target().with_feature(Target::OpenCL);
    if (c.uses_doubles) target.set_feature(Target::CLDoubles);
    if (auto failure = schedule(scheduler, c, pipeline, target, result)) return failure;
    if (c.schedule_only) return {};
    if (auto failure = guarded(Verdict::compile_error, [&]() -> std::optional<Failure> {
            pipeline.compile_jit(target);
            return {};
        })) {
        return failure;
    }
    take_launches();
    std::string_view size;
    auto failure = guarded(Verdict::run_error, [&]() -> std::optional<Failure> {
        for (const Run &reference : references) {
            Run run{reference.size, reference.regions, reference.inputs, {}};
            size = reference.size.name;
            execute(c, pipeline, target, run, 0x5a);
            if (auto difference = compare_runs(c, run, reference)) return difference;
        }
        return {};
    });
    const std::string at = " (size " + std::string(size) + ")";
    if (failure && failure->verdict == Verdict::run_error) failure->reason += at;
    // Of a launch that CUDA would refuse, what came of it here does not matter.
    const Launches launches = take_launches();
    if (!launches.violation.empty()) {
        return Failure{Verdict::launch_error, launches.violation + at};
    }
    return failure ? failure : judge_kernels(scheduler, launches.count, result);
}

std::optional<Failure> check_cuda(const CaseMaker &make, const Scheduler &scheduler,
                                  const CheckOptions &options, CheckResult &result) {
    PipelineCase c = make();
    Halide::Pipeline pipeline = c.pipeline();
    const Target target(options.cuda_target);
    if (auto failure = schedule(scheduler, c, pipeline, target, result)) return failure;
    CudaCode code;
    if (auto failure = guarded(Verdict::compile_error, [&]() -> std::optional<Failure> {
            code = compile_for_cuda(pipeline, target);
            return {};
        })) {
        return failure;
    }
    result.kernels = code.kernels;
    if (!code.launch_violation.empty())
        return Failure{Verdict::launch_error, code.launch_violation};
    if (auto failure = judge_kernels(scheduler, code.kernels, result)) return failure;
    if (code.ptx.empty() || options.ptxas.empty()) return {};
    const Stopwatch watch;
    const Result<PtxasReport> report =
        run_ptxas(options.ptxas, options.ptxas_arch, options.max_registers, code.ptx);
    result.ptxas_s = watch.seconds();
    if (!report) return Failure{Verdict::ptxas_error, report.error().message};
    result.max_registers = report->max_registers;
    result.spill_bytes = report->spill_bytes;
    return {};
}

constexpr std::string_view kVerdictNames[] = {
    "passed",      "invalid case", "autoscheduler error", "internal error", "compile error",
    "ptxas error", "launch error", "run error",           "wrong output",   "no kernel",
    "crashed",     "timed out",
};

}  // namespace

std::string_view to_string(Verdict verdict) {
    return kVerdictNames[static_cast<size_t>(verdict)];
}

Scheduler plain_scheduler() {
    const auto apply = [](const PipelineCase &c, Halide::Pipeline pipeline, const Target &) {
        apply_plain_schedule(pipeline, c.inline_only);
    };
    return {"plain", {}, {}, apply};
}

PipelineChecker::PipelineChecker(Scheduler scheduler, CheckOptions options)
    : scheduler_(std::move(scheduler)), options_(std::move(options)) {
    if (!scheduler_.plugin.empty()) Halide::load_plugin(scheduler_.plugin);
    watch_opencl_launches();
}

CheckResult PipelineChecker::check(const CaseMaker &make) const {
    using Devices = CheckOptions::Devices;
    CheckResult result;
    const auto step = [&](double &seconds, const auto &body) {
        const Stopwatch watch;
        const std::optional<Failure> failure = body();
        seconds = watch.seconds();
        if (failure) {
            result.verdict = failure->verdict;
            result.reason = failure->reason;
        }
        return !failure;
    };
    std::vector<Run> references;
    const bool runs = options_.devices != Devices::cuda_only && !make().schedule_only;
    if (runs && !step(result.reference_s, [&] {
            return guarded(Verdict::invalid_case, [&]() -> std::optional<Failure> {
                references = reference_runs(make, options_.sizes, result.sizes_left_out);
                result.sizes_run = static_cast<int>(references.size());
                return {};
            });
        })) {
        return result;
    }
    if (options_.devices != Devices::cuda_only && !step(result.opencl_s, [&] {
            return check_opencl(make, scheduler_, references, result);
        })) {
        return result;
    }
    if (options_.devices != Devices::opencl_only) {
        step(result.cuda_s, [&] { return check_cuda(make, scheduler_, options_, result); });
    }
    return result;
}

std::string CheckResult::to_json() const {
    return nlohmann::json{{"verdict", static_cast<int>(verdict)},
                          {"reason", reason},
                          {"schedule", schedule},
                          {"sizes_run", sizes_run},
                          {"sizes_left_out", sizes_left_out},
                          {"has_kernels", has_kernels},
                          {"host_reason", host_reason},
                          {"kernels", kernels},
                          {"max_registers", max_registers},
                          {"spill_bytes", spill_bytes},
                          {"reference_s", reference_s},
                          {"opencl_s", opencl_s},
                          {"cuda_s", cuda_s},
                          {"ptxas_s", ptxas_s},
                          {"schedule_s", schedule_s}}
        .dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

CheckResult CheckResult::from_json(const std::string &text) {
    const nlohmann::json json = nlohmann::json::parse(text);
    CheckResult result;
    result.verdict = static_cast<Verdict>(json.at("verdict").get<int>());
    json.at("reason").get_to(result.reason);
    json.at("schedule").get_to(result.schedule);
    json.at("sizes_run").get_to(result.sizes_run);
    json.at("sizes_left_out").get_to(result.sizes_left_out);
    json.at("has_kernels").get_to(result.has_kernels);
    json.at("host_reason").get_to(result.host_reason);
    json.at("kernels").get_to(result.kernels);
    json.at("max_registers").get_to(result.max_registers);
    json.at("spill_bytes").get_to(result.spill_bytes);
    json.at("reference_s").get_to(result.reference_s);
    json.at("opencl_s").get_to(result.opencl_s);
    json.at("cuda_s").get_to(result.cuda_s);
    json.at("ptxas_s").get_to(result.ptxas_s);
    json.at("schedule_s").get_to(result.schedule_s);
    return result;
}

}  // namespace autoschedule_gpu::testing
