// How every tool reads its command line and how it ends.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace autoschedule_gpu {

// Exit statuses. 128 + SIGINT is what a shell makes of Ctrl-C.
inline constexpr int kFailed = 1, kBadUsage = 2, kInterrupted = 130;

// Reports bad usage in one line on stderr.
inline void show_errors_in_one_line(CLI::App &app, const std::string &tool) {
    app.failure_message([tool](const CLI::App *, const CLI::Error &error) {
        return tool + ": " + error.what() + "; --help names the options\n";
    });
}

// Parses the command line into the variables that options are bound to. Returns the exit status if
// the tool is to end: after --help, and after bad usage, which is reported on stderr.
inline std::optional<int> parse_command_line(CLI::App &app, int argc, char **argv) {
    try {
        app.parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : kBadUsage;
    }
}

// Returns the tool's command line, which goes into its results.
inline std::string command_text(const std::string &tool, int argc, char **argv) {
    std::string command = tool;
    for (int i = 1; i < argc; ++i) command += std::string(" ") + argv[i];
    return command;
}

}  // namespace autoschedule_gpu
