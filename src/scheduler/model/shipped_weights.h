// The weights that are built into the plugin: the files weights/*.weights of the source tree, in
// the order of their names (cmake/embed_weights.cmake).
#pragma once

#include <span>
#include <string_view>

namespace autoschedule_gpu {

struct ShippedFile {
    std::string_view name;   // "h100.weights"
    std::string_view bytes;  // as weights_file.h reads them
};

std::span<const ShippedFile> shipped_weights();

}  // namespace autoschedule_gpu
