// Writes the weights of a network that was never trained, for tests of what reads them.
// usage: make_untrained_weights GPU FILE
#include <cstdio>

#include "model/weights_file.h"

int main(int argc, char **argv) {
    using namespace autoschedule_gpu;
    if (argc != 3) return 2;
    const Weights weights{{"no device", argv[1], "nothing", "2026-01-31", "", 1},
                          std::nullopt,
                          Network::initial(1)};
    const Status written = write_weights(argv[2], weights);
    if (!written) std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return written ? 0 : 1;
}
