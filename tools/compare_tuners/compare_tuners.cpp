// compare_tuners: autotune's strategies under the same budget, over seeds. Parses arguments, calls
// src/tune/contest, shows what came of it.
#include <filesystem>
#include <iostream>

#include "common/command_line.h"
#include "common/command_text.h"
#include "common/kernel_cache.h"
#include "common/live_line.h"
#include "common/stop_signal.h"
#include "compare_tuners/tuner_contest_options.h"
#include "core/support/file.h"
#include "core/support/utc_time.h"
#include "lab/run/device_lock.h"
#include "present/terminal.h"
#include "tune/contest/contest_folder.h"
#include "tune/contest/contest_tables.h"

namespace {

using namespace autoschedule_gpu;
namespace fs = std::filesystem;

constexpr FailureOf fail("compare_tuners");

int show(const ContestResult &result, const std::string &folder, const std::string &command) {
    std::cout << terminal_text(contest_tables(result.runs));
    for (const std::string &failed : result.failed) std::cerr << "failed: " << failed << "\n";
    if (!result.runs.empty()) std::cout << "page: " << folder << "/index.html\n";
    if (result.interrupted) {
        std::cout << "interrupted; to go on: " << command << "\n";
        return kInterrupted;
    }
    return result.failed.empty() ? 0 : kFailed;
}

int run(const TunerContestOptions &options, const std::string &command) {
    Result<ContestSettings> parsed = contest_settings_of(options, tool_paths(options.each.plugins));
    if (!parsed) return fail(parsed.error().message, kBadUsage);
    ContestSettings settings = std::move(parsed).value();
    settings.each.command = command;
    const Result<DeviceLock> lock = DeviceLock::of_folder(
        "compare_tuners", settings.folder, "another process compares in " + settings.folder);
    if (!lock) return fail(lock.error().message, kFailed);
    std::error_code error;
    fs::create_directories(settings.folder, error);
    if (error) return fail("--out: " + settings.folder + ": " + error.message(), kBadUsage);
    if (options.fresh) remove_folder(settings.folder + "/runs");
    const std::string kernels = settings.folder + "/pocl";
    KernelCache().keep_in(kernels);
    const Result<Ptxas> ptxas = open_ptxas("");
    if (ptxas) settings.each.bench.ptxas = &*ptxas;
    catch_stop_signals();
    const ContestHeader header{
        .date = utc_date_of_today(), .command = command, .machine = machine_text()};
    LiveLine line("stopping: what runs is finished; a second Ctrl-C ends at once");
    const Result<ContestResult> result = hold_contest(
        settings,
        [&](const ContestProgress &p) {
            std::optional<TimeLeft> left;
            if (p.left_s) left = TimeLeft{.seconds = *p.left_s};
            line.show(p.done, p.total, p.doing, left);
        },
        stop_was_asked,
        [&](const ContestResult &so_far) {
            return write_contest(settings.folder, header, so_far);
        });
    line.end();
    remove_folder(kernels);
    if (!result) return fail(result.error().message, kFailed);
    return show(*result, settings.folder, command);
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "compare_tuners",
        .what = "Compares strategies of autotune: each on every application under every seed, with "
                "the same budget and records of its own. Writes results.json, results.md and "
                "index.html to --out: the verified best and its spread over the seeds, geometric "
                "means with intervals, who leads when, and the best so far over trials and time.",
        .examples = "HL_OCL_DEVICE_TYPE=cpu compare_tuners --strategies random,genetic,top5 "
                    "--apps unsharp,harris --size tiny --budget 40 --seeds 1,2,3 --out compared"
                    "\n"
                    "compare_tuners --strategies random,genetic,top5 --apps unsharp,harris "
                    "--size tiny --budget 40 --seeds 1,2,3 --device replay:compared --out again",
        .statuses = "0 done, 1 a run failed, 2 bad usage, 130 interrupted",
    });
    TunerContestOptions options;
    add_tuner_contest_options(line.app(), options);
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(options, command_text("compare_tuners", argc, argv));
}
