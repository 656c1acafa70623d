#include "core/process/pipe.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <utility>

namespace autoschedule_gpu {

Descriptor &Descriptor::operator=(Descriptor &&other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
}

void Descriptor::close_now() {
    if (fd_ >= 0) close(fd_);
    fd_ = -1;
}

bool Pipe::open_ends() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) return false;
    const Descriptor low_read(ends[0]), low_write(ends[1]);
    read = Descriptor(fcntl(low_read.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    write = Descriptor(fcntl(low_write.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    return read.is_open() && write.is_open();
}

}  // namespace autoschedule_gpu
