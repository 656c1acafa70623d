// explain_schedule: the autoscheduler's JSON report as tables.
#include <iostream>

#include "common/command_line.h"
#include "compare/explain/explain.h"
#include "core/support/file.h"

int main(int argc, char **argv) {
    using namespace autoschedule_gpu;
    CLI::App app(
        "What a search did and what it chose: counters, times, rejections, kernels, loop nest.\n"
        "FILE is what a generator wrote for autoscheduler.report=FILE.\n"
        "Exit status: 0 shown, 1 FILE is no such report, 2 bad usage.");
    std::string path;
    app.add_option("file", path, "a report")->required()->check(CLI::ExistingFile);
    if (const auto done = parse_command_line(app, argc, argv)) return *done;
    const Result<std::string> json = read_file(path);
    const Result<std::string> text = json ? explain_report(*json) : json;
    if (text) {
        std::cout << *text;
        return 0;
    }
    std::cerr << "explain_schedule: " << (json ? path + ": " : "") << text.error().message << "\n";
    return 1;
}
