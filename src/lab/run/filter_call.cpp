#include "lab/run/filter_call.h"

#include <algorithm>
#include <utility>

namespace autoschedule_gpu {

namespace {

halide_type_t halide_type(ElementType type) {
    const auto bits = static_cast<uint8_t>(type.bits);
    switch (type.kind) {
        case ElementKind::signed_integer:
            return {halide_type_int, bits};
        case ElementKind::unsigned_integer:
            return {halide_type_uint, bits};
        case ElementKind::ieee_float:
            return {halide_type_float, bits};
        case ElementKind::bfloat:
            return {halide_type_bfloat, bits};
        case ElementKind::handle:
            break;
    }
    return {halide_type_handle, bits};
}

// Returns a buffer that has no memory yet.
Halide::Runtime::Buffer<void> buffer_of(const FilterArgument &argument) {
    std::vector<halide_dimension_t> shape;
    for (const Dimension &dimension : argument.dimensions) {
        shape.emplace_back(static_cast<int32_t>(dimension.min),
                           static_cast<int32_t>(dimension.extent),
                           static_cast<int32_t>(dimension.stride));
    }
    return Halide::Runtime::Buffer<void>(halide_type(argument.type), nullptr,
                                         static_cast<int>(shape.size()), shape.data());
}

std::vector<Halide::Runtime::Buffer<void>> buffers_of(
    const std::vector<FilterArgument> &arguments) {
    std::vector<Halide::Runtime::Buffer<void>> buffers(arguments.size());
    for (size_t i = 0; i < arguments.size(); i++) {
        if (arguments[i].kind != ArgumentKind::scalar) buffers[i] = buffer_of(arguments[i]);
    }
    return buffers;
}

std::vector<void *> pointers_to(std::vector<FilterArgument> &arguments,
                                std::vector<Halide::Runtime::Buffer<void>> &buffers) {
    std::vector<void *> pointers;
    for (size_t i = 0; i < arguments.size(); i++) {
        const bool is_scalar = arguments[i].kind == ArgumentKind::scalar;
        pointers.push_back(is_scalar ? static_cast<void *>(&arguments[i].scalar_bits)
                                     : static_cast<void *>(buffers[i].raw_buffer()));
    }
    return pointers;
}

void enlarge(FilterArgument &argument, const Halide::Runtime::Buffer<void> &needed) {
    for (size_t d = 0; d < argument.dimensions.size(); d++) {
        Dimension &dimension = argument.dimensions[d];
        const auto &other = needed.dim(static_cast<int>(d));
        const int64_t other_end = int64_t{other.min()} + other.extent();
        dimension.stride = other.stride();
        if (dimension.extent <= 0) {
            dimension.min = other.min();
            dimension.extent = std::max(other.extent(), 0);
            continue;
        }
        const int64_t end = std::max(dimension.min + dimension.extent, other_end);
        dimension.min = std::min<int64_t>(dimension.min, other.min());
        dimension.extent = end - dimension.min;
    }
    pack(argument.dimensions);
}

}  // namespace

FilterCall::FilterCall(const FilterLibrary &library, std::vector<FilterArgument> arguments)
    : library_(library), arguments_(std::move(arguments)), buffers_(buffers_of(arguments_)) {
    for (size_t i = 0; i < arguments_.size(); i++) {
        if (arguments_[i].kind == ArgumentKind::scalar) continue;
        buffers_[i].allocate();
        buffers_[i].set_host_dirty();
    }
    pointers_ = pointers_to(arguments_, buffers_);
}

std::byte *FilterCall::memory(size_t argument) {
    return static_cast<std::byte *>(buffers_[argument].data());
}

const std::byte *FilterCall::memory(size_t argument) const {
    return static_cast<const std::byte *>(buffers_[argument].data());
}

int FilterCall::copy_outputs_to_device(const halide_device_interface_t *device) {
    for (size_t i = 0; i < arguments_.size(); i++) {
        if (arguments_[i].kind != ArgumentKind::output) continue;
        if (const int code = buffers_[i].copy_to_device(device); code != 0) return code;
    }
    return 0;
}

int FilterCall::copy_outputs_to_host() {
    for (size_t i = 0; i < arguments_.size(); i++) {
        if (arguments_[i].kind != ArgumentKind::output) continue;
        if (const int code = buffers_[i].copy_to_host(); code != 0) return code;
    }
    return 0;
}

int FilterCall::run() {
    return library_.call(pointers_);
}

int FilterCall::sync() {
    // All buffers are on one device, so waiting for one is enough; each wait takes time even if
    // there is nothing to wait for.
    for (Halide::Runtime::Buffer<void> &buffer : buffers_) {
        if (buffer.raw_buffer()->device_interface != nullptr) return buffer.device_sync();
    }
    return 0;
}

Result<std::vector<FilterArgument>> ask_for_sizes(const FilterLibrary &library,
                                                  std::vector<FilterArgument> arguments) {
    // Two queries, because outputs that are rounded up change what is needed of the inputs.
    constexpr int kTurns = 2;
    for (int turn = 0; turn < kTurns; turn++) {
        std::vector<Halide::Runtime::Buffer<void>> buffers = buffers_of(arguments);
        std::vector<void *> pointers = pointers_to(arguments, buffers);
        if (const int code = library.call(pointers); code != 0) {
            return Error{library.take_error_text() + " (error " + std::to_string(code) + ")"};
        }
        for (size_t i = 0; i < arguments.size(); i++) {
            if (arguments[i].kind != ArgumentKind::scalar) enlarge(arguments[i], buffers[i]);
        }
    }
    return arguments;
}

}  // namespace autoschedule_gpu
