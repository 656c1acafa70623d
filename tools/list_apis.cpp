// Prints what Halide can do through each GPU API as a Markdown table: the one in the README.
#include <cstdio>
#include <cstring>

#include "core/gpu/api_capabilities.h"

int main(int argc, char **argv) {
    if (argc > 1) {
        const bool help = std::strcmp(argv[1], "--help") == 0;
        std::fprintf(
            help ? stdout : stderr,
            "usage: list_apis\nPrints the table of GPU APIs, their limits and abilities.\n");
        return help ? 0 : 2;
    }
    std::fputs(autoschedule_gpu::capabilities_markdown().c_str(), stdout);
    return 0;
}
