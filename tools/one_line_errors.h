// Bad usage of a tool as one line on stderr.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace autoschedule_gpu {

inline void show_errors_in_one_line(CLI::App &app, const std::string &tool) {
    app.failure_message([tool](const CLI::App *, const CLI::Error &error) {
        return tool + ": " + error.what() + "; --help names the options\n";
    });
}

}  // namespace autoschedule_gpu
