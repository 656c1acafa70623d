// Holds the memory of a pipeline's arguments, on the host and on a device, and makes the calls that
// use it.
//
// The functions return Halide's error code, 0 for success; the library has the error's text.
#pragma once

#include <HalideBuffer.h>

#include <cstddef>
#include <vector>

#include "lab/run/filter_library.h"

namespace autoschedule_gpu {

class FilterCall {
public:
    // Allocates buffers on the host with the sizes in `arguments`, which must be the library's, in
    // its order. What is written there before the first run is what the pipeline reads. The library
    // must outlive the call.
    FilterCall(const FilterLibrary &library, std::vector<FilterArgument> arguments);

    const std::vector<FilterArgument> &arguments() const { return arguments_; }
    std::byte *memory(size_t argument);
    const std::byte *memory(size_t argument) const;

    // Copies the host's memory of every output to the device.
    int copy_outputs_to_device(const halide_device_interface_t *device);
    int copy_outputs_to_host();

    int run();   // returns when the host's part is done
    int sync();  // returns when the device's part is done

private:
    const FilterLibrary &library_;
    std::vector<FilterArgument> arguments_;
    std::vector<Halide::Runtime::Buffer<void>> buffers_;  // one per argument; empty for scalars
    std::vector<void *> pointers_;
};

// Runs the pipeline without memory, so that it reports the sizes it needs. Returns the arguments
// with every buffer enlarged to the region that the pipeline needs of it, and laid out as it
// demands. The error is the pipeline's.
Result<std::vector<FilterArgument>> ask_for_sizes(const FilterLibrary &library,
                                                  std::vector<FilterArgument> arguments);

}  // namespace autoschedule_gpu
