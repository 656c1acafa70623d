#include "measure/measure.h"

#include <utility>

#include "support/file.h"

namespace autoschedule_gpu {

namespace {

std::string chained(const std::string &before, const std::string &command) {
    return before.empty() || command.empty() ? before + command : before + " && " + command;
}

// One candidate on its way. Each step adds to the measurement and says whether to go on.
class Steps {
public:
    Steps(const Candidate &candidate, const MeasureSettings &settings, const std::string &folder)
        : candidate_(candidate), settings_(settings), folder_(folder) {}

    Measurement take_all() {
        const std::optional<RunDevice> device = run_device(settings_.device);
        if (generate_code() && check_launches() && assemble()) {
            if (device && link()) run(*device);
            if (settings_.device.kind == DeviceKind::replay) replay();
        }
        return std::move(measurement_);
    }

private:
    // `failure` of a step whose own command is not known gets those of the steps before it.
    bool fail(Failure failure) {
        failure.command = chained(commands_, failure.command);
        measurement_.failure = std::move(failure);
        return false;
    }
    bool fail(FailureKind kind, std::string reason) {
        return fail(Failure{.kind = kind, .reason = std::move(reason)});
    }
    void passed(const std::vector<std::string> &command) {
        commands_ = chained(commands_, shell_text(command));
    }

    bool generate_code() {
        passed({"mkdir", "-p", folder_});
        Outcome<Generated> generated = generate(candidate_, folder_, settings_.generate_limits);
        if (!generated) return fail(generated.error());
        passed(generator_command(candidate_, folder_));
        measurement_.generated = std::move(generated).value();
        const std::string &path = measurement_.generated->device_code_path;
        if (path.empty()) return true;
        const Result<std::string> code = read_file(path);
        if (!code) return fail(FailureKind::setup, code.error().message);
        measurement_.code_hash = device_code_hash(*code);
        return true;
    }

    bool check_launches() {
        if (!settings_.launches) return true;
        Result<std::vector<Launch>> launches = settings_.launches(*measurement_.generated);
        if (!launches) return fail(FailureKind::setup, launches.error().message);
        launches_ = std::move(launches).value();
        const std::vector<std::string> broken = broken_limits(launches_, settings_.model);
        if (broken.empty()) return true;
        std::string reason = broken.front();
        if (broken.size() > 1) {
            reason += " (and " + std::to_string(broken.size() - 1) + " more limits are exceeded)";
        }
        return fail(FailureKind::resource, std::move(reason));
    }

    bool assemble() {
        const std::string &code = measurement_.generated->device_code_path;
        const bool has_ptx = !code.empty() && candidate_.target.find("cuda") != std::string::npos;
        if (settings_.ptxas == nullptr || !has_ptx) return true;
        Outcome<std::vector<KernelFigures>> figures = assemble_kernels(
            *settings_.ptxas, code, launches_, settings_.model, settings_.ptxas_timeout);
        if (!figures) return fail(figures.error());
        measurement_.kernels = std::move(figures).value();
        if (!settings_.most_spill_bytes) return true;
        std::optional<Failure> spilled =
            spill_failure(measurement_.kernels, *settings_.most_spill_bytes);
        return spilled ? fail(*std::move(spilled)) : true;
    }

    bool link() {
        const std::string &object = measurement_.generated->object_path;
        Outcome<Linked> linked = link_library(candidate_, object, folder_, settings_.compiler);
        if (!linked) return fail(linked.error());
        passed(link_command(candidate_, object, folder_, settings_.compiler));
        measurement_.linked = std::move(linked).value();
        return true;
    }

    bool run(RunDevice device) {
        const RunJob job = {.library = measurement_.linked->library_path,
                            .name = candidate_.name,
                            .expected = settings_.expected,
                            .device = device,
                            .noise = settings_.noise,
                            .tolerance = settings_.tolerance,
                            .timeout = settings_.run_timeout};
        commands_ = chained(settings_.reference_command, commands_);
        const Result<DeviceLock> lock = DeviceLock::acquire(to_string(device), settings_.lock_wait);
        if (!lock) return fail(FailureKind::setup, lock.error().message);
        Outcome<RunReport> report = run_candidate(settings_.runner, job);
        if (!report) return fail(report.error());
        measurement_.run = std::move(report).value();
        if (!measurement_.run->samples_ms.empty()) {
            measurement_.timing = summarise(measurement_.run->samples_ms);
        }
        return true;
    }

    bool replay() {
        if (settings_.replay == nullptr) {
            return fail(FailureKind::setup, "there are no recorded measurements to replay");
        }
        const RecordKey key = {settings_.app, settings_.size, measurement_.code_hash};
        Outcome<Timing> timing = settings_.replay->find(key);
        if (!timing) return fail(timing.error());
        measurement_.timing = std::move(timing).value();
        return true;
    }

    const Candidate &candidate_;
    const MeasureSettings &settings_;
    const std::string &folder_;
    Measurement measurement_;
    std::vector<Launch> launches_;
    std::string commands_;  // of the steps so far, for a shell
};

}  // namespace

Measurement measure_candidate(const Candidate &candidate, const MeasureSettings &settings,
                              const std::string &folder) {
    return Steps(candidate, settings, folder).take_all();
}

}  // namespace autoschedule_gpu
