// ablation: the plugin's search with parts of it on and off, on the applications. Parses arguments,
// calls src/ablation, shows its tables.
#include "ablation/ablation.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>

#include "ablation/rows_file.h"
#include "ablation/tables.h"
#include "application_options.h"
#include "compare/markdown.h"
#include "compare/terminal.h"
#include "progress_line.h"
#include "support/file.h"
#include "tool_paths.h"

namespace {

using namespace autoschedule_gpu;
namespace fs = std::filesystem;

constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

struct Arguments : ApplicationOptions {
    std::string configurations = "paper,default";
    std::vector<std::string> params;
};

int fail(const std::string &message, int code) {
    std::cerr << "ablation: " << message << "\n";
    return code;
}

Result<AblationSettings> settings_of(const Arguments &arguments, const ToolPaths &paths) {
    AblationSettings settings;
    if (Status settled = settle(arguments, paths, settings); !settled) return settled.error();
    auto configurations = parse_configurations(arguments.configurations);
    if (!configurations) return Error{"--configurations: " + configurations.error().message};
    settings.configurations = std::move(configurations).value();
    settings.params = arguments.params;
    settings.timeout = milliseconds(arguments.timeout_s);
    return settings;
}

// What earlier calls left: rows that may be kept, and rows of others that stay in the file.
Result<std::vector<AblationRow>> earlier_rows(const std::string &path, bool fresh) {
    if (!fs::exists(path)) return std::vector<AblationRow>{};
    Result<std::vector<AblationRow>> rows = read_ablation(path);
    if (rows) return rows;
    if (fresh) return std::vector<AblationRow>{};
    return Error{rows.error().message + "; --fresh writes it anew"};
}

int run(const Arguments &arguments) {
    const ToolPaths paths = tool_paths(arguments.plugins);
    const Result<AblationSettings> settings = settings_of(arguments, paths);
    if (!settings) return fail(settings.error().message, kBadUsage);
    const Toolbox tools{.probe = paths.probe, .plugin_folders = paths.plugin_folders};
    if (const Status sound = check(*settings, tools); !sound) {
        return fail(sound.error().message, kBadUsage);
    }
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
        [&](const ContestProgress &p) { line.show(p.done, p.total, p.doing); },
        [&](const std::vector<AblationRow> &so_far) {
            const Status written = write_ablation(path, merged(so_far, *earlier));
            if (!written) unwritten = written.error();
        });
    line.clear();
    std::string markdown;
    for (const Table &table : ablation_tables(rows, machine_text())) {
        std::cout << terminal_text(table);
        const std::string text = markdown_text(table);
        markdown += (markdown.empty() || text.empty() ? "" : "\n") + text;
    }
    const Status written = write_file(settings->folder + "/ablation.md", markdown);
    if (!written) unwritten = written.error();
    return unwritten ? fail(unwritten->message, kFailed) : 0;
}

void add_options(CLI::App &app, Arguments &a) {
    add_application_options(app, a);
    app.add_option("--configurations", a.configurations,
                   "of paper (memo, sampling and freeze, on and off: memo+sampling+freeze, ..., "
                   "none), default (as users get it), exhaustive (a large beam, no sampling: the "
                   "yardstick of predicted costs), all")
        ->capture_default_str();
    app.add_option("--size", a.size, "a size of app.json")->capture_default_str();
    app.add_option("--repeats", a.repeats, "searches per configuration; the median time counts")
        ->capture_default_str()
        ->check(CLI::Range(1, 1000));
    app.add_option("--timeout", a.timeout_s, "seconds for one generator, and its search's limit")
        ->capture_default_str()
        ->check(CLI::PositiveNumber);
    app.add_option("--params", a.params, "parameters of the plugin for every search, NAME=VALUE");
    app.add_option("--plugins", a.plugins, "a folder in which to look for the plugin first");
}

}  // namespace

int main(int argc, char **argv) {
    CLI::App app(
        "The search with its parts on and off: states, search time, speedup, predicted cost and\n"
        "memory, as in section 6.3 of Anderson et al. (2021). Writes ablation.json and "
        "ablation.md\n"
        "to --out. A search that fails or does not end is a row.\n"
        "Exit status: 0 every row is there, 1 something could not be written, 2 bad usage.");
    Arguments arguments;
    add_options(app, arguments);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : kBadUsage;
    }
    return run(arguments);
}
