// What code of users' libraries did in a run that its contract forbids. It is called from many
// threads in the middle of a search, where nothing can be returned: the first complaint is kept for
// the end. Safe to call from any thread.
#pragma once

#include <mutex>
#include <optional>
#include <string>

namespace autoschedule_gpu {

class Complaints {
public:
    void add(const std::string &sentence) {
        const std::lock_guard lock(mutex_);
        if (!first_) first_ = sentence;
    }

    std::optional<std::string> first() const {
        const std::lock_guard lock(mutex_);
        return first_;
    }

private:
    mutable std::mutex mutex_;
    std::optional<std::string> first_;
};

}  // namespace autoschedule_gpu
