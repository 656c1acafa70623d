#include "lab/run/filter_library.h"

#include <dlfcn.h>

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>

#include "lab/run/exact_text.h"

namespace autoschedule_gpu {

namespace {

// The runtime may call the handler from any of its threads, without a context, so the text is
// global.
std::mutex error_mutex;
std::string error_text;

void keep_error(void *, const char *message) {
    const std::lock_guard<std::mutex> lock(error_mutex);
    constexpr size_t kMost = 16384;
    if (error_text.size() < kMost) error_text += message;
}

std::optional<ElementType> element_type(halide_type_t type) {
    if (type.lanes != 1) return std::nullopt;
    switch (type.code) {
        case halide_type_int:
            return ElementType{ElementKind::signed_integer, type.bits};
        case halide_type_uint:
            return ElementType{ElementKind::unsigned_integer, type.bits};
        case halide_type_float:
            return ElementType{ElementKind::ieee_float, type.bits};
        case halide_type_bfloat:
            return ElementType{ElementKind::bfloat, type.bits};
        case halide_type_handle:
            return ElementType{ElementKind::handle, type.bits};
        default:
            return std::nullopt;
    }
}

ArgumentKind argument_kind(int32_t kind) {
    return kind == halide_argument_kind_input_buffer    ? ArgumentKind::input
           : kind == halide_argument_kind_output_buffer ? ArgumentKind::output
                                                        : ArgumentKind::scalar;
}

std::optional<double> limit_of(const halide_scalar_value_t *value, ElementType type) {
    if (value == nullptr) return std::nullopt;
    return load_number(type, reinterpret_cast<const std::byte *>(value));
}

std::vector<Dimension> estimated_dimensions(const halide_filter_argument_t &argument) {
    std::vector<Dimension> dimensions(static_cast<size_t>(argument.dimensions));
    for (size_t d = 0; d < dimensions.size() && argument.buffer_estimates != nullptr; d++) {
        const int64_t *min = argument.buffer_estimates[2 * d];
        const int64_t *extent = argument.buffer_estimates[2 * d + 1];
        if (min != nullptr) dimensions[d].min = *min;
        if (extent != nullptr) dimensions[d].extent = *extent;
    }
    pack(dimensions);
    return dimensions;
}

}  // namespace

Result<FilterLibrary> FilterLibrary::open(const std::string &path, const std::string &name) {
    std::error_code code;
    // dlopen would look for a name without a slash in the system's folders.
    const std::string absolute = std::filesystem::absolute(path, code).string();
    if (code || absolute.empty()) return Error{"there is no library '" + path + "'"};
    void *handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) return Error{std::string("cannot load the library: ") + dlerror()};
    FilterLibrary library(handle);
    using Handler = void (*)(void *, const char *);
    const auto set_handler =
        reinterpret_cast<Handler (*)(Handler)>(library.symbol("halide_set_error_handler"));
    if (set_handler == nullptr) {
        return Error{path + " was compiled without Halide's runtime (a target with no_runtime)"};
    }
    set_handler(keep_error);
    const Status read = library.read_metadata(name);
    if (!read) return Error{path + ": " + read.error().message};
    return library;
}

Status FilterLibrary::read_metadata(const std::string &name) {
    call_ = reinterpret_cast<int (*)(void **)>(symbol(name + "_argv"));
    const auto metadata_of =
        reinterpret_cast<const halide_filter_metadata_t *(*)()>(symbol(name + "_metadata"));
    if (call_ == nullptr || metadata_of == nullptr) {
        return Error{"expected the pipeline " + name + ", found no " + name + "_argv and " + name +
                     "_metadata"};
    }
    const halide_filter_metadata_t &metadata = *metadata_of();
    if (metadata.version != halide_filter_metadata_t::VERSION) {
        return Error{"expected metadata of version " +
                     std::to_string(halide_filter_metadata_t::VERSION) + ", found " +
                     std::to_string(metadata.version)};
    }
    target_ = metadata.target;
    for (int32_t i = 0; i < metadata.num_arguments; i++) {
        const halide_filter_argument_t &from = metadata.arguments[i];
        const std::optional<ElementType> type = element_type(from.type);
        if (!type) return Error{std::string("the argument ") + from.name + " has an unknown type"};
        FilterArgument &argument = arguments_.emplace_back();
        argument.name = from.name;
        argument.kind = argument_kind(from.kind);
        argument.type = *type;
        if (argument.kind == ArgumentKind::scalar) {
            argument.scalar_bits = scalar_bits(from, *type);
        } else {
            argument.dimensions = estimated_dimensions(from);
        }
    }
    return Ok{};
}

uint64_t FilterLibrary::scalar_bits(const halide_filter_argument_t &argument, ElementType type) {
    const halide_scalar_value_t *value =
        argument.scalar_estimate != nullptr ? argument.scalar_estimate : argument.scalar_def;
    uint64_t bits = 0;
    if (value != nullptr) {
        std::memcpy(&bits, value, type.bytes());
        return bits;
    }
    const double assumed = assumed_value(type, {.least = limit_of(argument.scalar_min, type),
                                                .greatest = limit_of(argument.scalar_max, type)});
    store_number(type, assumed, reinterpret_cast<std::byte *>(&bits));
    // A pointer, as that of a user's context, never has an estimate but null.
    if (type.kind != ElementKind::handle) {
        assumed_scalars_.push_back({.name = argument.name, .value = exact_text(assumed)});
    }
    return bits;
}

std::string FilterLibrary::take_error_text() const {
    const std::lock_guard<std::mutex> lock(error_mutex);
    return std::exchange(error_text, {});
}

const halide_device_interface_t *FilterLibrary::device_interface(RunDevice device) const {
    if (device == RunDevice::cpu) return nullptr;
    const auto get = reinterpret_cast<const halide_device_interface_t *(*)()>(
        symbol("halide_" + std::string(to_string(device)) + "_device_interface"));
    return get == nullptr ? nullptr : get();
}

void *FilterLibrary::symbol(const std::string &name) const {
    return dlsym(handle_, name.c_str());
}

}  // namespace autoschedule_gpu
