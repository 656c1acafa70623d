// The memory of a pipeline's arguments, on the host and on a device, and the calls that use it.
//
// Statuses: functions return Halide's error code, 0 if all is well; the library has the text.
#pragma once

#include <HalideBuffer.h>

#include <cstddef>
#include <vector>

#include "lab/run/filter_library.h"

namespace autoschedule_gpu {

class FilterCall {
public:
    // Takes the sizes from `arguments`, which name the library's in its order, and allocates
    // buffers on the host: what is written there before the first run is what the pipeline reads.
    // The library outlives the call.
    FilterCall(const FilterLibrary &library, std::vector<FilterArgument> arguments);

    const std::vector<FilterArgument> &arguments() const { return arguments_; }
    std::byte *memory(size_t argument);
    const std::byte *memory(size_t argument) const;

    // Puts what is in the host's memory of every output into the device's.
    int copy_outputs_to_device(const halide_device_interface_t *device);
    int copy_outputs_to_host();

    int run();   // returns when the host's part is done
    int sync();  // returns when the device's is

private:
    const FilterLibrary &library_;
    std::vector<FilterArgument> arguments_;
    std::vector<Halide::Runtime::Buffer<void>> buffers_;  // one per argument, empty for scalars
    std::vector<void *> pointers_;
};

// What the pipeline itself says of its sizes when it is asked without memory: every buffer is
// enlarged to hold the region that the pipeline needs of it, and is laid out as it demands. The
// error is the pipeline's.
Result<std::vector<FilterArgument>> ask_for_sizes(const FilterLibrary &library,
                                                  std::vector<FilterArgument> arguments);

}  // namespace autoschedule_gpu
