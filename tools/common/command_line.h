// How every tool reads its command line and how it ends. What a tool says of itself is said once:
// in its ToolText and in its options; --help, --man and --completion are made of these.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace autoschedule_gpu {

// Exit statuses. 128 + SIGINT is what a shell makes of Ctrl-C.
inline constexpr int kFailed = 1, kBadUsage = 2, kInterrupted = 130;

struct ToolText {
    std::string name;      // as one types it: "autotune"
    std::string what;      // what it does; sentences
    std::string examples;  // commands, a line each
    std::string statuses;  // "0 done, 1 failed, 2 bad usage"
};

class CommandLine {
public:
    explicit CommandLine(ToolText text);
    CommandLine(const CommandLine &) = delete;
    CommandLine &operator=(const CommandLine &) = delete;

    // To add options to.
    CLI::App &app() { return app_; }

    // Parses into the variables that options are bound to. Returns the exit status if the tool is
    // to end: after --help and the like, whose text is on stdout, and after bad usage, which is
    // reported on stderr in one line that names the tool.
    std::optional<int> parse(int argc, char **argv);

private:
    ToolText text_;
    CLI::App app_;
};

// How a tool fails: with a line on stderr that names it. Returns the exit status.
class FailureOf {
public:
    explicit constexpr FailureOf(std::string_view tool) : tool_(tool) {}
    int operator()(std::string_view message, int code) const;

private:
    std::string_view tool_;
};

}  // namespace autoschedule_gpu
