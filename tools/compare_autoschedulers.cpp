// compare_autoschedulers: applications under schedulers, measured alike. Parses arguments, calls
// src/contest, prints src/compare's presentations.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "application_options.h"
#include "compare/cross_rows_file.h"
#include "compare/html_page.h"
#include "compare/markdown.h"
#include "compare/roofline_file.h"
#include "compare/rows_file.h"
#include "compare/terminal.h"
#include "contest/contest.h"
#include "contest/cross_contest.h"
#include "contest/split_list.h"
#include "progress_line.h"
#include "support/file.h"
#include "tool_paths.h"

namespace {

using namespace autoschedule_gpu;
namespace fs = std::filesystem;

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

struct Arguments : ApplicationOptions {
    Arguments() { repeats = 3; }
    std::string schedulers = "gpu,anderson2021,mullapudi2016,li2018,manual,root";
    std::string device = "none", record, notes, ptxas;
    std::string cross_for = "reduced,half,full", cross_at = "tiny,reduced,half,full";
    int jobs = 1;
    double run_timeout_s = 300;
    bool opencl_times = false, cross = false;
};

int fail(const std::string &message, int code) {
    std::cerr << "compare_autoschedulers: " << message << "\n";
    return code;
}

Result<ContestSettings> settings_of(const Arguments &arguments, const ToolPaths &paths) {
    ContestSettings settings;
    if (Status settled = settle(arguments, paths, settings); !settled) return settled.error();
    auto contenders = parse_contenders(arguments.schedulers, arguments.gpu, settings.model);
    if (!contenders) return Error{"--schedulers: " + contenders.error().message};
    settings.contenders = std::move(contenders).value();
    const Result<Device> device = parse_device(arguments.device);
    if (!device) return Error{"--device: " + device.error().message};
    settings.device = *device;
    if (device->kind == DeviceKind::replay) {
        Result<Replay> replay = Replay::open(device->replay_file);
        if (!replay) return Error{"--device: " + replay.error().message};
        settings.replay = std::move(replay).value();
    }
    settings.record_path = arguments.record;
    settings.times_opencl = arguments.opencl_times;
    settings.jobs = arguments.jobs;
    settings.resume = !arguments.fresh;
    settings.limits.generate.timeout = milliseconds(arguments.timeout_s);
    settings.limits.run_timeout = milliseconds(arguments.run_timeout_s);
    return settings;
}

// What the pages say: rows, cross rows and notes of the folder, written whole each time.
class Pages {
public:
    Pages(const Arguments &arguments, std::string command, std::vector<LossNote> notes)
        : folder_(arguments.out), header_{.command = std::move(command)} {
        presentation_.notes = std::move(notes);
        presentation_.baselines = {"manual", "anderson2021"};
        // What an earlier call found out at other sizes belongs on the page, too.
        if (auto cross = read_cross_rows(path("cross_resolution.json"))) {
            cross_rows_ = std::move(cross).value();
        }
        if (auto rows = read_comparison(path("results.json"))) rows_ = std::move(rows).value();
    }

    Status show(const std::vector<ComparisonRow> &rows) {
        rows_ = rows;
        if (Status written = write_comparison(path("results.json"), rows_); !written) {
            return written;
        }
        if (Status written = write_roofline(path("roofline.json"), rows_); !written) return written;
        if (Status written = write_file(path("results.md"), markdown_text(rows_, presentation_));
            !written) {
            return written;
        }
        return write_page();
    }

    Status show(const std::vector<CrossRow> &rows) {
        cross_rows_ = rows;
        if (Status written = write_cross_rows(path("cross_resolution.json"), rows); !written) {
            return written;
        }
        if (Status written = write_file(path("cross_resolution.md"), markdown_text(rows));
            !written) {
            return written;
        }
        return write_page();
    }

    std::string text() const { return terminal_text(rows_, presentation_); }

private:
    std::string path(const char *name) const { return folder_ + "/" + name; }

    Status write_page() {
        if (!rows_.empty()) {
            header_.date = rows_.front().date;
            header_.device = rows_.front().device;
        }
        header_.machine = machine_text();
        return write_file(path("index.html"),
                          html_page(header_, rows_, presentation_, cross_rows_));
    }

    std::string folder_;
    PageHeader header_;
    Presentation presentation_;
    std::vector<ComparisonRow> rows_;
    std::vector<CrossRow> cross_rows_;
};

int compare(const ContestSettings &settings, const Toolbox &tools, Pages &pages) {
    ProgressLine line;
    std::optional<Error> unwritten;
    const auto rows = hold_contest(
        settings, tools, [&](const ContestProgress &p) { line.show(p.done, p.total, p.doing); },
        [&](const std::vector<ComparisonRow> &so_far) {
            if (const Status shown = pages.show(so_far); !shown) unwritten = shown.error();
        });
    line.clear();
    if (!rows) return fail(rows.error().message, kFailed);
    if (unwritten) return fail(unwritten->message, kFailed);
    std::cout << pages.text();
    return 0;
}

int compare_sizes(const Arguments &arguments, const ContestSettings &settings, const Toolbox &tools,
                  Pages &pages) {
    if (settings.device.kind != DeviceKind::opencl && settings.device.kind != DeviceKind::cuda) {
        return fail("--cross-resolution runs schedules: give --device opencl or cuda", kBadUsage);
    }
    ProgressLine line;
    const std::vector<CrossRow> rows = hold_cross_contest(
        settings, tools, split_list(arguments.cross_for, ','), split_list(arguments.cross_at, ','),
        [&](const ContestProgress &p) { line.show(p.done, p.total, p.doing); });
    line.clear();
    if (const Status shown = pages.show(rows); !shown) return fail(shown.error().message, kFailed);
    std::cout << terminal_text(rows);
    return 0;
}

int run(const Arguments &arguments, const std::string &command) {
    const ToolPaths paths = tool_paths(arguments.plugins);
    Result<ContestSettings> parsed = settings_of(arguments, paths);
    if (!parsed) return fail(parsed.error().message, kBadUsage);
    ContestSettings settings = std::move(parsed).value();
    settings.command = command;
    std::vector<LossNote> notes;
    if (!arguments.notes.empty()) {
        Result<std::vector<LossNote>> read = read_loss_notes(arguments.notes);
        if (!read) return fail(read.error().message, kBadUsage);
        notes = std::move(read).value();
    }
    const Result<Ptxas> ptxas = open_ptxas(arguments.ptxas);
    if (!ptxas) {
        std::cerr << "compare_autoschedulers: no registers and spills: " << ptxas.error().message
                  << "\n";
    }
    const Toolbox tools{.runner = paths.runner,
                        .probe = paths.probe,
                        .plugin_folders = paths.plugin_folders,
                        .ptxas = ptxas ? &*ptxas : nullptr};
    std::error_code error;
    fs::create_directories(arguments.out, error);
    if (error) return fail("--out: " + arguments.out + ": " + error.message(), kBadUsage);
    Pages pages(arguments, command, std::move(notes));
    if (arguments.cross) return compare_sizes(arguments, settings, tools, pages);
    return compare(settings, tools, pages);
}

void add_options(CLI::App &app, Arguments &a) {
    add_application_options(app, a);
    app.add_option("--schedulers", a.schedulers,
                   "of gpu (this plugin), root (its plain schedule), manual, anderson2021, "
                   "mullapudi2016, li2018; parameters as in gpu:beam_size=1:seed=3")
        ->capture_default_str();
    app.add_option("--device", a.device, "none, opencl, cuda, or replay:FILE (see --record)")
        ->capture_default_str();
    app.add_option("--size", a.size, "full or reduced (any size of app.json that has an _odd one)")
        ->capture_default_str();
    app.add_option("--repeats", a.repeats,
                   "searches (of those under 30 s) and rounds of timed runs, per scheduler")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.add_option("--timeout", a.timeout_s, "seconds for one generator")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--run-timeout", a.run_timeout_s, "seconds for one run of a pipeline")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--jobs", a.jobs, "applications at the same time; disturbs search times")
        ->capture_default_str()
        ->check(CLI::Range(1, 1024));
    app.add_flag("--opencl-times", a.opencl_times,
                 "time runs on OpenCL too (PoCL's times say nothing of a GPU)");
    app.add_option("--record", a.record, "append run times to this file, for --device replay:FILE");
    app.add_option("--notes", a.notes,
                   "JSON: why this plugin loses where it does (apps/losses.json)");
    app.add_flag("--cross-resolution", a.cross,
                 "run schedules made for one size at others instead");
    app.add_option("--scheduled-for", a.cross_for, "sizes, for --cross-resolution")
        ->capture_default_str();
    app.add_option("--run-at", a.cross_at, "sizes, for --cross-resolution")->capture_default_str();
    app.add_option("--plugins", a.plugins, "a folder in which to look for schedulers first");
    app.add_option("--ptxas", a.ptxas, "the program; else as ptxas_report finds it");
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app(
        "Applications under schedulers: search time, memory, kernels, registers, spills, traffic,\n"
        "correctness and run time. Writes results.json, what follows from it in roofline.json,\n"
        "results.md and index.html to --out (with --cross-resolution: cross_resolution.json and\n"
        ".md). A scheduler that fails is a row.\n"
        "Exit status: 0 every row is there, 1 something could not be written, 2 bad usage.");
    Arguments arguments;
    add_options(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : kBadUsage;
    }
    std::string command = "compare_autoschedulers";
    for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
    return run(arguments, command);
}
