// Writes the weights of a network that was never trained, for tests of what reads them.
// usage: make_untrained_weights GPU FILE
#include <cstdio>

#include "scheduler/model/weights_file.h"

int main(int argc, char **argv) {
    using namespace autoschedule_gpu;
    if (argc != 3) return 2;
    WeightsOrigin origin;
    origin.gpu = argv[1];
    origin.date = "2026-01-31";
    const Status written = write_weights(argv[2], {origin, std::nullopt, Network::initial(1)});
    if (!written) std::fprintf(stderr, "%s\n", written.error().message.c_str());
    return written ? 0 : 1;
}
