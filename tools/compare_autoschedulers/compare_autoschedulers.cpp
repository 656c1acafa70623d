// compare_autoschedulers: applications under schedulers, measured alike. Parses arguments, calls
// src/compare/schedulers, shows the rows.
#include <filesystem>
#include <iostream>
#include <map>
#include <mutex>

#include "common/command_line.h"
#include "common/command_text.h"
#include "common/progress_line.h"
#include "compare/rows/comparison_folder.h"
#include "compare/rows/tables.h"
#include "compare/schedulers/cross_contest.h"
#include "compare_autoschedulers/comparison_options.h"
#include "core/support/split_list.h"
#include "lab/run/device_lock.h"
#include "present/terminal.h"

namespace {

using namespace autoschedule_gpu;
namespace fs = std::filesystem;

constexpr FailureOf fail("compare_autoschedulers");

// Names the schedulers that have no row without a failure. Returns the exit status.
template <typename Row>
int status_of(const std::vector<Row> &rows) {
    std::map<std::string, bool> worked;
    for (const Row &row : rows) worked[row.scheduler] |= row.ok();
    int status = 0;
    for (const auto &[scheduler, once] : worked) {
        if (once) continue;
        status = fail(scheduler + " failed on every application; its rows say why", kFailed);
    }
    return status;
}

// Where a comparison stands, and what it says beside, from any of its threads.
class SharedLine {
public:
    void show(const ComparisonProgress &progress) {
        const std::lock_guard lock(mutex_);
        line_.show(progress.done, progress.total, progress.doing);
    }
    void say(const std::string &text) {
        const std::lock_guard lock(mutex_);
        line_.say(text);
    }
    void clear() {
        const std::lock_guard lock(mutex_);
        line_.clear();
    }

private:
    std::mutex mutex_;
    ProgressLine line_;
};

int compare(ComparisonSettings settings, const Toolbox &tools, ComparisonFolder &folder) {
    SharedLine line;
    settings.warn = [&](const std::string &text) { line.say(text); };
    std::optional<Error> unwritten;
    const auto rows = compare_schedulers(
        settings, tools, [&](const ComparisonProgress &p) { line.show(p); },
        [&](const std::vector<ComparisonRow> &so_far) {
            if (const Status shown = folder.show(so_far); !shown) unwritten = shown.error();
        });
    line.clear();
    if (!rows) return fail(rows.error().message, kFailed);
    if (unwritten) return fail(unwritten->message, kFailed);
    std::cout << folder.text();
    return status_of(*rows);
}

int compare_sizes(const ComparisonOptions &options, ComparisonSettings settings,
                  const Toolbox &tools, ComparisonFolder &folder) {
    SharedLine line;
    settings.warn = [&](const std::string &text) { line.say(text); };
    const Result<std::vector<CrossRow>> rows = hold_cross_contest(
        settings, tools, split_list(options.cross_for, ','), split_list(options.cross_at, ','),
        [&](const ComparisonProgress &p) { line.show(p); },
        // What can't be written now can't be at the end either, which says so.
        [&](const std::vector<CrossRow> &so_far) { (void)folder.show(so_far); });
    line.clear();
    if (!rows) return fail(rows.error().message, kFailed);
    if (const Status shown = folder.show(*rows); !shown) {
        return fail(shown.error().message, kFailed);
    }
    std::cout << terminal_text(tables_for_text(*rows));
    return status_of(*rows);
}

int run(const ComparisonOptions &options, const std::string &command) {
    const ToolPaths paths = tool_paths(options.plugins);
    Result<ComparisonSettings> parsed = settings_of(options, paths);
    if (!parsed) return fail(parsed.error().message, kBadUsage);
    ComparisonSettings settings = std::move(parsed).value();
    settings.command = command;
    std::vector<LossNote> notes;
    if (!options.notes.empty()) {
        Result<std::vector<LossNote>> read = LossNotesFile::read(options.notes);
        if (!read) return fail(read.error().message, kBadUsage);
        notes = std::move(read).value();
    }
    const Result<Ptxas> ptxas = open_ptxas(options.ptxas);
    if (!ptxas) {
        std::cerr << "compare_autoschedulers: no registers and spills: " << ptxas.error().message
                  << "\n";
    }
    const Toolbox tools{.runner = paths.runner,
                        .probe = paths.probe,
                        .plugin_folders = paths.plugin_folders,
                        .ptxas = ptxas ? &*ptxas : nullptr};
    const Result<DeviceLock> lock = DeviceLock::of_folder(
        "compare", settings.folder, "another process compares in " + settings.folder);
    if (!lock) return fail(lock.error().message, kFailed);
    std::error_code error;
    fs::create_directories(options.out, error);
    if (error) return fail("--out: " + options.out + ": " + error.message(), kBadUsage);
    if (const Status can = check_record_file(settings.record_path); !can) {
        return fail("--record: " + can.error().message, kBadUsage);
    }
    ComparisonFolder folder(options.out, {.command = command, .machine = machine_text()},
                            {.baselines = {"manual", "anderson2021"}, .notes = std::move(notes)});
    if (options.cross) return compare_sizes(options, settings, tools, folder);
    return compare(settings, tools, folder);
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "compare_autoschedulers",
        .what = "Applications under schedulers: search time, memory, kernels, registers, "
                "spills, traffic, correctness and run time. Writes results.json, what follows "
                "from it in roofline.json, results.md and index.html to --out (with "
                "--cross-resolution: cross_resolution.json and .md). A scheduler that fails "
                "is a row.",
        .examples = "compare_autoschedulers --apps unsharp,harris --schedulers "
                    "gpu,manual,anderson2021 --device opencl --size reduced --out out/comparison",
        .statuses =
            "0 every scheduler has a schedule at least, 1 one that was named has none, "
            "something could not be written or recorded, or another process works in --out, "
            "2 bad usage",
    });
    ComparisonOptions options;
    add_comparison_options(line.app(), options);
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(options, command_text("compare_autoschedulers", argc, argv));
}
