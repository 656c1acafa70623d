#include "common/terminal_width.h"

#include <sys/ioctl.h>

namespace autoschedule_gpu {

std::optional<size_t> terminal_width(int file) {
    winsize size{};
    if (ioctl(file, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
    return size.ws_col;
}

}  // namespace autoschedule_gpu
