// compare_tuners: autotune's strategies under the same budget, over seeds. Parses arguments, calls
// src/tune/contest, shows what came of it.
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <vector>

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
    std::cout << terminal_text(contest_tables(result.runs, result.failed));
    for (const FailedRun &failed : result.failed) {
        std::cerr << "failed: " << to_string(failed) << "\n";
    }
    if (!result.runs.empty() || !result.failed.empty()) {
        std::cout << "page: " << folder << "/index.html\n";
    }
    if (result.interrupted) {
        std::cout << "interrupted; to go on: " << command << "\n";
        return kInterrupted;
    }
    return result.failed.empty() ? 0 : kFailed;
}

Result<DeviceLock> lock_of(const std::string &folder) {
    return DeviceLock::of_folder("compare_tuners", folder, "another process compares in " + folder);
}

// On which machine the runs were made, when, and which others failed, the runs don't say: an
// earlier report may.
int show_complete_runs(const TunerContestOptions &options, const std::string &command) {
    const Result<std::string> folder = output_folder(options.each);
    if (!folder) return fail(folder.error().message, kBadUsage);
    const Result<DeviceLock> lock = lock_of(*folder);
    if (!lock) return fail(lock.error().message, kFailed);
    Result<std::vector<ContestRun>> runs = complete_runs_of(*folder);
    if (!runs) return fail("--out: " + runs.error().message, kBadUsage);
    EarlierReport earlier = earlier_report(*folder);
    if (earlier.header.command.empty()) earlier.header.command = command;
    std::erase_if(earlier.failed, [&](const FailedRun &failed) {
        return std::ranges::any_of(*runs, [&](const ContestRun &run) {
            return run.app == failed.app && run.strategy == failed.strategy &&
                   run.seed == failed.seed;
        });
    });
    const ContestResult result{.runs = std::move(runs).value(),
                               .failed = std::move(earlier.failed)};
    const Status written = write_contest(*folder, earlier.header, result);
    if (!written) return fail(written.error().message, kFailed);
    return show(result, *folder, command);
}

// The report of a call has the runs that it names, and takes the place of one that had more.
void tell_of_other_runs(const ContestResult &result, const std::string &folder) {
    if (result.runs.empty() && result.failed.empty()) return;
    const Result<std::vector<ContestRun>> complete = complete_runs_of(folder);
    if (!complete) return;
    const auto is_other = [&](const ContestRun &run) {
        return std::ranges::none_of(result.runs, [&](const ContestRun &shown) {
            return run.app == shown.app && run.strategy == shown.strategy && run.seed == shown.seed;
        });
    };
    const auto others = std::ranges::count_if(*complete, is_other);
    if (others == 0) return;
    std::cout << "not on the page: " << others
              << " complete runs that this call does not name or that had other settings; for the "
                 "page of all: compare_tuners --show --out "
              << folder << "\n";
}

int run(const TunerContestOptions &options, const std::string &command) {
    Result<ContestSettings> parsed = contest_settings_of(options, tool_paths(options.each.plugins));
    if (!parsed) return fail(parsed.error().message, kBadUsage);
    ContestSettings settings = std::move(parsed).value();
    settings.each.command = command;
    const Result<DeviceLock> lock = lock_of(settings.folder);
    if (!lock) return fail(lock.error().message, kFailed);
    std::error_code error;
    fs::create_directories(settings.folder, error);
    if (error) return fail("--out: " + settings.folder + ": " + error.message(), kBadUsage);
    if (options.fresh) remove_contest(settings.folder);
    const std::string kernels = settings.folder + "/pocl";
    KernelCache().keep_in(kernels);
    const Result<Ptxas> ptxas = open_ptxas("");
    if (ptxas) settings.each.bench.ptxas = &*ptxas;
    catch_stop_signals();
    const ContestHeader header{
        .date = utc_date_of_today(), .command = command, .machine = machine_text()};
    LiveLine line("stopping: what runs is finished; a second Ctrl-C ends at once");
    settings.each.bench.warn = [&](const std::string &text) { line.say(text); };
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
    const int status = show(*result, settings.folder, command);
    tell_of_other_runs(*result, settings.folder);
    return status;
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
                    "--size tiny --budget 40 --seeds 1,2,3 --device replay:compared --out again"
                    "\n"
                    "compare_tuners --show --out compared",
        .statuses = "0 done, 1 a run failed, 2 bad usage, 130 interrupted",
    });
    TunerContestOptions options;
    add_tuner_contest_options(line.app(), options);
    if (const auto done = line.parse(argc, argv)) return *done;
    const std::string command = command_text("compare_tuners", argc, argv);
    return options.show ? show_complete_runs(options, command) : run(options, command);
}
