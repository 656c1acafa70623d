// A pipeline that Halide compiled ahead of time, in a shared library with its runtime. It is loaded
// and called without knowing its arguments at compile time.
//
// Halide's runtime reports errors to a function without context, so the last error's text is kept
// for the whole process: use one FilterLibrary at a time. The library is never unloaded, because
// the runtime leaves threads and driver state behind.
#pragma once

#include <HalideRuntime.h>

#include <string>
#include <vector>

#include "core/support/error.h"
#include "lab/run/assumed_scalar.h"
#include "lab/run/device.h"
#include "lab/run/filter_argument.h"

namespace autoschedule_gpu {

class FilterLibrary {
public:
    // Opens the library whose pipeline is the function `name`. Returns an error if the file or a
    // symbol is missing, if the metadata is of another version, or if an argument has a type that
    // is not supported.
    static Result<FilterLibrary> open(const std::string &path, const std::string &name);

    const std::string &target() const { return target_; }

    // Returns the arguments in the order of the call, with the estimated sizes and values. A size
    // without an estimate has extent 0, a scalar without one its default, or else a value that is
    // assumed. Strides are packed.
    const std::vector<FilterArgument> &arguments() const { return arguments_; }

    // Returns those whose value is assumed.
    const std::vector<AssumedScalar> &assumed_scalars() const { return assumed_scalars_; }

    // Calls the pipeline with one pointer per argument: to a scalar's value or to a
    // halide_buffer_t. Returns Halide's error code, 0 for success.
    int call(std::vector<void *> &pointers) const { return call_(pointers.data()); }

    // Returns the text of the errors since the last call of this function.
    std::string take_error_text() const;

    // Returns null for the CPU, and if the library was not compiled for that device.
    const halide_device_interface_t *device_interface(RunDevice device) const;

    // Returns null if there is no such symbol.
    void *symbol(const std::string &name) const;

private:
    explicit FilterLibrary(void *handle) : handle_(handle) {}

    Status read_metadata(const std::string &name);
    uint64_t scalar_bits(const halide_filter_argument_t &argument, ElementType type);

    void *handle_ = nullptr;
    int (*call_)(void **) = nullptr;
    std::string target_;
    std::vector<FilterArgument> arguments_;
    std::vector<AssumedScalar> assumed_scalars_;
};

}  // namespace autoschedule_gpu
