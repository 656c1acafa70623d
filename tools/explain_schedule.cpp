// explain_schedule: the autoscheduler's JSON report as tables.
#include <iostream>

#include "common/command_line.h"
#include "compare/explain/explain.h"
#include "core/support/file.h"

int main(int argc, char **argv) {
    using namespace autoschedule_gpu;
    CommandLine line({
        .name = "explain_schedule",
        .what = "What a search did and what it chose: counters, times, rejections, kernels, "
                "loop nest. FILE is what a generator wrote for autoscheduler.report=FILE.",
        .examples = "my.generator -g blur -o out -e schedule -p libautoschedule_gpu.so "
                    "target=host-cuda autoscheduler=GPU autoscheduler.report=out/report.json"
                    "\n"
                    "explain_schedule out/report.json",
        .statuses = "0 shown, 1 FILE is no such report, 2 bad usage",
    });
    std::string path;
    line.app()
        .add_option("report", path, "of autoscheduler.report")
        ->required()
        ->check(CLI::ExistingFile);
    if (const auto done = line.parse(argc, argv)) return *done;
    const Result<std::string> json = read_file(path);
    const Result<std::string> text = json ? explain_report(*json) : json;
    if (text) {
        std::cout << *text;
        return 0;
    }
    std::cerr << "explain_schedule: " << (json ? path + ": " : "") << text.error().message << "\n";
    return 1;
}
