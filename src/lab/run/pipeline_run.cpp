#include "lab/run/pipeline_run.h"

#include <optional>
#include <utility>

#include "core/support/stopwatch.h"
#include "lab/build/step.h"
#include "lab/run/compare_output.h"
#include "lab/run/core_waits.h"
#include "lab/run/cuda_context.h"
#include "lab/run/device_lock.h"
#include "lab/run/filter_call.h"
#include "lab/run/filter_library.h"
#include "lab/run/opencl_device.h"
#include "lab/run/pocl_threads.h"
#include "lab/run/reference_files.h"
#include "lab/run/synthetic_input.h"
#include "lab/run/time_limit.h"

namespace autoschedule_gpu {

namespace {

std::string with_code(const std::string &text, int code) {
    return text + (text.empty() ? "" : " ") + "(error " + std::to_string(code) + ")";
}

// Returns the failure that Halide's `code` stands for; nullopt for 0.
std::optional<Failure> failure_of(const FilterLibrary &library, int code) {
    if (code == 0) return std::nullopt;
    const std::string text = library.take_error_text();
    return Failure{.kind = classify_run_error(code, text),
                   .reason = in_one_line(with_code(text, code)),
                   .output = text};
}

Status override_extents(std::vector<FilterArgument> &arguments,
                        const std::vector<ExtentsOf> &extents) {
    for (const ExtentsOf &wanted : extents) {
        bool found = false;
        for (FilterArgument &argument : arguments) {
            if (argument.name != wanted.argument || argument.kind == ArgumentKind::scalar) continue;
            found = argument.dimensions.size() == wanted.extents.size();
            for (size_t d = 0; found && d < wanted.extents.size(); d++) {
                argument.dimensions[d].extent = wanted.extents[d];
            }
        }
        if (!found) {
            return Error{"the pipeline has no buffer " + wanted.argument + " of " +
                         std::to_string(wanted.extents.size()) + " dimensions"};
        }
    }
    return Ok{};
}

Status check_inputs(const std::vector<FilterArgument> &arguments, const InputRanges &inputs) {
    for (const auto &[name, range] : inputs) {
        const FilterArgument *found = nullptr;
        std::string known;
        for (const FilterArgument &argument : arguments) {
            if (argument.kind != ArgumentKind::input) continue;
            if (argument.name == name) found = &argument;
            known += (known.empty() ? "" : ", ") + argument.name;
        }
        if (found == nullptr) {
            return Error{"the pipeline has no input " + name +
                         " to be filled; it has: " + (known.empty() ? "none" : known)};
        }
        if (const Status fits = check_range(*found, range); !fits) return fits;
    }
    return Ok{};
}

void fill_buffers(FilterCall &call, uint64_t seed, const InputRanges &inputs, Filler filler) {
    for (size_t i = 0; i < call.arguments().size(); i++) {
        const FilterArgument &argument = call.arguments()[i];
        if (argument.kind == ArgumentKind::output) fill_output(argument, filler, call.memory(i));
        if (argument.kind != ArgumentKind::input) continue;
        const auto range = inputs.find(argument.name);
        fill_input(argument, seed, call.memory(i),
                   range == inputs.end() ? std::nullopt : std::optional(range->second));
    }
}

// What was assumed may be why the pipeline refuses its arguments.
std::string with_assumed(std::string why, const FilterLibrary &library) {
    for (const AssumedScalar &scalar : library.assumed_scalars()) why += "; " + describe(scalar);
    return why;
}

Result<std::vector<FilterArgument>> sizes_of_reference(const FilterLibrary &library,
                                                       const ReferenceJob &job) {
    std::vector<FilterArgument> arguments = library.arguments();
    const Status overridden = override_extents(arguments, job.extents);
    if (!overridden) return overridden.error();
    for (const FilterArgument &argument : arguments) {
        if (argument.kind != ArgumentKind::output) continue;
        for (const Dimension &dimension : argument.dimensions) {
            if (dimension.extent > 0) continue;
            return Error{"the output " + argument.name +
                         " has no estimate of its size, or an empty one; set its estimates in the "
                         "generator, where using_autoscheduler() is false, too"};
        }
    }
    Result<std::vector<FilterArgument>> asked = ask_for_sizes(library, std::move(arguments));
    if (!asked) return Error{with_assumed(asked.error().message, library)};
    return asked;
}

// Checks that the library's arguments are those of the reference, whose sizes and values are used.
Status check_arguments(const FilterLibrary &library, const Reference &reference) {
    const std::vector<FilterArgument> &own = library.arguments();
    const std::vector<FilterArgument> &others = reference.arguments;
    if (own.size() != others.size()) {
        return Error{"the library has " + std::to_string(own.size()) +
                     " arguments, the reference " + std::to_string(others.size())};
    }
    const auto shown = [](const FilterArgument &argument) {
        return argument.name + " (" + to_string(argument.type) + ", " +
               std::to_string(argument.dimensions.size()) + " dimensions)";
    };
    for (size_t i = 0; i < own.size(); i++) {
        if (own[i].name == others[i].name && own[i].kind == others[i].kind &&
            own[i].type == others[i].type &&
            own[i].dimensions.size() == others[i].dimensions.size()) {
            continue;
        }
        return Error{"argument " + std::to_string(i) + " of the library is " + shown(own[i]) +
                     ", of the reference " + shown(others[i])};
    }
    return Ok{};
}

// One candidate's run. Each step adds to the report and returns false if it has failed.
class Run {
public:
    Run(const RunJob &job, const FilterLibrary &library, const Reference &reference,
        const Announce &announce)
        : job_(job), library_(library), announce_(announce), call_(library, reference.arguments) {
        fill_buffers(call_, reference.seed, reference.inputs, Filler::candidate);
    }

    // Returns an error if the device is not there, or is not to be had.
    Status prepare_device() {
        if (job_.device == RunDevice::cpu) return lock_device();
        const auto reuse = reinterpret_cast<int (*)(void *, bool)>(
            library_.symbol("halide_reuse_device_allocations"));
        if (reuse != nullptr) reuse(nullptr, true);
        const std::string name(to_string(job_.device));
        const halide_device_interface_t *device = library_.device_interface(job_.device);
        if (device == nullptr) {
            return Error{job_.library + " was not compiled for " + name + ": its target is " +
                         library_.target()};
        }
        if (job_.device == RunDevice::cuda) {
            if (const Status opened = open_cuda(); !opened) return opened;
        }
        if (const Status locked = lock_device(); !locked) return locked;
        announce_("copying to the device");
        if (const int code = call_.copy_outputs_to_device(device); code != 0) {
            return Error{"the " + name + " device cannot be used: " +
                         in_one_line(with_code(library_.take_error_text(), code))};
        }
        if (job_.device == RunDevice::opencl) {
            OpenClDevice opened = opencl_device(library_);
            report_.device_name = std::move(opened.name);
            report_.driver_version = std::move(opened.driver_version);
        }
        return Ok{};
    }

    // Returns an error if the expected outputs cannot be read.
    Result<RunReport> run() {
        announce_("first run");
        const Stopwatch watch;
        if (!run_once()) return report_;
        report_.first_run_ms = 1e3 * watch.seconds();
        if (!copy_outputs()) return report_;
        if (const Status compared = compare(""); !compared) return compared.error();
        if (report_.failure || job_.noise.samples == 0) return report_;
        if (!take_samples() || !copy_outputs()) return report_;
        lock_.reset();
        // The output is compared again, because the first run may have been spared by a race
        // between threads.
        const Status compared =
            compare("after " + std::to_string(report_.samples_ms.size()) + " more runs: ");
        if (!compared) return compared.error();
        return report_;
    }

private:
    // Makes the context, which disturbs no other process's runs, before the device is locked.
    Status open_cuda() {
        CudaRuntime runtime;
        runtime.acquire_context = reinterpret_cast<decltype(runtime.acquire_context)>(
            library_.symbol("halide_cuda_acquire_context"));
        runtime.release_context = reinterpret_cast<decltype(runtime.release_context)>(
            library_.symbol("halide_cuda_release_context"));
        Result<CudaContext> context = CudaContext::open(runtime);
        if (!context) return context.error();
        report_.device_name = context->device_name();
        report_.driver_version = context->driver_version();
        cuda_.emplace(std::move(context).value());
        return Ok{};
    }

    // Everything that runs on the device or copies from it is done under the lock, what is not
    // timed, too: it would take the device from a process that is being timed.
    Status lock_device() {
        if (!job_.locks_device) return Ok{};
        announce_("waiting for the device");
        const StandingTimeLimit limit;
        Result<DeviceLock> taken = DeviceLock::acquire(to_string(job_.device));
        if (!taken) return taken.error();
        lock_.emplace(std::move(taken).value());
        return Ok{};
    }

    bool succeeded(int code) {
        if (auto failure = failure_of(library_, code)) report_.failure = std::move(failure);
        return !report_.failure;
    }

    bool run_once() { return succeeded(call_.run()) && succeeded(call_.sync()); }

    bool copy_outputs() { return succeeded(call_.copy_outputs_to_host()); }

    Status compare(const std::string &when) {
        announce_("comparing");
        report_.outputs.clear();
        for (size_t i = 0; i < call_.arguments().size(); i++) {
            const FilterArgument &argument = call_.arguments()[i];
            if (argument.kind != ArgumentKind::output) continue;
            const auto expected = read_expected_output(job_.expected, argument);
            if (!expected) return expected.error();
            report_.outputs.push_back(
                compare_output(argument, expected->data(), call_.memory(i), job_.tolerance));
            if (report_.outputs.back().wrong_elements == 0 || report_.failure) continue;
            report_.failure = Failure{.kind = FailureKind::wrong_output,
                                      .reason = when + describe(report_.outputs.back())};
        }
        report_.verified = !report_.failure;
        return Ok{};
    }

    bool take_samples() {
        announce_("timing");
        const Stopwatch watch;
        const NoiseProtocol &noise = job_.noise;
        for (int i = 0; wants_another_warmup(noise, i, watch.seconds()); i++) {
            if (!run_once()) return false;
        }
        report_.l2_flushed = cuda_.has_value();
        double last_s = 0;
        for (int i = 0; wants_another_sample(noise, i, watch.seconds(), last_s); i++) {
            if (cuda_ && !flush()) return false;
            const std::optional<double> waited = waits_.so_far_ms();
            const Stopwatch run;
            if (!run_once()) return false;
            last_s = run.seconds();
            report_.samples_ms.push_back(1e3 * last_s);
            const std::optional<double> since = waits_.so_far_ms();
            if (waited && since) report_.waited_ms.push_back(*since - *waited);
        }
        return true;
    }

    bool flush() {
        const Status flushed = cuda_->flush_l2();
        if (flushed) return true;
        report_.failure = Failure{.kind = FailureKind::launch, .reason = flushed.error().message};
        return false;
    }

    const RunJob &job_;
    const FilterLibrary &library_;
    const Announce &announce_;
    FilterCall call_;
    std::optional<DeviceLock> lock_;
    std::optional<CudaContext> cuda_;
    CoreWaits waits_;
    RunReport report_;
};

}  // namespace

Result<RunReport> make_reference(const ReferenceJob &job, const Announce &announce) {
    const Result<FilterLibrary> library = FilterLibrary::open(job.library, job.name);
    if (!library) return library.error();
    announce("asking for sizes");
    Result<std::vector<FilterArgument>> arguments = sizes_of_reference(*library, job);
    if (!arguments) return arguments.error();
    if (const Status known = check_inputs(*arguments, job.inputs); !known) return known.error();
    announce("making inputs");
    FilterCall call(*library, std::move(arguments).value());
    fill_buffers(call, job.seed, job.inputs, Filler::reference);

    announce("run");
    RunReport report;
    const Stopwatch watch;
    int code = call.run();
    if (code == 0) code = call.sync();
    report.first_run_ms = 1e3 * watch.seconds();
    if (code == 0) code = call.copy_outputs_to_host();
    report.failure = failure_of(*library, code);
    if (report.failure) {
        report.failure->reason = with_assumed(report.failure->reason, *library);
        return report;
    }
    report.assumed_scalars = library->assumed_scalars();

    announce("writing");
    std::vector<const std::byte *> outputs;
    for (size_t i = 0; i < call.arguments().size(); i++) {
        const FilterArgument &argument = call.arguments()[i];
        if (argument.kind != ArgumentKind::output) continue;
        outputs.push_back(call.memory(i));
        if (is_constant(argument, outputs.back())) {
            report.constant_outputs.push_back(argument.name);
        }
    }
    const Reference reference{.name = job.name,
                              .target = library->target(),
                              .seed = job.seed,
                              .inputs = job.inputs,
                              .arguments = call.arguments()};
    const Status written = write_reference(job.expected, reference, outputs);
    if (!written) return written.error();
    return report;
}

Result<RunReport> run_pipeline(const RunJob &job, const Announce &announce) {
    if (job.locks_device) limit_own_time(job.timeout);
    const Result<Reference> reference = read_reference(job.expected);
    if (!reference) return reference.error();
    announce("loading");
    if (job.device == RunDevice::opencl) keep_pocl_threads_apart();
    const Result<FilterLibrary> library = FilterLibrary::open(job.library, job.name);
    if (!library) return library.error();
    const Status same = check_arguments(*library, *reference);
    if (!same) return same.error();
    announce("making inputs");
    Run run(job, *library, *reference, announce);
    const Status prepared = run.prepare_device();
    if (!prepared) return prepared.error();
    return run.run();
}

}  // namespace autoschedule_gpu
