// Prints the autoscheduler's parameters as a Markdown table: the one in the README.
#include <cstdio>
#include <cstring>

#include "plugins/parameters/parameters.h"

int main(int argc, char **argv) {
    if (argc > 1) {
        const bool help = std::strcmp(argv[1], "--help") == 0;
        std::fprintf(help ? stdout : stderr,
                     "usage: list_parameters\nPrints the table of autoscheduler parameters.\n");
        return help ? 0 : 2;
    }
    std::fputs(autoschedule_gpu::parameters_markdown().c_str(), stdout);
    return 0;
}
