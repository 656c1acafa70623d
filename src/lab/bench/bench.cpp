#include "lab/bench/bench.h"

#include <cctype>
#include <utility>

#include "core/support/file.h"
#include "lab/build/constraints.h"
#include "lab/build/device_code_hash.h"
#include "lab/build/retry.h"

namespace autoschedule_gpu {

std::string as_file_name(std::string text) {
    for (char &c : text) {
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '.') c = '_';
    }
    return text;
}

Candidate Bench::candidate(const Workload &workload, const std::string &function,
                           const std::string &target) const {
    return {.name = function,
            .generator = workload.generator,
            .generator_name = workload.generator_name,
            .target = runtime_ ? target + "-no_runtime" : target,
            .params = workload.params,
            .runtime = runtime_ ? runtime_->path : ""};
}

Bench::Reference &Bench::reference_of(const Workload &workload) {
    const std::lock_guard lock(mutex_);
    return references_[workload.pipeline + " " + workload.size];
}

const Outcome<std::string> &Bench::reference(const Workload &workload) {
    Reference &reference = reference_of(workload);
    std::call_once(reference.made, [&] {
        Outcome<std::string> made = retry_lost([&] { return make_reference(workload); });
        if (!made) {
            Failure failure = made.error();
            failure.reason = "the reference: " + failure.reason;
            made = failure;
        }
        reference.folder = std::move(made);
    });
    return *reference.folder;
}

Outcome<std::string> Bench::make_reference(const Workload &workload) const {
    const std::string folder = settings_.folder + "/reference-" + as_file_name(workload.pipeline) +
                               "-" + as_file_name(workload.size);
    Candidate reference = candidate(workload, "reference", "host");
    if (!settings_.reference_plugin.empty()) {
        reference.plugin = settings_.reference_plugin;
        reference.scheduler = "GPU_reference";
    }
    const Outcome<Built> built =
        build(std::move(reference), folder, {.device_code = false, .schedule = false});
    if (!built) return built.error();
    const Outcome<RunnableLibrary> library = link(*built);
    if (!library) return library.error();
    const ReferenceJob job{.library = library->path,
                           .name = library->function,
                           .expected = folder + "/expected",
                           .inputs = workload.inputs,
                           .timeout = settings_.limits.reference_timeout};
    const Outcome<RunReport> run = run_reference(settings_.runner, job);
    if (!run) return run.error();
    warn_of(*run, workload);
    return job.expected;
}

void Bench::warn_of(const RunReport &reference, const Workload &workload) const {
    if (!settings_.warn) return;
    const std::string of = "the reference of " + workload.pipeline +
                           (workload.size.empty() ? "" : " at " + workload.size) + ": ";
    for (const AssumedScalar &scalar : reference.assumed_scalars) {
        settings_.warn(of + describe(scalar));
    }
    for (const std::string &output : reference.constant_outputs) {
        settings_.warn(of + "all elements of its output " + output +
                       " are the same, so that wrong ones may not show; other inputs may tell more "
                       "(\"inputs\" of app.json, --input of autotune)");
    }
}

Outcome<Built> Bench::build(Candidate candidate, const std::string &folder,
                            const GeneratorOutputs &outputs) const {
    Outcome<Generated> generated = generate(candidate, folder, settings_.limits.generate, outputs);
    if (!generated) return generated.error();
    Built built{.candidate = std::move(candidate),
                .folder = folder,
                .generated = std::move(generated).value()};
    if (built.generated.device_code_path.empty()) return built;
    const Result<std::string> code = read_file(built.generated.device_code_path);
    if (!code) return setup_failure(code.error().message);
    built.code_hash = device_code_hash(*code);
    return built;
}

Outcome<Ok> Bench::check_limits(const Built &built) const {
    const std::vector<std::string> broken = broken_limits(built.launches, settings_.model);
    if (broken.empty()) return Ok{};
    return Failure{.kind = FailureKind::resource, .reason = broken.front()};
}

Outcome<std::vector<KernelFigures>> Bench::figures(const Built &built) const {
    const std::string &path = built.generated.device_code_path;
    const bool is_ptx = !path.empty() && built.candidate.target.find("cuda") != std::string::npos;
    if (settings_.ptxas == nullptr || !is_ptx || !architecture_of(settings_.model)) {
        return std::vector<KernelFigures>();
    }
    const Result<std::string> code = read_file(path);
    if (!code) return setup_failure(code.error().message);
    if (code->find(".entry") == std::string::npos) return std::vector<KernelFigures>();
    return retry_lost([&] {
        return assemble_kernels(*settings_.ptxas, path, built.launches, settings_.model,
                                settings_.limits.generate.timeout);
    });
}

Outcome<RunnableLibrary> Bench::link(const Built &built) const {
    if (const Outcome<Ok> fits = check_limits(built); !fits) return fits.error();
    const Outcome<Linked> linked =
        link_library(built.candidate, built.generated.object_path, built.folder, settings_.compiler,
                     settings_.limits.generate);
    if (!linked) return linked.error();
    return RunnableLibrary{.path = linked->library_path, .function = built.candidate.name};
}

Outcome<RunJob> Bench::job(const Workload &workload, const RunnableLibrary &library,
                           const NoiseProtocol &noise) {
    const Outcome<std::string> &expected = reference(workload);
    if (!expected) return expected.error();
    return RunJob{.library = library.path,
                  .name = library.function,
                  .expected = *expected,
                  .locks_device = runner_locks(),
                  .device = settings_.device,
                  .noise = noise,
                  .tolerance = workload.tolerance,
                  .timeout = settings_.limits.run_timeout};
}

bool Bench::runner_locks() const {
    return settings_.device == RunDevice::cuda && settings_.runner.executor == nullptr;
}

Result<std::optional<DeviceLock>> Bench::lock_device() const {
    if (runner_locks()) return std::optional<DeviceLock>();
    Result<DeviceLock> lock = DeviceLock::acquire(to_string(settings_.device), settings_.lock_wait);
    if (!lock) return lock.error();
    return std::optional(std::move(lock).value());
}

Outcome<RunReport> Bench::run(const RunJob &job) const {
    const Result<std::optional<DeviceLock>> lock = lock_device();
    if (!lock) return setup_failure(lock.error().message);
    return run_candidate(settings_.runner, job);
}

Result<std::vector<Outcome<InterleavedRun>>> Bench::run_in_rounds(
    const std::vector<RunJob> &jobs, int rounds, const std::function<bool()> &stop) const {
    const Result<std::optional<DeviceLock>> lock = lock_device();
    if (!lock) return lock.error();
    return measure_interleaved(
        jobs.size(), rounds,
        [&](size_t candidate, int) { return run_candidate(settings_.runner, jobs[candidate]); },
        stop);
}

}  // namespace autoschedule_gpu
