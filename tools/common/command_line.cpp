#include "common/command_line.h"

#include <iostream>
#include <sstream>
#include <utility>

#include "common/tool_pages.h"

namespace autoschedule_gpu {
namespace {

constexpr size_t kColumns = 92;

// Breaks lines between words.
std::string wrapped(const std::string &text) {
    std::string result, line;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
            result += std::exchange(line, "") + "\n";
        }
        line += (line.empty() ? "" : " ") + word;
    }
    return result + line;
}

}  // namespace

int FailureOf::operator()(std::string_view message, int code) const {
    std::cerr << tool_ << ": " << message << "\n";
    return code;
}

CommandLine::CommandLine(ToolText text) : text_(std::move(text)), app_(wrapped(text_.what)) {
    app_.name(text_.name);
    app_.footer("For instance\n" + indented(text_.examples) +
                "\nExit status: " + wrapped(text_.statuses) + ".");
    app_.set_version_flag(
        "--version",
        text_.name + " " AUTOSCHEDULE_GPU_VERSION " for Halide " AUTOSCHEDULE_GPU_HALIDE_VERSION,
        "the version of this tool, and of Halide that it is for");
    app_.failure_message([name = text_.name](const CLI::App *, const CLI::Error &error) {
        return name + ": " + error.what() + "; " + name + " --help says what there is\n";
    });
    // A part of a tool has no pages of its own.
    if (text_.name.find(' ') != std::string::npos) return;
    for (const auto &[flag, page, help] :
         {std::tuple{"--man", &manual_page, "a manual page: --man | man -l -"},
          std::tuple{"--completion", &bash_completion,
                     "completion for bash: source <(... --completion)"}}) {
        app_.add_flag_callback(
                flag,
                [this, page = page] {
                    std::cout << page(text_, app_);
                    throw CLI::Success();
                },
                help)
            ->trigger_on_parse();
    }
}

std::optional<int> CommandLine::parse(int argc, char **argv) {
    try {
        app_.parse(argc, argv);
        return std::nullopt;
    } catch (const CLI::ParseError &error) {
        return app_.exit(error) == 0 ? 0 : kBadUsage;
    }
}

}  // namespace autoschedule_gpu
