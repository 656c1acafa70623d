// Prints what Halide can do through each GPU API as a Markdown table: that of
// src/core/gpu/README.md.
#include <iostream>

#include "common/command_line.h"
#include "core/gpu/api_capabilities.h"

int main(int argc, char **argv) {
    autoschedule_gpu::CommandLine line({
        .name = "list_apis",
        .what = "Prints the table of GPU APIs, their limits and abilities, in Markdown.",
        .examples = "list_apis",
        .statuses = "0 printed, 2 bad usage",
    });
    if (const auto done = line.parse(argc, argv)) return *done;
    std::cout << autoschedule_gpu::capabilities_markdown();
    return 0;
}
