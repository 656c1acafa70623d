#include "halide/version/version.h"

#include <dlfcn.h>

#include <cstdlib>
#include <cstring>

namespace autoschedule_gpu::halide_version {

std::string built_for() {
    return std::to_string(HALIDE_VERSION_MAJOR) + "." + std::to_string(HALIDE_VERSION_MINOR) + "." +
           std::to_string(HALIDE_VERSION_PATCH);
}

std::string in_process() {
    // Halide has the text of its runtime's header in it, for the C++ code that it generates.
    const auto *header = static_cast<const char *>(
        dlsym(RTLD_DEFAULT, "halide_internal_runtime_header_HalideRuntime_h"));
    if (header == nullptr) return "";
    std::string version;
    for (const char *part : {"MAJOR ", "MINOR ", "PATCH "}) {
        const char *at = std::strstr(header, (std::string("#define HALIDE_VERSION_") + part).c_str());
        if (at == nullptr) return "";
        at = std::strchr(at, ' ') + 1;  // HALIDE_VERSION_..., and after it the number
        version += (version.empty() ? "" : ".") + std::to_string(std::atoi(std::strchr(at, ' ')));
    }
    return version;
}

std::string mismatch() {
    const std::string found = in_process();
    if (found == built_for()) return "";
    return "this plugin was built for Halide " + built_for() + ", and here is " +
           (found.empty() ? "another version" : "Halide " + found) +
           ". Please build it for that (tools/bootstrap --halide VERSION), or use the Halide that it "
           "was built for.";
}

#if HALIDE_VERSION_MAJOR < 20

bool traces_loads(const Halide::Parameter &) {
    return false;  // it is the Func around the image that is traced
}

bool is_strict_float(const HI::Call &call) {
    return call.is_intrinsic(HI::Call::strict_float);
}

Halide::Expr without_strict_float(const HI::Call &call) {
    return call.args[0];
}

void report_error(const std::string &message) {
    HI::ErrorReport(__FILE__, __LINE__, nullptr, HI::ErrorReport::User) << message;
    std::abort();  // not reached
}

void report_warning(const std::string &message) {
    HI::ErrorReport(__FILE__, __LINE__, nullptr,
                    HI::ErrorReport::User | HI::ErrorReport::Warning)
        << message;
}

#else

bool traces_loads(const Halide::Parameter &image) {
    return image.is_tracing_loads();
}

bool is_strict_float(const HI::Call &call) {
    return call.is_strict_float_intrinsic();
}

Halide::Expr without_strict_float(const HI::Call &call) {
    return HI::unstrictify_float(&call);
}

void report_error(const std::string &message) {
    _halide_user_error << message;
    std::abort();  // not reached
}

void report_warning(const std::string &message) {
    _halide_user_warning << message;
}

#endif

}  // namespace autoschedule_gpu::halide_version
