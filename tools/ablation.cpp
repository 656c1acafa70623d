// ablation: the plugin's search with parts of it on and off, on the applications. Parses arguments,
// calls src/compare/ablation, shows its tables.
#include "compare/ablation/ablation.h"

#include <filesystem>
#include <iostream>
#include <set>

#include "common/application_options.h"
#include "common/command_line.h"
#include "common/progress_line.h"
#include "common/tool_paths.h"
#include "compare/ablation/ablation_file.h"
#include "compare/ablation/decision_tables.h"
#include "compare/ablation/tables.h"
#include "core/support/file.h"
#include "lab/run/device_lock.h"
#include "present/markdown.h"
#include "present/terminal.h"

namespace {

using namespace autoschedule_gpu;
namespace fs = std::filesystem;

struct Arguments : ApplicationOptions {
    std::string configurations = "paper,default";
    bool decisions = false;
    std::vector<std::string> params;
};

constexpr FailureOf fail("ablation");

Result<AblationSettings> settings_of(const Arguments &arguments, const ToolPaths &paths) {
    AblationSettings settings;
    if (Status filled = fill(arguments, paths, settings); !filled) return filled.error();
    if (arguments.decisions) {
        settings.configurations = decision_configurations();
    } else {
        auto configurations = parse_configurations(arguments.configurations);
        if (!configurations) return Error{"--configurations: " + configurations.error().message};
        settings.configurations = std::move(configurations).value();
    }
    settings.params = arguments.params;
    settings.timeout = milliseconds(arguments.timeout_s);
    return settings;
}

// Returns the rows of earlier calls: those that this call may keep, and those about other things,
// which stay in the file.
Result<std::vector<AblationRow>> earlier_rows(const std::string &path, bool fresh) {
    if (!is_there(path)) return std::vector<AblationRow>{};
    Result<std::vector<AblationRow>> rows = AblationFile::read(path);
    if (rows) return rows;
    if (fresh) return std::vector<AblationRow>{};
    return Error{rows.error().message + "; --fresh writes it anew"};
}

std::set<std::string> configurations_without_a_search(const std::vector<AblationRow> &rows) {
    std::set<std::string> result;
    for (const AblationRow &row : rows) result.insert(row.configuration);
    for (const AblationRow &row : rows) {
        if (row.ok()) result.erase(row.configuration);
    }
    return result;
}

int run(const Arguments &arguments) {
    const ToolPaths paths = tool_paths(arguments.plugins);
    const Result<AblationSettings> settings = settings_of(arguments, paths);
    if (!settings) return fail(settings.error().message, kBadUsage);
    const Toolbox tools{.probe = paths.probe, .plugin_folders = paths.plugin_folders};
    if (const Status sound = check(*settings, tools); !sound) {
        return fail(sound.error().message, kBadUsage);
    }
    const Result<DeviceLock> lock = DeviceLock::of_folder(
        "ablation", settings->folder, "another process runs an ablation in " + settings->folder);
    if (!lock) return fail(lock.error().message, kFailed);
    std::error_code error;
    fs::create_directories(settings->folder, error);
    if (error) return fail("--out: " + arguments.out + ": " + error.message(), kBadUsage);
    const std::string path = settings->folder + "/ablation.json";
    const Result<std::vector<AblationRow>> earlier = earlier_rows(path, arguments.fresh);
    if (!earlier) return fail(earlier.error().message, kBadUsage);

    ProgressLine line;
    std::optional<Error> unwritten;
    const std::vector<AblationRow> rows = run_ablation(
        *settings, tools, arguments.fresh ? std::vector<AblationRow>{} : *earlier,
        [&](const ComparisonProgress &p) { line.show(p.done, p.total, p.doing); },
        [&](const std::vector<AblationRow> &so_far) {
            const Status written = AblationFile::write(path, merged(so_far, *earlier));
            if (!written) unwritten = written.error();
        });
    line.clear();
    const std::vector<Table> tables = arguments.decisions ? decision_tables(rows, machine_text())
                                                          : ablation_tables(rows, machine_text());
    std::cout << terminal_text(tables);
    const Status written = write_file(settings->folder + "/ablation.md", markdown_text(tables));
    if (!written) unwritten = written.error();
    if (unwritten) return fail(unwritten->message, kFailed);
    const std::set<std::string> failed = configurations_without_a_search(rows);
    for (const std::string &configuration : failed) {
        fail("every search of " + configuration + " failed; the table of failures says why",
             kFailed);
    }
    return failed.empty() ? 0 : kFailed;
}

void add_options(CLI::App &app, Arguments &a) {
    add_application_options(app, a);
    auto *configurations = app.add_option(
        "--configurations", a.configurations,
        "of paper (memo, sampling and freeze, on and off: memo+sampling+freeze, ..., "
        "none), default (as users get it), exhaustive (a large beam, no sampling: the "
        "yardstick of predicted costs), all");
    configurations->capture_default_str();
    app.add_flag("--decisions", a.decisions,
                 "instead, what each kind of decision gains and costs: the default search, and one "
                 "without each kind that autoscheduler.disable_decisions knows")
        ->excludes(configurations);
    add_search_options(app, a,
                       {.size = "a size of app.json",
                        .repeats = "searches per configuration; the median time counts",
                        .timeout = "seconds for one generator, and its search's limit"});
    app.add_option("--params", a.params, "parameters of the plugin for every search, NAME=VALUE");
    app.add_option("--plugins", a.plugins, "a folder in which to look for the plugin first");
}

}  // namespace

int main(int argc, char **argv) {
    CommandLine line({
        .name = "ablation",
        .what = "The search with its parts on and off: states, search time, speedup, "
                "predicted cost and memory, as in section 6.3 of Anderson et al. (2021); or, "
                "with --decisions, without one kind of decision at a time. Writes "
                "ablation.json and ablation.md to --out. A search that fails or does not end "
                "is a row.",
        .examples = "ablation --apps unsharp,harris --out out/ablation"
                    "\n"
                    "ablation --apps all --decisions --out out/decisions",
        .statuses =
            "0 every configuration has a search at least, 1 one has none, something could not be "
            "written, or another process works in --out, 2 bad usage",
    });
    Arguments arguments;
    add_options(line.app(), arguments);
    if (const auto done = line.parse(argc, argv)) return *done;
    return run(arguments);
}
