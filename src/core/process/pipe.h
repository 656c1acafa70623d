// A pipe whose two ends close themselves: with their owner, and in programs that are started. They
// never take the place of a standard stream that the process has closed, as daemons do: a child
// that then makes its standard streams anew would overwrite them.
#pragma once

namespace autoschedule_gpu {

// A file descriptor that is closed with its owner.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() { close_now(); }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
    Descriptor &operator=(Descriptor &&other) noexcept;

    int get() const { return fd_; }
    bool is_open() const { return fd_ >= 0; }
    void close_now();

private:
    int fd_ = -1;
};

struct Pipe {
    Descriptor read, write;

    // If false, errno says why.
    bool open_ends();
};

}  // namespace autoschedule_gpu
