// autotune: better schedules from measurements. Parses arguments, calls src/tune, shows where it
// stands and what came of it.
#include <iostream>

#include "autotune/autotune_request.h"
#include "autotune/autotune_worker.h"
#include "autotune/tune_progress.h"
#include "common/command_line.h"
#include "common/command_text.h"
#include "common/kernel_cache.h"
#include "common/stop_signal.h"
#include "core/support/file.h"
#include "lab/run/device_lock.h"

namespace {

using namespace autoschedule_gpu;

constexpr FailureOf fail("autotune");

// What to do about what generators say in their own words.
std::string with_advice(const std::string &message) {
    if (message.find("Generator not found") == std::string::npos) return message;
    return message + "; --generator-name says which of the program's generators is meant";
}

// Divides a budget equally between the pipelines.
Budget share_of(const Budget &budget, size_t pipelines) {
    Budget share = budget;
    if (share.seconds) *share.seconds /= static_cast<double>(pipelines);
    if (share.trials) *share.trials = std::max(1, *share.trials / static_cast<int>(pipelines));
    return share;
}

int show_again(const TuneRequest &request, const std::string &trace) {
    const Result<ExportedSchedule> exported = export_trace(request, trace);
    if (!exported) {
        return fail("--trace: " + request.workload.pipeline + ": " + exported.error().message,
                    kBadUsage);
    }
    std::cout << "  header   " << exported->header_path << "\n  trace    " << exported->trace_path
              << "\n  again    " << exported->command << "\n";
    return 0;
}

// The file that has what was measured.
const std::string &records_of(const TuneRequest &request) {
    const bool is_replay = request.device.kind == DeviceKind::replay;
    return is_replay ? request.device.replay_file : request.records;
}

int tune_one(TuneRequest request, const KernelCache &kernels) {
    const Result<DeviceLock> lock = DeviceLock::of_folder(
        "autotune", request.bench.folder,
        "another process tunes " + request.workload.pipeline + " in " + request.folder);
    if (!lock) return fail(lock.error().message, kFailed);
    kernels.keep_in(request.bench.folder + "/pocl");
    TuneProgress progress(export_name(request.workload));
    request.bench.lock_wait.message = [&](const std::string &text) { progress.say(text); };
    request.bench.warn = request.bench.lock_wait.message;
    const Result<TuneResult> result = tune_pipeline(
        request, [&](const TuneState &state) { progress.show(state); }, stop_was_asked);
    progress.end();
    if (!result) {
        return fail(request.workload.pipeline + ": " + with_advice(result.error().message),
                    kFailed);
    }
    if (result->has_winner()) std::cout << text_of(*result, records_of(request));
    if (result->error) {
        return fail(
            request.workload.pipeline + ": " + with_advice(result->error->message) +
                "; the best that was measured before is exported; to go on: " + request.command,
            kFailed);
    }
    if (!result->interrupted) return 0;
    std::cout << "interrupted; to go on: " << request.command << "\n";
    return kInterrupted;
}

int run(const AutotuneOptions &a, const std::string &command) {
    const ToolPaths paths = tool_paths(a.plugins);
    Result<TuneRequest> parsed = request_of(a, paths);
    if (!parsed) return fail(parsed.error().message, kBadUsage);
    TuneRequest request = std::move(parsed).value();
    const Result<std::vector<Workload>> workloads = workloads_of(a, paths, request.device);
    if (!workloads) return fail(workloads.error().message, kBadUsage);
    std::optional<std::string> trace;
    if (!a.trace.empty()) {
        Result<std::string> text = read_file(a.trace);
        if (!text) return fail("--trace: " + text.error().message, kBadUsage);
        trace = std::move(text).value();
    }
    request.command = command;
    request.budget = share_of(request.budget, workloads->size());
    const Result<Ptxas> ptxas = open_ptxas("");
    if (ptxas) request.bench.ptxas = &*ptxas;
    catch_stop_signals();
    const KernelCache kernels;
    int worst = 0;
    for (const Workload &workload : *workloads) {
        request.workload = workload;
        request.bench.folder = request.folder + "/work-" + export_name(workload);
        worst = std::max(worst, trace ? show_again(request, *trace) : tune_one(request, kernels));
        if (stop_was_asked()) break;
    }
    return worst;
}

}  // namespace

int main(int argc, char **argv) {
    if (argc > 1 && std::string(argv[1]) == "worker") return autotune_worker(argc - 1, argv + 1);
    CommandLine line({
        .name = "autotune",
        .what = "Tunes the schedule of a pipeline by measuring many. Everything that is "
                "measured is kept in --records; the same command goes on where it was ended. "
                "The winner is in --export, as a schedule header, a trace and a command, and "
                "is never slower than without tuning. Ctrl-C ends with the best so far, a "
                "second one at once. autotune worker --help: measuring on many machines.",
        .examples =
            "autotune --app harris --device cuda --budget 30m --records my.records --export tuned"
            "\n"
            "autotune --generator my.generator --generator-name blur --device opencl --budget 200t "
            "--records my.records --export tuned",
        .statuses = "0 done, 1 failed, 2 bad usage, 130 interrupted",
    });
    AutotuneOptions options;
    add_autotune_options(line.app(), options);
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(options, command_text("autotune", argc, argv));
}
