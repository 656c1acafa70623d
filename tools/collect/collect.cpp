// collect: schedules drawn at random, measured, as samples for a cost model. Parses options,
// calls src/learn/collect, shows where it stands.
#include <iostream>

#include "collect/collect_options.h"
#include "common/command_line.h"
#include "common/command_text.h"
#include "common/kernel_cache.h"
#include "common/live_line.h"
#include "common/stop_signal.h"
#include "lab/run/device_lock.h"

namespace {

using namespace autoschedule_gpu;

constexpr FailureOf fail("collect");

std::string text_of(const SampleCounts &counts) {
    return std::to_string(counts.samples) + " samples, " + std::to_string(counts.duplicates) +
           " duplicates, " + std::to_string(counts.noisy) + " too noisy, " +
           std::to_string(counts.failures) + " failures";
}

std::string seconds_each(const CollectState &state) {
    if (state.new_samples == 0) return "";
    char text[80];
    std::snprintf(text, sizeof text, "; each %.1f s compiling, %.1f s running",
                  state.compile_s / state.new_samples, state.run_s / state.new_samples);
    return text;
}

int report(const Result<CollectReport> &done, const std::string &command) {
    if (!done) return fail(done.error().message, kFailed);
    std::cout << text_of(done->state.counts) << "; " << done->state.new_samples << " of them new"
              << seconds_each(done->state) << "\n";
    switch (done->end) {
        case CollectEnd::complete:
            return 0;
        case CollectEnd::interrupted:
            std::cout << "to go on: " << command << "\n";
            return kInterrupted;
        case CollectEnd::given_up:
            break;
    }
    return fail(
        "no more schedules of these pipelines become samples (DEVICE.failures.jsonl says why); "
        "name more pipelines",
        kFailed);
}

int run(const CollectOptions &options, const std::string &command) {
    Result<CollectSettings> parsed = settings_of(options, tool_paths(options.plugins));
    if (!parsed) return fail(parsed.error().message, kBadUsage);
    CollectSettings settings = std::move(parsed).value();
    settings.origin.command = command;
    const Result<Ptxas> ptxas = open_ptxas("");
    if (ptxas) settings.bench.ptxas = &*ptxas;

    const Result<DeviceLock> lock = DeviceLock::of_folder(
        "collect", settings.folder, "another process collects in " + settings.folder);
    if (!lock) return fail(lock.error().message, kFailed);
    KernelCache().keep_in(settings.bench.folder + "/pocl");
    catch_stop_signals();

    LiveLine line("stopping: what runs is finished; a second Ctrl-C ends at once");
    settings.bench.warn = [&](const std::string &text) { line.say(text); };
    const Result<CollectReport> done = collect(
        settings,
        [&](const CollectState &state) {
            const int missing = settings.samples - state.counts.samples;
            line.show(state.new_samples, state.new_samples + missing,
                      state.doing + " (" + text_of(state.counts) + seconds_each(state) + ")");
        },
        stop_was_asked);
    line.end();
    return report(done, command);
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "collect",
        .what = "Samples for a cost model: schedules of random pipelines and of applications, "
                "from good to bad, with their features and run times. Writes DEVICE.samples "
                "and DEVICE.failures.jsonl to --out. The same command goes on where it was ended.",
        .examples =
            "collect --pipelines random:200+apps --work large --app-size full --samples 5000 "
            "--device cuda --out out/samples",
        .statuses = "0 all samples are there, 1 failed, 2 bad usage, 130 interrupted",
    });
    CollectOptions options;
    add_collect_options(line.app(), options);
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(options, command_text("collect", argc, argv));
}
