// How many characters fit into a line of a terminal.
#pragma once

#include <cstddef>
#include <optional>

namespace autoschedule_gpu {

// `file`: a file descriptor. Nothing if it is no terminal, or one that does not say.
std::optional<size_t> terminal_width(int file);

}  // namespace autoschedule_gpu
