// Prints the autoscheduler's parameters as a Markdown table: the one in src/plugins/README.md.
#include <iostream>

#include "common/command_line.h"
#include "plugins/parameters/parameters.h"

int main(int argc, char **argv) {
    autoschedule_gpu::CommandLine line({
        .name = "list_parameters",
        .what = "Prints the table of the autoscheduler's parameters, in Markdown.",
        .examples = "list_parameters",
        .statuses = "0 printed, 2 bad usage",
    });
    if (const auto done = line.parse(argc, argv)) return *done;
    std::cout << autoschedule_gpu::parameters_markdown();
    return 0;
}
