#include "halide/version/version.h"

#include <cstdlib>

namespace autoschedule_gpu::halide_version {

std::string built_for() {
    return std::to_string(HALIDE_VERSION_MAJOR) + "." + std::to_string(HALIDE_VERSION_MINOR) + "." +
           std::to_string(HALIDE_VERSION_PATCH);
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
