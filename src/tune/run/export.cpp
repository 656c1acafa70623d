#include "tune/run/export.h"

#include <cctype>

#include "core/support/file.h"
#include "core/support/hex.h"
#include "lab/build/retry.h"

namespace autoschedule_gpu {
namespace {

// Slots of the bench that no draw has.
constexpr int kCleanSlot = -1;

// The trace as the plugin writes it is to be the trial's, byte for byte, and the code its code.
Status check_same(const BuiltSchedule &built, const Trial &winner) {
    if (built.code_hash != winner.code_hash) {
        return Error{"the trace gives another schedule than the one that was measured (code " +
                     to_hex(built.code_hash) + ", expected " + to_hex(winner.code_hash) + ")"};
    }
    if (built.trace != winner.trace) {
        return Error{"the trace gives the code that was measured (" + to_hex(built.code_hash) +
                     "), but is written otherwise: it is of another version of the plugin"};
    }
    return Ok{};
}

Status verify_again(TrialBench &bench, const Workload &workload, const Trial &winner,
                    ExportCheck check) {
    const ScheduleRequest draw = request_of_trace("trace", winner.trace);
    const Outcome<BuiltSchedule> built =
        retry_lost([&] { return bench.build(workload, draw, kCleanSlot); });
    if (!built) return failed_schedule(built.error());
    if (Status same = check_same(*built, winner); !same) return same;
    if (check == ExportCheck::compile) return Ok{};
    const Outcome<RunJob> job = retry_lost([&] { return bench.ready(workload, *built); });
    if (!job) return failed_schedule(job.error());
    RunJob once = *job;
    once.noise = kUntimed;
    const Outcome<RunReport> report = retry_lost([&] { return bench.run(once); });
    if (!report) return failed_schedule(report.error());
    return Ok{};
}

// The generator as a user calls it, with a runtime in the library and the trace in place of a
// search.
Candidate user_candidate(const TrialBenchSettings &settings, const Workload &workload,
                         const std::string &trace_path) {
    return {.name = export_name(workload),
            .generator = workload.generator,
            .generator_name = workload.generator_name,
            .target = settings.target,
            .params = workload.params,
            .plugin = settings.plugin,
            .scheduler = "GPU",
            .scheduler_params = {{"gpu", settings.gpu}, {"trace", trace_path}}};
}

}  // namespace

Error failed_schedule(const Failure &failure) {
    if (failure.kind == FailureKind::setup) return Error{failure.reason};
    return Error{"the schedule failed (" + std::string(to_string(failure.kind)) +
                 "): " + failure.reason};
}

ScheduleRequest request_of_trace(const std::string &schedule, const std::string &trace) {
    return {.schedule = schedule, .scheduler_params = {}, .files = {{"trace", trace}}};
}

std::string export_name(const Workload &workload) {
    std::string name = workload.pipeline.substr(workload.pipeline.find(':') + 1);
    for (char &c : name) {
        if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    return name;
}

Result<ExportedSchedule> export_schedule(TrialBench &bench, const Workload &workload,
                                         const Trial &winner, const std::string &folder,
                                         ExportCheck check) {
    if (winner.trace.empty()) return Error{"the winner has no trace"};
    if (Status verified = verify_again(bench, workload, winner, check); !verified) {
        return verified.error();
    }
    const std::string name = export_name(workload);
    const std::string trace_path = absolute_path(folder + "/" + name + ".trace.json");
    if (Status written = write_file(trace_path, winner.trace); !written) return written.error();
    const Candidate candidate = user_candidate(bench.settings(), workload, trace_path);
    const GeneratorOutputs outputs = {.object = false, .device_code = false, .schedule = true};
    const std::string beside = bench.settings().folder + "/export";
    const Outcome<Generated> generated =
        generate(candidate, beside, bench.settings().limits.generate, outputs);
    if (!generated) return Error{"no header: " + generated.error().reason};
    const Result<std::string> header = read_file(generated->schedule_path);
    if (!header) return header.error();
    ExportedSchedule exported{.header_path = folder + "/" + name + ".schedule.h",
                              .trace_path = trace_path};
    exported.command = shell_text(generator_command(
        candidate, ".", {.object = true, .device_code = false, .schedule = true}));
    if (Status written = write_file(exported.header_path, *header); !written) {
        return written.error();
    }
    const Status noted = write_file(folder + "/" + name + ".command.txt", exported.command + "\n");
    if (!noted) return noted.error();
    return exported;
}

}  // namespace autoschedule_gpu
