// A tool's manual page and its completion, made of what it says of itself and of its options.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "common/command_line.h"

namespace autoschedule_gpu {

// In roff, section 1. Options of verbs (`records list`) come after the tool's own.
std::string manual_page(const ToolText &text, const CLI::App &app);

// A script of bash: words that begin with `-` are completed to options, the first other one to a
// verb where the tool has verbs, all else to files.
std::string bash_completion(const ToolText &text, const CLI::App &app);

// Each line two columns to the right.
std::string indented(const std::string &lines);

}  // namespace autoschedule_gpu
