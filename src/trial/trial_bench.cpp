#include "trial/trial_bench.h"

#include <filesystem>
#include <utility>

#include "measure/device_lock.h"
#include "measure/kernel_figures.h"
#include "measure/replay.h"
#include "measure/retry.h"
#include "samples/featurization.h"
#include "support/file.h"

namespace autoschedule_gpu {
namespace {

namespace fs = std::filesystem;

// The function's name in every library, so that equal code has equal names of kernels.
constexpr const char *kFunction = "pipeline";

Failure in_reference(Failure failure) {
    failure.reason = "the reference: " + failure.reason;
    return failure;
}

// Beside what the generator writes, each under its parameter's name.
Status write_files(const NamedValues &files, BuiltDraw &built) {
    std::error_code error;
    fs::create_directories(built.folder, error);
    for (const auto &[parameter, content] : files) {
        const std::string path = built.folder + "/given_" + parameter;
        if (Status written = write_file(path, content); !written) return written;
        built.candidate.scheduler_params.emplace_back(parameter, path);
    }
    return Ok{};
}

// None of a schedule that was given as a trace.
Result<std::vector<FeatureTable>> read_features(const std::string &path) {
    const Result<std::string> bytes = read_file(path);
    if (!bytes) return bytes.error();
    if (bytes->empty()) return std::vector<FeatureTable>();
    return parse_featurization(*bytes);
}

}  // namespace

Outcome<std::unique_ptr<TrialBench>> TrialBench::open(const TrialBenchSettings &settings,
                                                      const std::vector<Subject> &subjects) {
    remove_folder(settings.folder);
    std::error_code error;
    fs::create_directories(settings.folder, error);
    if (error) return setup_failure(settings.folder + ": can't be made: " + error.message());
    std::unique_ptr<TrialBench> bench(new TrialBench(settings, subjects));
    Outcome<std::string> runtime = generate_runtime(subjects.front().generator, settings.target,
                                                    settings.folder, settings.compile);
    if (!runtime) return runtime.error();
    bench->runtime_ = std::move(runtime).value();
    return bench;
}

Candidate TrialBench::candidate(const Subject &subject) const {
    return {.name = kFunction,
            .generator = subject.generator,
            .generator_name = subject.generator_name,
            .target = settings_.target + "-no_runtime",
            .params = subject.params,
            .runtime = runtime_};
}

const Outcome<std::string> &TrialBench::expected(size_t subject) {
    Reference &reference = references_[subject];
    std::call_once(reference.made, [&] {
        const std::string folder = settings_.folder + "/reference-" + std::to_string(subject);
        reference.expected = retry_lost([&] { return make_expected(subjects_[subject], folder); });
        if (!*reference.expected) {
            reference.expected = in_reference(reference.expected->error());
        }
    });
    return *reference.expected;
}

// By the generator's own schedule, on the CPU.
Outcome<std::string> TrialBench::make_expected(const Subject &subject,
                                               const std::string &folder) const {
    Candidate candidate = this->candidate(subject);
    candidate.target = "host-no_runtime";
    const Outcome<Generated> generated =
        generate(candidate, folder, settings_.compile, {.device_code = false, .schedule = false});
    if (!generated) return generated.error();
    const Outcome<Linked> linked = link_library(candidate, generated->object_path, folder,
                                                settings_.compiler, settings_.compile);
    if (!linked) return linked.error();
    const ReferenceJob job{.library = linked->library_path,
                           .name = candidate.name,
                           .expected = folder + "/expected",
                           .timeout = settings_.run_timeout};
    const Outcome<RunReport> run = run_reference(settings_.runner, job);
    if (!run) return run.error();
    return job.expected;
}

Outcome<BuiltDraw> TrialBench::build(size_t subject, const Draw &draw, int slot) {
    if (const Outcome<std::string> &outputs = expected(subject); !outputs) return outputs.error();
    BuiltDraw built{.candidate = candidate(subjects_[subject]),
                    .folder = settings_.folder + "/draw-" + std::to_string(slot)};
    remove_folder(built.folder);
    Candidate &candidate = built.candidate;
    candidate.plugin = settings_.plugin;
    candidate.scheduler = "GPU";
    const std::string trace_path = built.folder + "/trace.json";
    const std::string decisions_path = built.folder + "/decisions.json";
    candidate.scheduler_params = {{"gpu", settings_.gpu}, {"threads", "1"}, {"ptxas", "off"}};
    if (settings_.traces == Traces::kept) {
        candidate.scheduler_params.emplace_back("trace_out", trace_path);
        candidate.scheduler_params.emplace_back("decisions_out", decisions_path);
    }
    candidate.scheduler_params.insert(candidate.scheduler_params.end(),
                                      draw.scheduler_params.begin(), draw.scheduler_params.end());
    if (Status written = write_files(draw.files, built); !written) {
        return setup_failure(written.error().message);
    }
    Outcome<Generated> generated = generate(candidate, built.folder, settings_.compile,
                                            {.schedule = false, .featurization = true});
    if (!generated) return generated.error();
    built.object_path = generated->object_path;
    built.device_code_path = generated->device_code_path;

    Result<std::vector<FeatureTable>> kernels = read_features(generated->featurization_path);
    if (!kernels) {
        return Failure{.kind = FailureKind::search,
                       .reason = "no features of the schedule: " + kernels.error().message};
    }
    built.kernels = std::move(kernels).value();
    if (built.device_code_path.empty()) {
        return Failure{.kind = FailureKind::search,
                       .reason = "nothing of the pipeline is on the device"};
    }
    const Result<std::string> code = read_file(built.device_code_path);
    if (!code) return setup_failure(code.error().message);
    built.code_hash = device_code_hash(*code);
    if (settings_.traces == Traces::left_out) return built;
    Result<std::string> trace = read_file(trace_path);
    if (!trace) return setup_failure(trace.error().message);
    built.trace = std::move(trace).value();
    if (Result<std::string> decisions = read_file(decisions_path)) {
        built.decisions = std::move(decisions).value();
    }
    return built;
}

Outcome<std::vector<KernelFigures>> TrialBench::figures(const BuiltDraw &built) const {
    if (settings_.ptxas == nullptr || settings_.device != RunDevice::cuda) {
        return std::vector<KernelFigures>();
    }
    return assemble_kernels(*settings_.ptxas, built.device_code_path, {}, settings_.model,
                            settings_.compile.timeout);
}

Outcome<RunJob> TrialBench::link(size_t subject, const BuiltDraw &built) {
    const Outcome<Linked> linked = link_library(built.candidate, built.object_path, built.folder,
                                                settings_.compiler, settings_.compile);
    if (!linked) return linked.error();
    RunJob job{.library = linked->library_path,
               .name = built.candidate.name,
               .expected = *expected(subject),
               .device = settings_.device,
               .noise = settings_.noise,
               .tolerance = subjects_[subject].tolerance,
               .timeout = settings_.run_timeout};
    if (!settings_.first_run_in_link) return job;
    RunJob first = job;
    first.noise = kUntimed;
    const Outcome<RunReport> report = run_candidate(settings_.runner, first);
    if (!report) return report.error();
    return job;
}

Outcome<RunReport> TrialBench::run(const RunJob &job) const {
    const Result<DeviceLock> lock = DeviceLock::acquire(to_string(job.device));
    if (!lock) return setup_failure(lock.error().message);
    return run_candidate(settings_.runner, job);
}

}  // namespace autoschedule_gpu
