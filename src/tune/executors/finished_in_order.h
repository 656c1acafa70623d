// Does something about pieces of work that threads finish in any order, in the order of the pieces:
// as soon as a piece and all before it are finished. What is left behind so does not depend on
// threads, and an end of the process costs little of what was finished.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "core/support/error.h"

namespace autoschedule_gpu {

class FinishedInOrder {
public:
    // `each` is called by one thread at a time, and not again after an error.
    FinishedInOrder(size_t pieces, std::function<Status(size_t)> each)
        : finished_(pieces, false), each_(std::move(each)) {}

    // May be called from any thread.
    void finish(size_t piece) {
        const std::lock_guard lock(mutex_);
        finished_[piece] = true;
        while (status_ && next_ < finished_.size() && finished_[next_]) status_ = each_(next_++);
    }

    // The first error of `each`.
    Status status() const {
        const std::lock_guard lock(mutex_);
        return status_;
    }

private:
    mutable std::mutex mutex_;
    std::vector<bool> finished_;
    const std::function<Status(size_t)> each_;
    size_t next_ = 0;
    Status status_ = Ok{};
};

}  // namespace autoschedule_gpu
