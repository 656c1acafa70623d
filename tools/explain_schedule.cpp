// explain_schedule: the autoscheduler's JSON report as tables.
#include <CLI/CLI.hpp>
#include <iostream>

#include "explain/explain.h"
#include "support/file.h"

int main(int argc, char **argv) {
    using namespace autoschedule_gpu;
    CLI::App app(
        "What a search did and what it chose: counters, times, rejections, kernels, loop nest.\n"
        "FILE is what a generator wrote for autoscheduler.report=FILE.\n"
        "Exit status: 0 shown, 1 FILE is no such report, 2 bad usage.");
    std::string path;
    app.add_option("file", path, "a report")->required()->check(CLI::ExistingFile);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError &error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    const Result<std::string> json = read_file(path);
    const Result<std::string> text = json ? explain_report(*json) : json;
    if (text) {
        std::cout << *text;
        return 0;
    }
    std::cerr << "explain_schedule: " << (json ? path + ": " : "") << text.error().message << "\n";
    return 1;
}
