// A pipeline that Halide compiled ahead of time, with its runtime, in a shared library: loaded and
// called without knowing what it is.
//
// Halide's runtime reports errors to a function without context, so that the text of the last one
// is kept for the process: one FilterLibrary at a time. It is never unloaded, for the runtime
// leaves threads and driver state behind.
#pragma once

#include <HalideRuntime.h>

#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/run/device.h"
#include "lab/run/filter_argument.h"

namespace autoschedule_gpu {

class FilterLibrary {
public:
    // `name` is the function's. Errors: no such file, a symbol that is missing, metadata of another
    // version, a type that no argument here can have.
    static Result<FilterLibrary> open(const std::string &path, const std::string &name);

    const std::string &target() const { return target_; }

    // In the order of the call; with the estimated sizes and values, so far as there are any:
    // what has no estimate has extent 0, and a scalar its default or 0. Strides are packed.
    const std::vector<FilterArgument> &arguments() const { return arguments_; }

    // One pointer per argument: to a scalar's value, or to a halide_buffer_t. Returns what the
    // pipeline returns, 0 if all is well.
    int call(std::vector<void *> &pointers) const { return call_(pointers.data()); }

    // The text of the errors since the last time this was asked.
    std::string take_error_text() const;

    // Null where the library was not compiled for that device, and for the CPU.
    const halide_device_interface_t *device_interface(RunDevice device) const;

    // Null if there is no such symbol.
    void *symbol(const std::string &name) const;

private:
    explicit FilterLibrary(void *handle) : handle_(handle) {}

    Status read_metadata(const std::string &name);

    void *handle_ = nullptr;
    int (*call_)(void **) = nullptr;
    std::string target_;
    std::vector<FilterArgument> arguments_;
};

}  // namespace autoschedule_gpu
